package lang_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"assent/internal/plan/lang"
)

func TestLiteralArgumentsStayAsTheyAre(t *testing.T) {
	in := `{"a":"$0.output.x","b":["{{ result.k }}","$$","{{ name }}",1.50,null],"c":{"d":"\u0024x.y"}}`
	escaped, err := lang.Literal(json.RawMessage(in))
	if err != nil {
		t.Fatal(err)
	}
	if refs := lang.References(escaped); len(refs) > 0 {
		t.Errorf("%s holds %+v", escaped, refs)
	}
	out, err := lang.Resolve(escaped, lang.Env{})
	if want := `{"a":"$0.output.x","b":["{{ result.k }}","$$","{{ name }}",1.50,null],"c":{"d":"$x.y"}}`; err != nil || string(out) != want {
		t.Errorf("got %s, %v", out, err)
	}
	if _, err := lang.Literal(json.RawMessage(`{"$`)); err == nil {
		t.Error("no JSON passes")
	}
}

func FuzzLiteral(f *testing.F) {
	f.Add([]byte(`{"a":"$0.output.x","b":["{{ result.k }}",1e5],"":"$$"}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		escaped, err := lang.Literal(raw)
		if err != nil || !json.Valid(raw) {
			return
		}
		out, err := lang.Resolve(escaped, lang.Env{})
		if err != nil {
			// A key that reads like a reference does not concern Resolve.
			t.Fatal(err)
		}
		if !bytes.Equal(normal(t, raw), normal(t, out)) {
			t.Errorf("%s became %s", raw, out)
		}
	})
}

func normal(t *testing.T, raw []byte) []byte {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
