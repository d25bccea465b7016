package lang_test

import (
	"strings"
	"testing"

	"assent/internal/assent"
	"assent/internal/plan/lang"
)

const base = `{"objective":"o","steps":[
	{"id":"a","type":"tool","tool":"find","arguments":{"q":"x"},"result_key":"k"},
	{"id":"b","type":"tool","tool":"make","arguments":{"name":"n","tags":["x","y"],"at":{"day":1}}},
	{"id":"c","type":"tool","tool":"use","arguments":{"id":"$1.output.id","from":"{{ result.k.z }}"}},
	{"id":"p","type":"parallel","steps":[{"id":"p1","type":"tool","tool":"t"},{"id":"p2","type":"tool","tool":"u"}]}]}`

func TestDiff(t *testing.T) {
	edit := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(base) }
	a := `{"id":"a","type":"tool","tool":"find","arguments":{"q":"x"},"result_key":"k"},`
	b := `{"id":"b","type":"tool","tool":"make","arguments":{"name":"n","tags":["x","y"],"at":{"day":1}}},`
	for name, tc := range map[string]struct{ to, want string }{
		"nothing":        {base, ""},
		"labels":         {edit(`"o"`, `"other"`, `"id":"a"`, `"id":"a","label":"L"`), ""},
		"an argument":    {edit(`"n"`, `"m"`), `change b arguments.name "n" "m"`},
		"deep":           {edit(`"day":1`, `"day":2`), `change b arguments.at.day 1 2`},
		"an item":        {edit(`"y"]`, `"z"]`), `change b arguments.tags.1 "y" "z"`},
		"a longer list":  {edit(`"y"]`, `"y","z"]`), `change b arguments.tags ["x","y"] ["x","y","z"]`},
		"argument added": {edit(`{"q":"x"}`, `{"q":"x","limit":3}`), `change a arguments.limit  3`},
		"tool":           {edit(`"find"`, `"search"`), `change a tool "find" "search"`},
		"added": {edit(a, a+`{"id":"n","type":"tool","tool":"new","arguments":{"r":"$0.output.v"}},`, "$1.", "$2."),
			`add n   {"id":"n","type":"tool","tool":"new","arguments":{"r":"{{ step.a.v }}"}}`},
		"removed":           {edit(`,`+"\n\t"+`{"id":"p","type":"parallel","steps":[{"id":"p1","type":"tool","tool":"t"},{"id":"p2","type":"tool","tool":"u"}]}`, ""), `remove p  {"id":"p","type":"parallel","merge":"collect","steps":[{"id":"p1","type":"tool","tool":"t"},{"id":"p2","type":"tool","tool":"u"}]} `},
		"child removed":     {edit(`,{"id":"p2","type":"tool","tool":"u"}`, ""), `remove p/p2  {"id":"p2","type":"tool","tool":"u"} `},
		"child changed":     {edit(`"u"`, `"w"`), `change p/p2 tool "u" "w"`},
		"moved":             {edit(a, b, b, a, "$1.", "$0."), `change a position "" "b"`},
		"into the parallel": {edit(`{"id":"c","type":"tool","tool":"use","arguments":{"id":"$1.output.id","from":"{{ result.k.z }}"}},`, "", `"u"}`, `"u"},{"id":"c","type":"tool","tool":"use","arguments":{"id":"$1.output.id","from":"{{ result.k.z }}"}}`), `change p/c parent "" "p"`},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, d := range diff(parse(t, base), parse(t, tc.to)) {
				got = append(got, strings.Join([]string{string(d.Op), d.Path, d.Field, string(d.Old), string(d.New)}, " "))
			}
			if strings.Join(got, "\n") != tc.want {
				t.Errorf("got  %s\nwant %s", strings.Join(got, "\n"), tc.want)
			}
		})
	}
}

func diff(a, b assent.PlanDocument) []lang.Difference {
	return lang.DiffCanonical(lang.Canonical(a, nil), lang.Canonical(b, nil))
}

// A step left out changes nothing of the steps behind it but the reference to it.
func TestRemovingAStepLeavesTheOthersAlone(t *testing.T) {
	before := parse(t, `{"steps":[{"id":"a","type":"tool","tool":"t"},{"id":"b","type":"tool","tool":"t"},{"id":"c","type":"tool","tool":"u","arguments":{"x":"$1.output.y"}}]}`)
	after := parse(t, `{"steps":[{"id":"b","type":"tool","tool":"t"},{"id":"c","type":"tool","tool":"u","arguments":{"x":"$0.output.y"}}]}`)
	d := diff(before, after)
	if len(d) != 1 || d[0].Op != lang.OpRemove || d[0].Path != "a" {
		t.Errorf("%+v", d)
	}
}

func TestDiffOfDigestsAndInputs(t *testing.T) {
	doc := parse(t, base)
	d := lang.DiffCanonical(lang.Canonical(doc, map[string]string{"find": "1"}), lang.Canonical(doc, map[string]string{"find": "2", lang.BindingsDigest: "x"}))
	if len(d) != 2 || d[0].Field != "inputs" || d[1].Field != "digest" || d[1].Path != "a" {
		t.Errorf("%+v", d)
	}
}

func BenchmarkHash(b *testing.B) {
	doc := parse(b, string(example(b)))
	for b.Loop() {
		lang.Hash(doc, nil)
	}
}

func BenchmarkParse(b *testing.B) {
	raw := example(b)
	for b.Loop() {
		lang.Parse(raw)
	}
}
