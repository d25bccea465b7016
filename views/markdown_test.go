package views

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestMarkdownIsSafeAndRich(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in      string
		want, without []string
	}{
		{"raw html", "a <b>x</b> <script>alert(1)</script>", []string{"a &lt;b&gt;x&lt;/b&gt; &lt;script&gt;alert(1)&lt;/script&gt;"}, []string{"<script", "<b>"}},
		{"a block of html", "<div class=\"x\">Hello **you**\n- one\n- two", []string{"&lt;div class=", "Hello <strong>you</strong>", "<li>one</li>"}, []string{"<div"}},
		{"html that never ends", "<script>\n\n# After\n\n<!-- note\n\n**bold**", []string{"&lt;script&gt;", ">After</h3>", "&lt;!-- note", "<strong>bold</strong>"}, []string{"<script", "<!--"}},
		{"a break in a cell", "a|b\n-|-\nx<br>y|z<BR/>w", []string{"x<br>y", "z<br>w"}, []string{"&lt;"}},
		{"an event handler", "<img src=x onerror=alert(1)> **b**", []string{"&lt;img src=x onerror=alert(1)&gt;", "<strong>b</strong>"}, []string{"<img"}},
		{"script link", "[x](javascript:alert(1))", []string{"x"}, []string{"javascript", "href"}},
		{"data link", "[x](data:text/html,hi)", []string{"x"}, []string{"data:"}},
		{"web link", "[x](https://example.org/a)", []string{`href="https://example.org/a"`, "noopener", "noreferrer", `target="_blank"`}, nil},
		{"bare link", "see https://example.org", []string{`href="https://example.org"`}, nil},
		{"image", "![a chart](https://example.org/x.png)", []string{"a chart"}, []string{"<img", "example.org"}},
		{"heading", "# One\n\n#### Four", []string{`<h3 class="h1">One</h3>`, `<h3 class="h4">Four</h3>`}, []string{"<h1", "<h4"}},
		{"tasks", "- [x] a\n- [ ] b", []string{`aria-label="done"`, `aria-label="to do"`}, []string{"<input"}},
		{"table", "a|b\n-|-:\n1|2", []string{"<table>", `<th class="n">`, `tabindex="0"`}, []string{"style="}},
		{"code", "```go\nfunc f() {}\n```", []string{`<span class="kd">func</span>`}, nil},
		{"code that looks like markup", "```\n<script>\n```", []string{"&lt;script&gt;"}, []string{"<script"}},
		{"code of an unknown language", "```nonesuch\nx < y\n```", []string{"x &lt; y"}, nil},
		{"attributes of a fence", "```go {style=x,linenos=table}\nx\n```", []string{"x"}, []string{"style", "<table"}},
		{"strike", "~~a~~", []string{"<del>a</del>"}, nil},
		{"half-open emphasis", "**bold", []string{"**bold"}, nil},
		{"half-open fence", "```go\nx := 1", []string{"<pre", "x"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := Markdown(c.in)
			for _, w := range c.want {
				if !strings.Contains(got, w) {
					t.Errorf("%q is missing in %s", w, got)
				}
			}
			for _, w := range c.without {
				if strings.Contains(got, w) {
					t.Errorf("%q stands in %s", w, got)
				}
			}
		})
	}
}

func TestProseCutsAtBlankLines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"paragraphs", "a\nb\n\nc\n\n\nd", []string{"a\nb", "c", "d"}},
		{"leading blank lines", "\n\na", []string{"a"}},
		{"a fence keeps its blank lines", "```\na\n\nb\n```\n\nc", []string{"```\na\n\nb\n```", "c"}},
		{"a longer fence holds a shorter one", "````\n```\n\nx\n````\n\nc", []string{"````\n```\n\nx\n````", "c"}},
		{"no fence", "```x``` y\n\nb", []string{"```x``` y", "b"}},
		{"a loose list is one block", "- a\n\n- b\n\n  more\n\nc", []string{"- a\n\n- b\n\n  more", "c"}},
		{"numbers", "1. a\n\n2. b\n\n2026 was", []string{"1. a\n\n2. b", "2026 was"}},
		{"emphasis after a list", "* a\n\n**b**", []string{"* a", "**b**"}},
		{"a rule after a list", "- a\n\n---", []string{"- a", "---"}},
		{"blank lines with spaces", "a\n  \nb", []string{"a\n  ", "b"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var p Prose
			p.Write(c.in)
			if got := p.Blocks(); strings.Join(got, "¦") != strings.Join(c.want, "¦") {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// FuzzProse holds that blocks do not depend on how a text was cut into deltas,
// and that a finished block stays as it is.
func FuzzProse(f *testing.F) {
	for _, s := range []string{"a\n\nb", "- a\n\n- b\n\nc", "```\n\n```\n\nx", "1. a\n\n10) b", "* \n\n*x", "\n \n a", "~~~\n\n~~~~\n\n~", "> a\n\n> b\n\t\nc"} {
		f.Add(s, uint64(1))
	}
	f.Fuzz(func(t *testing.T, s string, seed uint64) {
		var whole Prose
		whole.Write(s)
		want := whole.Blocks()
		r := rand.New(rand.NewPCG(seed, 2))
		var p Prose
		for rest := s; rest != ""; {
			n := 1 + r.IntN(min(len(rest), 7))
			before := append([]string(nil), p.done...)
			p.Write(rest[:n])
			rest = rest[n:]
			for i, b := range before {
				if p.done[i] != b {
					t.Fatalf("finished block %d became %q, was %q", i, p.done[i], b)
				}
			}
		}
		if got := p.Blocks(); strings.Join(got, "¦") != strings.Join(want, "¦") {
			t.Fatalf("cut into deltas: %q, whole: %q", got, want)
		}
	})
}
