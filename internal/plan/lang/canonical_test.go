package lang_test

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"assent/internal/assent"
	"assent/internal/plan/lang"
)

func TestCanonicalForm(t *testing.T) {
	doc := parse(t, string(example(t)))
	got := string(lang.Canonical(doc, map[string]string{"create_project": "d1", "researcher": "d2", "unused": "d3"}))
	want := `{"steps":[{"id":"find","type":"tool","tool":"list_templates","arguments":{"query":"relocation"},"result_key":"templates"},` +
		`{"id":"make","type":"tool","tool":"create_project","arguments":{"name":"Office move","template_id":"{{ step.find.artifact.templates.0.id }}"},"result_key":"project","digest":"d1"},` +
		`{"id":"know","type":"parallel","merge":"collect","max_concurrency":2,"steps":[` +
		`{"id":"r","type":"agent","agent":"researcher","mode":"build","prompt":"Removal firms near {{ step.make.artifact.name }}","with":{"project_id":"{{ step.make.artifact_id }}"},"result_key":"research","digest":"d2"},` +
		`{"id":"d","type":"tool","tool":"search_documents","arguments":{"query":"lease"},"result_key":"docs"}]},` +
		`{"id":"ask","type":"checkpoint","prompt":"Send the invitations?"},` +
		`{"id":"doc","type":"tool","tool":"publish_document","arguments":{"body":"{{ step.r.artifact.content }}","project_id":"{{ step.make.artifact_id }}"}}]}`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Every field of a step but the label and what is computed changes the hash.
// A new field fails here until it is part of the canonical form.
func TestHashHoldsEverySemanticField(t *testing.T) {
	left := map[string]bool{"Label": true, "Effect": true, "Target": true}
	base := assent.PlanDocument{Steps: []assent.Step{{ID: "a", Type: assent.StepAgent}}}
	typ := reflect.TypeFor[assent.Step]()
	for i := range typ.NumField() {
		name := typ.Field(i).Name
		changed := assent.PlanDocument{Steps: []assent.Step{base.Steps[0]}}
		f := reflect.ValueOf(&changed.Steps[0]).Elem().Field(i)
		switch f.Interface().(type) {
		case json.RawMessage:
			f.SetBytes([]byte(`{"x":1}`))
		case []assent.Step:
			f.Set(reflect.ValueOf([]assent.Step{{ID: "c"}}))
		default:
			if f.Kind() == reflect.String {
				f.SetString("x")
			} else {
				f.SetInt(7)
			}
		}
		if same := lang.Hash(base, nil) == lang.Hash(changed, nil); same != left[name] {
			t.Errorf("%s: the hash stays the same: %v", name, same)
		}
	}
}

func TestHashHoldsDigestsAndInputs(t *testing.T) {
	doc := assent.PlanDocument{Steps: []assent.Step{{ID: "a", Type: assent.StepTool, Tool: "t"}}}
	seen := map[string]bool{}
	for _, d := range []map[string]string{nil, {"t": "1"}, {"t": "2"}, {lang.BindingsDigest: "1"}} {
		seen[lang.Hash(doc, d)] = true
	}
	if len(seen) != 4 {
		t.Errorf("%d different hashes", len(seen))
	}
	if lang.Hash(doc, map[string]string{"t": "1", "other": "2"}) != lang.Hash(doc, map[string]string{"t": "1"}) {
		t.Error("a tool that is not used counts")
	}
}

func TestHashIgnoresWhatDoesNotRun(t *testing.T) {
	same := []string{
		`{"objective":"a","reasoning":"b","steps":[{"id":"x","type":"tool","tool":"t","label":"L","result_key":"k","arguments":{"a":1,"b":[{"c":"d","e":2}]}},{"id":"y","type":"tool","tool":"u","arguments":{"v":"$0.output.z.0"}}]}`,
		`{"objective":"c","requested_outputs":["w"],"steps":[{"tool":"t","type":"tool","id":"x","result_key":"k","arguments":{"b": [ {"e":2, "c":"\u0064"} ], "a":1}},{"id":"y","type":"tool","tool":"u","arguments":{"v":"{{result.k.z.0}}"}}]}`,
		`{"steps":[{"id":"x","type":"tool","tool":"t","timeout_ms":0,"result_key":"k","arguments":{"a":1,"b":[{"c":"d","e":2}]},"effect":"read"},{"id":"y","type":"tool","tool":"u","label":"M","prompt":null,"arguments":{"v":"{{ result.k.z.0 }}"}}]}`,
	}
	for _, s := range same[1:] {
		if a, b := lang.Canonical(parse(t, same[0]), nil), lang.Canonical(parse(t, s), nil); string(a) != string(b) {
			t.Errorf("\n%s\n%s", a, b)
		}
	}
	empty := parse(t, `{"steps":[{"id":"p","type":"parallel","steps":[{"id":"x","type":"tool","tool":"t"}]}]}`)
	spelt := parse(t, `{"steps":[{"id":"p","type":"parallel","merge":"collect","steps":[{"id":"x","type":"tool","tool":"t","arguments":{}}]}]}`)
	if lang.Hash(empty, nil) != lang.Hash(spelt, nil) {
		t.Error("defaults count")
	}
}

func TestHashTellsTextFromReferences(t *testing.T) {
	seen := map[string]string{}
	for _, arg := range []string{`"$0.output.a"`, `"$$0.output.a"`, `"{{{{ step.a.a }}"`, `"{{{{ result.k.a }}"`, `"{{ result.k.b }}"`, `" {{ result.k.a }}"`, `"$1.output.a"`, `"{{ bindings.a }}"`,
		`{"$ref":["a","a"]}`, `1`, `1.0`, `"1"`, `null`, `[]`, `{}`, `"$$"`, `"$$$"`} {
		doc := assent.PlanDocument{Steps: []assent.Step{{ID: "a", Type: assent.StepTool, Tool: "t", ResultKey: "k"},
			{ID: "b", Type: assent.StepTool, Tool: "t", Arguments: json.RawMessage(`{"x":` + arg + `}`)}}}
		h := lang.Hash(doc, nil)
		if other, ok := seen[h]; ok {
			t.Errorf("%s and %s have the same hash", arg, other)
		}
		seen[h] = arg
	}
}

// Key order and whitespace never count: a random value written twice, with its
// keys shuffled and spaced, has one canonical form.
func TestCanonicalFormIsStableUnderKeyOrderAndWhitespace(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		v := randomValue(rng, 3)
		form := func() string {
			doc := assent.PlanDocument{Steps: []assent.Step{{ID: "a", Type: assent.StepTool, Tool: "t", Arguments: json.RawMessage(`{"v":` + write(rng, v) + `}`)}}}
			return string(lang.Canonical(doc, nil))
		}
		if a, b := form(), form(); a != b {
			t.Fatalf("\n%s\n%s", a, b)
		}
	}
}

func randomValue(rng *rand.Rand, depth int) any {
	switch n := rng.IntN(6); {
	case n == 0 && depth > 0:
		m := map[string]any{}
		for range rng.IntN(5) {
			m[string(rune('a'+rng.IntN(26)))+strings.Repeat("é", rng.IntN(2))] = randomValue(rng, depth-1)
		}
		return m
	case n == 1 && depth > 0:
		var l []any
		for range rng.IntN(4) {
			l = append(l, randomValue(rng, depth-1))
		}
		return l
	case n < 4:
		return []string{"", "x <y>", "$5.00", "{{ result.k }}", "\"\\\n", "$0.output.a"}[rng.IntN(6)]
	}
	return json.Number([]string{"0", "-1.50", "1e9", "123456789012345678901234567890"}[rng.IntN(4)])
}

// write renders v with its keys in random order and random space between.
func write(rng *rand.Rand, v any) string {
	space := strings.Repeat(" ", rng.IntN(2)) + strings.Repeat("\n\t", rng.IntN(2))
	switch v := v.(type) {
	case map[string]any:
		var parts []string
		for k, item := range v { // map order is random as well
			b, _ := json.Marshal(k)
			parts = append(parts, space+string(b)+space+":"+write(rng, item))
		}
		return "{" + strings.Join(parts, ",") + space + "}"
	case []any:
		var parts []string
		for _, item := range v {
			parts = append(parts, write(rng, item)+space)
		}
		return "[" + space + strings.Join(parts, ",") + "]"
	}
	b, _ := json.Marshal(v)
	return space + string(b) + space
}
