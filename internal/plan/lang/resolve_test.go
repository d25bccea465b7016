package lang_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"assent/internal/assent"
	"assent/internal/plan/lang"
)

var env = lang.Env{
	Outputs: []json.RawMessage{
		[]byte(`{"artifact":{"templates":[{"id":"t1"}],"total":12345678901234567890.10,"none":null},"big":{"b": 1, "a":[true]},"dup":1,"dup":2}`),
		nil,
	},
	Results:  map[string]json.RawMessage{"p": []byte(`{"name":"A \"b\" <c>","n":1e2,"list":[1, 2],"0":"zero"}`)},
	Bindings: map[string]json.RawMessage{"who": []byte(`"Ada"`), "none": []byte(`null`)},
}

func TestResolve(t *testing.T) {
	for in, want := range map[string]string{
		`{"z": 1.50, "a" : "x"}`:                                             `{"z": 1.50, "a" : "x"}`, // nothing to do: as written
		`{"a":"$0.output.artifact.templates.0.id"}`:                          `{"a":"t1"}`,
		`{"z":1.50,"a":"$0.output.artifact.total"}`:                          `{"z":1.50,"a":12345678901234567890.10}`,
		`{"a":"$0.output.big"}`:                                              `{"a":{"b":1,"a":[true]}}`,
		`{"a":"$0.output.artifact.none"}`:                                    `{"a":null}`,
		`{"a":"$0.output.dup"}`:                                              `{"a":2}`,
		`{"a":"{{ result.p.n }}"}`:                                           `{"a":1e2}`,
		`{"a":"n={{ result.p.n }}, {{ result.p.name }}, {{result.p.list}}"}`: `{"a":"n=1e2, A \"b\" <c>, [1,2]"}`,
		`{"a":"{{ result.p.0 }}{{ result.p.list.1 }}"}`:                      `{"a":"zero2"}`,
		`["{{ bindings.who }}","hi {{bindings.who}} {{bindings.none}}"]`:     `["Ada","hi Ada null"]`,
		`{"a":"$$0.output.x","b":"{{{{ y }}","c":"$5.00"}`:                   `{"a":"$0.output.x","b":"{{ y }}","c":"$5.00"}`,
		`{"$0.output.dup":"\u0024\u0024"}`:                                   `{"$0.output.dup":"$"}`,
		`"{{ bindings.who }}"`:                                               `"Ada"`,
		`{"b":1,"a":"$$","b":2}`:                                             `{"b":1,"a":"$","b":2}`,
	} {
		got, err := lang.Resolve(json.RawMessage(in), env)
		if err != nil || string(got) != want {
			t.Errorf("%s: got %s, %v; want %s", in, got, err, want)
		}
	}
}

func TestResolveNamesWhatIsMissing(t *testing.T) {
	in := json.RawMessage(`{"a":{"b":"$0.output.artifact.templates.1.id"},"c":"{{ result.q }}","d":"x {{ result.p.nme }}","e":"$1.output.a","f":"$7.output.a","g":"{{ bindings.x }}","h":"$0.output.artifact.total.x","i":"$0.output.artifact.templates.01"}`)
	got, err := lang.Resolve(in, env)
	var e *assent.Error
	if !errors.As(err, &e) || e.Code != assent.CodeReferenceUnresolved || string(got) != string(in) {
		t.Fatalf("%s %v", got, err)
	}
	var all []string
	for _, f := range e.Fields {
		all = append(all, f.Argument+" "+f.Reference+" ["+strings.Join(f.AvailableFields, ",")+"]")
		if f.Code != "reference_unresolved" || !strings.Contains(f.Message, f.Reference) {
			t.Errorf("%+v", f)
		}
	}
	want := []string{"a.b $0.output.artifact.templates.1.id [0]", "c {{ result.q }} [p]", "d {{ result.p.nme }} [0,list,n,name]", "e $1.output.a [$0]",
		"f $7.output.a [$0]", "g {{ bindings.x }} [none,who]", "h $0.output.artifact.total.x []", "i $0.output.artifact.templates.01 [0]"}
	if strings.Join(all, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s", strings.Join(all, "\n"))
	}
	if e.Details["reference"] != "$0.output.artifact.templates.1.id" {
		t.Errorf("%+v", e.Details)
	}
}

func TestResolveTextRendersEverythingAsText(t *testing.T) {
	for in, want := range map[string]string{
		"Near {{ result.p.name }}": `Near A "b" <c>`, "{{ result.p.list }}": "[1,2]", "$0.output.artifact.templates.0": `{"id":"t1"}`, "$$0.output.x": "$0.output.x", "": "",
	} {
		if got, err := lang.ResolveText(in, env); err != nil || got != want {
			t.Errorf("%q: got %q, %v", in, got, err)
		}
	}
	if _, err := lang.ResolveText("{{ result.none }}", env); assent.ErrorCode(err) != assent.CodeReferenceUnresolved {
		t.Error(err)
	}
	if _, err := lang.ResolveText("{{ none }}", env); assent.ErrorCode(err) != assent.CodeReferenceUnresolved {
		t.Error(err)
	}
}

func TestResolveBoundsWhatItBuilds(t *testing.T) {
	big := lang.Env{Bindings: map[string]json.RawMessage{"b": json.RawMessage(`"` + strings.Repeat("x", 1<<20) + `"`)}}
	_, err := lang.Resolve(json.RawMessage(`{"a":"`+strings.Repeat("{{bindings.b}}", 10_000)+`"}`), big)
	if assent.ErrorCode(err) != assent.CodeTooLarge {
		t.Error(err)
	}
}

func TestResolveRefusesWhatIsNoJSON(t *testing.T) {
	if _, err := lang.Resolve(json.RawMessage(`{"a":"$0.output.a"`), env); assent.ErrorCode(err) != assent.CodeInvalid {
		t.Error(err)
	}
	if _, err := lang.Resolve(json.RawMessage(`"$0.output.a"`), lang.Env{Outputs: []json.RawMessage{[]byte("no JSON")}}); assent.ErrorCode(err) != assent.CodeReferenceUnresolved {
		t.Error(err)
	}
}

func FuzzResolve(f *testing.F) {
	f.Add([]byte(`{"a":"n={{ result.p.n }}","b":["$0.output.big",1.0]}`), []byte(`{"big":[1]}`))
	f.Fuzz(func(t *testing.T, raw, output []byte) {
		out, err := lang.Resolve(raw, lang.Env{Outputs: []json.RawMessage{output}, Results: map[string]json.RawMessage{"p": output}})
		if err == nil && json.Valid(raw) && !json.Valid(out) {
			t.Errorf("%s resolves to %s", raw, out)
		}
	})
}
