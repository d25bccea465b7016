package schema_test

import (
	"encoding/json"
	"strings"
	"testing"

	"assent/internal/assent"
	"assent/internal/schema"
)

type sample struct {
	Title    string          `json:"title" jsonschema:"minLength=1,maxLength=10" jsonschema_description:"A title, short, with commas."`
	Priority string          `json:"priority,omitempty" jsonschema:"enum=low,enum=high"`
	Due      assent.Date     `json:"due,omitempty"`
	At       assent.Time     `json:"at"`
	Tags     []string        `json:"tags,omitempty"`
	Any      json.RawMessage `json:"any,omitempty"`
	Nested   *struct {
		N int `json:"n"`
	} `json:"nested,omitempty"`
}

func TestFromTypeInlinesEverything(t *testing.T) {
	s := string(schema.FromType[sample]())
	for _, want := range []string{`"additionalProperties":false`, `"required":["title","at"]`, `"format":"date"`, `"A title, short, with commas."`, `"enum":["low","high"]`} {
		if !strings.Contains(s, want) {
			t.Errorf("schema lacks %s:\n%s", want, s)
		}
	}
	for _, bad := range []string{"$ref", "$defs", "$schema", "$id"} {
		if strings.Contains(s, bad) {
			t.Errorf("schema has %s:\n%s", bad, s)
		}
	}
}

func TestValidateGivesEveryViolation(t *testing.T) {
	c := schema.NewCompiler()
	s := schema.FromType[sample]()
	for name, tc := range map[string]struct {
		in   string
		want []string // code pointer
	}{
		"valid":            {`{"title":"a","at":null,"due":"2027-03-31","any":{"x":[1]}}`, nil},
		"missing":          {`{}`, []string{"missing_argument /at", "missing_argument /title"}},
		"unknown":          {`{"title":"a","at":null,"colour":1}`, []string{"unknown_argument /colour"}},
		"wrong type":       {`{"title":1,"at":null}`, []string{"invalid_arguments /title"}},
		"enum and date":    {`{"title":"a","at":null,"priority":"x","due":"2027-02-30"}`, []string{"invalid_arguments /due", "invalid_arguments /priority"}},
		"nested":           {`{"title":"a","at":null,"nested":{"n":"x"}}`, []string{"invalid_arguments /nested/n"}},
		"not an object":    {`"{\"title\":\"a\"}"`, []string{"invalid_arguments "}},
		"not JSON":         {`{"title":`, []string{"invalid_arguments "}},
		"too long, no tag": {`{"title":"a title that is too long","at":null,"tags":[1]}`, []string{"invalid_arguments /tags/0", "invalid_arguments /title"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, v := range c.Validate(s, json.RawMessage(tc.in)) {
				got = append(got, v.Code+" "+v.Pointer)
				if !strings.HasSuffix(v.Message, ".") && !strings.Contains(v.Message, " ") {
					t.Errorf("message %q is no sentence", v.Message)
				}
			}
			if strings.Join(got, ";") != strings.Join(tc.want, ";") {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestForeignSchemasCannotReadOrCrash(t *testing.T) {
	c := schema.NewCompiler()
	for _, s := range []string{`{"$ref":"file:///etc/passwd"}`, `{"$ref":"http://127.0.0.1:1/x"}`, `{"$ref":"#"}`, `{"type":"strng"}`, `not json`, `{"pattern":"(?=x)"}`} {
		if v := c.Validate(json.RawMessage(s), json.RawMessage(`"x"`)); len(v) == 0 {
			t.Errorf("schema %s accepted the instance", s)
		}
	}
}

func BenchmarkValidate(b *testing.B) {
	c := schema.NewCompiler()
	s := schema.FromType[sample]()
	in := json.RawMessage(`{"title":"a","priority":"low","due":"2027-03-31","at":null,"tags":["x","y"]}`)
	for b.Loop() {
		if v := c.Validate(s, in); v != nil {
			b.Fatal(v)
		}
	}
}
