package schema_test

import (
	"encoding/json"
	"fmt"
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
	for _, s := range []string{`{"$ref":"file:///etc/passwd"}`, `{"$ref":"http://127.0.0.1:1/x"}`, `{"$ref":"#"}`, `{"type":"strng"}`, `not json`, `{"$schema":"http://x.example/draft"}`,
		`{"allOf":[{"$ref":"#"}]}`, `{"$ref":"#/$defs/none"}`, `{"patternProperties":{"(?=x)":true}}`} {
		if v := c.Validate(json.RawMessage(s), json.RawMessage(`"x"`)); len(v) == 0 {
			t.Errorf("schema %s accepted the instance", s)
		}
	}
}

func TestMessagesSayWhatToDo(t *testing.T) {
	c := schema.NewCompiler()
	s := json.RawMessage(`{"type":"object","additionalProperties":false,"required":["kind"],"properties":{
		"kind":{"enum":["a","b"]},"n":{"type":"integer","minimum":1},"due":{"type":"string","format":"date"},
		"who":{"type":"string","nullable":true},"list":{"type":"array","maxItems":1,"items":{"type":"object","additionalProperties":false,
			"properties":{"title":{"type":"string"}},"required":["title"]}},
		"shape":{"oneOf":[{"type":"object","required":["r"],"properties":{"t":{"const":"circle"},"r":{"type":"number"}}},
			{"type":"object","required":["w"],"properties":{"t":{"const":"square"},"w":{"type":"number"}}},{"type":"null"}]}}}`)
	for name, tc := range map[string]struct{ in, code, argument, message string }{
		"enum":       {`{"kind":"x"}`, "invalid_arguments", "kind", `"kind" must be one of "a", "b", not "x".`},
		"missing":    {`{}`, "missing_argument", "kind", `"kind" is required.`},
		"unknown":    {`{"kind":"a","knd":1}`, "unknown_argument", "knd", `"knd" is not a known argument; known: due, kind, list, n, shape, who.`},
		"nested":     {`{"kind":"a","list":[{"titel":"x","title":"y"}]}`, "unknown_argument", "list.0.titel", `"list.0.titel" is not a known argument; known: title.`},
		"absent":     {`{"kind":"a","list":[{}]}`, "missing_argument", "list.0.title", `"list.0.title" is required.`},
		"fraction":   {`{"kind":"a","n":1.5}`, "invalid_arguments", "n", `"n" must be an integer, without a fraction.`},
		"too small":  {`{"kind":"a","n":0}`, "invalid_arguments", "n", `"n" must be at least 1, not 0.`},
		"date":       {`{"kind":"a","due":"soon"}`, "invalid_arguments", "due", `"due" must be a date like 2027-03-31, not "soon".`},
		"nullable":   {`{"kind":"a","who":1}`, "invalid_arguments", "who", `"who" must be null or a string, not a number.`},
		"too many":   {`{"kind":"a","list":[{"title":"x"},{"title":"y"}]}`, "invalid_arguments", "list", `"list" must have at most 1 items, not 2.`},
		"one form":   {`{"kind":"a","shape":{"t":"square"}}`, "missing_argument", "shape.w", `"shape.w" is required.`},
		"no form":    {`{"kind":"a","shape":"round"}`, "invalid_arguments", "shape", `"shape" must be null or an object, not a string.`},
		"the whole":  {`[]`, "invalid_arguments", "", `The value must be an object, not an array.`},
		"huge":       {`{"kind":"a","n":1e999999999}`, "invalid_arguments", "", `This is not valid JSON: a number in it is too large or too small.`},
		"more JSON":  {`{"kind":"a"} {}`, "invalid_arguments", "", `This is not valid JSON: something follows the JSON value.`},
		"null is ok": {`{"kind":"a","who":null,"shape":null}`, "", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			v := c.Validate(s, json.RawMessage(tc.in))
			if tc.code == "" {
				if v != nil {
					t.Fatalf("refused: %+v", v)
				}
				return
			}
			if len(v) != 1 || v[0].Code != tc.code || v[0].Argument != tc.argument || v[0].Message != tc.message {
				t.Errorf("got %+v", v)
			}
		})
	}
}

func TestPatternsBeyondRE2AreLeftToTheTool(t *testing.T) {
	s := json.RawMessage(`{"properties":{"pattern":{"type":"string","pattern":"^(?!x)"},"nullable":{"type":"boolean"}},"default":{"pattern":"(?="}}`)
	c := schema.NewCompiler()
	if v := c.Validate(s, json.RawMessage(`{"pattern":"x","nullable":true}`)); v != nil {
		t.Errorf("refused: %+v", v)
	}
	if v := c.Validate(s, json.RawMessage(`{"pattern":1}`)); len(v) != 1 {
		t.Errorf("the rest of the schema is not enforced: %+v", v)
	}
}

func TestNumbersKeepTheirDigits(t *testing.T) {
	s := json.RawMessage(`{"const":9007199254740993}`)
	c := schema.NewCompiler()
	if v := c.Validate(s, json.RawMessage(`9007199254740992`)); len(v) != 1 || !strings.Contains(v[0].Message, "9007199254740993, not 9007199254740992") {
		t.Errorf("a neighbour of 2^53 passes: %+v", v)
	}
}

func TestViolationsAreBoundedAndStable(t *testing.T) {
	s, in := json.RawMessage(`{"type":"array","items":{"type":"string"}}`), json.RawMessage("["+strings.Repeat("1,", 999)+"1]")
	c := schema.NewCompiler()
	first := c.Validate(s, in)
	if len(first) != schema.MaxViolations {
		t.Fatalf("%d violations", len(first))
	}
	again := c.Validate(s, in)
	for i := range first {
		if first[i].Pointer != again[i].Pointer {
			t.Fatalf("order differs at %d", i)
		}
	}
}

func TestExplodingSchemasEnd(t *testing.T) {
	deep := json.RawMessage(strings.Repeat(`{"a":`, 60) + "1" + strings.Repeat("}", 60))
	twice := `{"anyOf":[{"properties":{"a":{"$ref":"#"}},"required":["z"]},{"properties":{"a":{"$ref":"#"}},"required":["y"]}]}`
	var chain strings.Builder
	for i := range 40 {
		fmt.Fprintf(&chain, `"d%d":{"allOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]},`, i, i+1, i+1)
	}
	double := `{"$ref":"#/$defs/d0","$defs":{` + chain.String() + `"d40":{"required":["z"]}}}`
	for _, s := range []string{twice, double} {
		v := schema.NewCompiler().Validate(json.RawMessage(s), deep)
		if len(v) != 1 || !strings.Contains(v[0].Message, "too complex") {
			t.Errorf("%+v", v)
		}
	}
	tree := json.RawMessage(`{"type":"object","properties":{"a":{"anyOf":[{"$ref":"#"},{"type":"integer"}]}},"additionalProperties":false}`)
	if v := schema.NewCompiler().Validate(tree, deep); v != nil {
		t.Errorf("an honest recursive schema: %+v", v)
	}
}

type node struct {
	Next []node `json:"next"`
}

type pointers struct {
	assent.Entity
	Always *string            `json:"always" jsonschema_description:"One, or none."`
	Maybe  *string            `json:"maybe,omitempty"`
	Deep   []struct{ P *int } `json:"deep"`
}

func TestFromTypeMatchesWhatGoMarshals(t *testing.T) {
	c, s := schema.NewCompiler(), schema.FromType[pointers]()
	b, err := json.Marshal(pointers{Deep: []struct{ P *int }{{}}})
	if err != nil {
		t.Fatal(err)
	}
	if v := c.Validate(s, b); v != nil {
		t.Errorf("%s\n%s\n%+v", s, b, v)
	}
	if v := c.Validate(s, []byte(strings.Replace(string(b), "{", `{"more":1,`, 1))); v == nil {
		t.Error("a property that the type has not is let through")
	}
}

func TestFromTypeRefusesEndlessTypes(t *testing.T) {
	defer func() {
		if r := recover(); r == nil || !strings.Contains(r.(string), "holds itself") {
			t.Errorf("recovered %v", r)
		}
	}()
	schema.FromType[node]()
}

func TestCompilerIsSafeForConcurrentUse(t *testing.T) {
	c := schema.NewCompiler()
	done := make(chan int)
	for range 4 {
		go func() {
			bad := 0
			for i := range 200 {
				s := json.RawMessage(`{"type":"string","minLength":` + string(rune('0'+i%10)) + `}`)
				if v := c.Validate(s, json.RawMessage(`"abcdefghij"`)); v != nil {
					bad++
				}
			}
			done <- bad
		}()
	}
	for range 4 {
		if bad := <-done; bad > 0 {
			t.Errorf("%d refusals", bad)
		}
	}
}

func FuzzValidate(f *testing.F) {
	f.Add(`{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"$ref":"#"}]}},"required":["b"]}`, `{"a":1}`)
	f.Add(`{"enum":[1e5,null],"nullable":true,"multipleOf":0.1}`, `1e400`)
	f.Add(`{"if":{"minProperties":1},"then":{"propertyNames":{"maxLength":1}},"not":{"required":["x"]}}`, `{"xx":[{}]}`)
	f.Add(`{"$dynamicRef":"#x","$dynamicAnchor":"x","uniqueItems":true,"contains":{"const":1}}`, `[1,1.0]`)
	c := schema.NewCompiler()
	f.Fuzz(func(t *testing.T, s, in string) {
		for _, v := range c.Validate(json.RawMessage(s), json.RawMessage(in)) {
			if v.Code == "" || v.Message == "" {
				t.Errorf("%+v", v)
			}
		}
	})
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

// TestABlankTextIsSaidInWords: our own pattern is no sentence.
func TestABlankTextIsSaidInWords(t *testing.T) {
	v := schema.NewCompiler().Validate(json.RawMessage(`{"properties":{"title":{"type":"string","pattern":"\\S"}}}`), json.RawMessage(`{"title":"  "}`))
	if len(v) != 1 || v[0].Message != `"title" must not be blank.` {
		t.Errorf("it says %+v", v)
	}
}
