package lang_test

import (
	"strings"
	"testing"

	"assent/internal/plan/lang"
)

func TestTemplates(t *testing.T) {
	for in, want := range map[string]string{ // canonical writing; | between parts; ! for syntax errors; * for whole
		"":                                   "",
		"plain":                              "plain",
		"$0.output.a.b.0":                    "*$0.output.a.b.0",
		"$12.output":                         "*$12.output",
		"$0.output._metadata.due-date":       "*$0.output._metadata.due-date",
		"$5.00":                              "$5.00",
		"$ 3":                                "$ 3",
		"$":                                  "$",
		"$x":                                 "$x",
		"$HOME/bin":                          "$HOME/bin",
		"costs $0.output.a":                  "costs $0.output.a",
		"$x.output.a":                        "!",
		"$.output.a":                         "!",
		"$0.outputs.a":                       "!",
		"$0.a":                               "!",
		"$0.output.":                         "!",
		"$0.output..a":                       "!",
		"$0.output.a and more":               "!",
		"$0.output.a{{ result.b }}":          "!",
		"$+1.output.a":                       "!",
		"$01.output.a":                       "!",
		"$-0.output.a":                       "!",
		"$-1.output.a":                       "*$-1.output.a",
		"$99999999999999999999.output.a":     "*$2147483647.output.a",
		"$1e.output":                         "!",
		"$$":                                 "$",
		"$$0.output.a":                       "$0.output.a",
		"$$$":                                "$$",
		"$$5":                                "$5",
		"{{ result.k }}":                     "*{{ result.k }}",
		"{{result.k.a.0}}":                   "*{{ result.k.a.0 }}",
		"{{\tbindings.NAME\n}}":              "*{{ bindings.NAME }}",
		"{{ bindings.a.b }}":                 "*{{ bindings.a.b }}",
		" {{ result.k }}":                    " |{{ result.k }}",
		"a {{ result.k.x }} b{{bindings.n}}": "a |{{ result.k.x }}| b|{{ bindings.n }}",
		"$$ {{ result.k }}":                  "$ |{{ result.k }}",
		"$5.x {{ result.k }}":                "!",
		"{{{{ result.k }}":                   "{{ result.k }}",
		"{{{{{{ result.k }}":                 "{{|{{ result.k }}",
		"{{{{{{{{":                           "{{{{",
		"{ result.k }":                       "{ result.k }",
		"}} alone":                           "}} alone",
		"{{ result }}":                       "!",
		"{{ result. }}":                      "!",
		"{{ result.k..a }}":                  "!",
		"{{ result.k. }}":                    "!",
		"{{ result.a b }}":                   "!",
		"{{ other.k }}":                      "!",
		"{{ $0.output.a }}":                  "!",
		"{{}}":                               "!",
		"{{ result.k":                        "!",
		"{{ a {{ result.k }} }}":             "!",
		"{{ result.ä }}":                     "!",
		"{{ result.k.ä }}":                   "*{{ result.k.ä }}",
		"$0.output." + strings.Repeat("a.", 65) + "a": "!",
	} {
		got := ""
		tpl, err := lang.ParseTemplate(in)
		if err != nil {
			got = "!"
			if err.Text == "" || !strings.HasSuffix(err.Reason, ".") {
				t.Errorf("%q: %+v", in, err)
			}
		}
		for i, p := range tpl.Parts {
			if i > 0 {
				got += "|"
			}
			if p.Ref != nil {
				got += p.Ref.String()
			} else {
				got += p.Literal
			}
		}
		if tpl.Whole {
			got = "*" + got
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestReferencesSayWhere(t *testing.T) {
	var got []string
	for _, l := range lang.References([]byte(`{"a":["x","$0.output.b"],"c/d":{"e":"see {{ result.k }}"},"$0.output.key":"\u0024{{{{","{{ bindings.b }}":null}`)) {
		s := l.Pointer
		if l.Err != nil {
			s += " !"
		} else if l.Whole {
			s += " *" + l.Ref.String()
		} else {
			s += " " + l.Ref.String()
		}
		got = append(got, s)
	}
	want := "/a/1 *$0.output.b; /c~1d/e {{ result.k }}; /$0.output.key !; /{{ bindings.b }} !"
	if strings.Join(got, "; ") != want {
		t.Errorf("got %q", got)
	}
}

func FuzzEscape(f *testing.F) {
	for _, s := range []string{"$0.output.a", "$$", "{{ result.k }}", "{{{", "$5.x {{", "}}{{{{{", "$-1.a"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		tpl, err := lang.ParseTemplate(lang.Escape(s))
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := tpl.Literal(); !ok || got != s {
			t.Errorf("%q escaped is %q and reads as %q", s, lang.Escape(s), got)
		}
	})
}

func FuzzTemplate(f *testing.F) {
	f.Add("a {{ result.k.x }} b{{bindings.n}}")
	f.Add("$0.output.a.b.0")
	f.Fuzz(func(t *testing.T, s string) {
		tpl, err := lang.ParseTemplate(s)
		if err != nil {
			return
		}
		var again strings.Builder
		for i, p := range tpl.Parts {
			switch {
			case p.Ref != nil:
				again.WriteString(p.Ref.String())
			case i == 0:
				again.WriteString(lang.Escape(p.Literal))
			default:
				again.WriteString(strings.ReplaceAll(p.Literal, "{{", "{{{{"))
			}
		}
		second, err := lang.ParseTemplate(again.String())
		if err != nil || second.Whole != tpl.Whole || len(second.Parts) != len(tpl.Parts) {
			t.Errorf("%q written as %q reads differently: %v", s, again.String(), err)
		}
	})
}
