package page_test

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// node is a part of a page as a reader's tools see it.
type node struct {
	t *testing.T
	*html.Node
}

func parse(t *testing.T, page string) node {
	t.Helper()
	n, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	return node{t, n}
}

// all gives the elements that a selector finds: names, .classes, #ids and
// [attribute] or [attribute=value], descendants by a space.
func (n node) all(selector string) []node {
	found := []node{n}
	for _, step := range strings.Fields(selector) {
		var next []node
		seen := map[*html.Node]bool{}
		for _, f := range found {
			for d := range f.Descendants() {
				if d.Type == html.ElementNode && !seen[d] && matches(d, step) {
					seen[d] = true
					next = append(next, node{n.t, d})
				}
			}
		}
		found = next
	}
	return found
}

// one gives the one element that a selector finds.
func (n node) one(selector string) node {
	n.t.Helper()
	found := n.all(selector)
	if len(found) != 1 {
		n.t.Fatalf("%q finds %d elements, want one; the page says:\n%s", selector, len(found), n.text())
	}
	return found[0]
}

// has reports whether a selector finds anything.
func (n node) has(selector string) bool { return len(n.all(selector)) > 0 }

// matches checks one element against one step of a selector.
func matches(d *html.Node, step string) bool {
	for step != "" {
		end := strings.IndexAny(step[1:], ".#[") + 1
		if step[0] == '[' {
			end = strings.IndexByte(step, ']') + 1
		}
		if end <= 0 {
			end = len(step)
		}
		part := step[:end]
		step = step[end:]
		switch part[0] {
		case '.':
			if !hasWord(attr(d, "class"), part[1:]) {
				return false
			}
		case '#':
			if attr(d, "id") != part[1:] {
				return false
			}
		case '[':
			name, value, valued := strings.Cut(strings.Trim(part, "[]"), "=")
			if got, ok := lookup(d, name); !ok || valued && got != value {
				return false
			}
		default:
			if d.Data != part {
				return false
			}
		}
	}
	return true
}

func hasWord(s, word string) bool {
	for _, w := range strings.Fields(s) {
		if w == word {
			return true
		}
	}
	return false
}

func lookup(d *html.Node, name string) (string, bool) {
	for _, a := range d.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

func attr(d *html.Node, name string) string {
	v, _ := lookup(d, name)
	return v
}

// attr gives an attribute; "" when it is absent.
func (n node) attr(name string) string { return attr(n.Node, name) }

// text is what is read, with single spaces.
func (n node) text() string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode && (d.Parent == nil || d.Parent.Data != "script") {
			b.WriteString(d.Data + " ")
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// says fails unless the text holds every one of the words.
func (n node) says(words ...string) {
	n.t.Helper()
	text := n.text()
	for _, w := range words {
		if !strings.Contains(text, w) {
			n.t.Errorf("the page does not say %q:\n%s", w, text)
		}
	}
}

// silent fails if the text holds one of the words.
func (n node) silent(words ...string) {
	n.t.Helper()
	text := n.text()
	for _, w := range words {
		if strings.Contains(text, w) {
			n.t.Errorf("the page says %q:\n%s", w, text)
		}
	}
}
