package views

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"assent/internal/assent"

	"golang.org/x/net/html"
)

func testReader() Reader { return ReaderOf(assent.Person{TimeZone: "Europe/London", Locale: "en-GB"}) }

func fold(events []assent.LoggedEvent) *Chat {
	c := NewChat(assent.Session{ID: "s1", Title: "Office move to Leith"})
	for _, ev := range events {
		c.Apply(ev)
	}
	return c
}

// pageOf renders what the stream is about: transcript and the parts around it.
func pageOf(t *testing.T, c *Chat) *html.Node {
	t.Helper()
	var b bytes.Buffer
	p := ChatPage{Shell: Shell{Person: assent.Person{TimeZone: "Europe/London"}}, Chat: c, Composer: Composer{Session: "s1"}}
	if err := ChatView(p).Render(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	doc, err := html.Parse(&b)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func each(n *html.Node, visit func(*html.Node)) {
	visit(n)
	for ch := n.FirstChild; ch != nil; ch = ch.NextSibling {
		each(ch, visit)
	}
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func byID(root *html.Node, id string) (out *html.Node) {
	each(root, func(n *html.Node) {
		if n.Type == html.ElementNode && attr(n, "id") == id {
			out = n
		}
	})
	return out
}

// apply does to a document what the page's script does with a fragment: each
// element replaces the one with its id, or goes into its list in order.
func apply(t *testing.T, doc *html.Node, fragment string) {
	t.Helper()
	body := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: 0x2804}
	nodes, err := html.ParseFragment(strings.NewReader(fragment), body)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range nodes {
		if n.Type != html.ElementNode {
			continue
		}
		id := attr(n, "id")
		if old := byID(doc, id); old != nil {
			old.Parent.InsertBefore(n, old)
			old.Parent.RemoveChild(old)
			continue
		}
		list := byID(doc, attr(n, "data-in"))
		if list == nil {
			t.Fatalf("%s has no list %q to go into", id, attr(n, "data-in"))
		}
		list.InsertBefore(n, after(list, orderOf(n)))
	}
}

// after is the first child of list that stands behind order.
func after(list *html.Node, order int64) *html.Node {
	for ch := list.FirstChild; ch != nil; ch = ch.NextSibling {
		if ch.Type == html.ElementNode && orderOf(ch) > order {
			return ch
		}
	}
	return nil
}

func orderOf(n *html.Node) int64 {
	i, _ := strconv.ParseInt(attr(n, "data-n"), 10, 64)
	return i
}

// normal is a document as text: attributes sorted, white space folded, and
// without the position of the stream, which alone depends on S.
func normal(n *html.Node) string {
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		switch n.Type {
		case html.TextNode:
			if s := strings.Join(strings.Fields(n.Data), " "); s != "" {
				b.WriteString(s + "\n")
			}
			return
		case html.ElementNode:
			if attr(n, "class") == "stream" || attr(n, "name") == "seen_seq" {
				return
			}
			var attrs []string
			for _, a := range n.Attr {
				attrs = append(attrs, a.Key+"="+a.Val)
			}
			slices.Sort(attrs)
			b.WriteString("<" + n.Data + " " + strings.Join(attrs, " ") + ">\n")
		}
		for ch := n.FirstChild; ch != nil; ch = ch.NextSibling {
			walk(ch)
		}
	}
	walk(n)
	return b.String()
}

// live applies events to a chat and its document one by one, in batches of up
// to hold events as a throttled connection would.
func live(t *testing.T, c *Chat, doc *html.Node, events []assent.LoggedEvent, hold func() int) {
	t.Helper()
	for len(events) > 0 {
		n := min(max(hold(), 1), len(events))
		var ids []string
		for _, ev := range events[:n] {
			for _, id := range c.Apply(ev) {
				if !slices.Contains(ids, id) {
					ids = append(ids, id)
				}
			}
		}
		events = events[n:]
		fragment := rendered(t, c, ids)
		apply(t, doc, fragment)
		apply(t, doc, fragment) // a repeated fragment is harmless
	}
}

func rendered(t *testing.T, c *Chat, ids []string) string {
	t.Helper()
	var b bytes.Buffer
	for _, id := range ids {
		el := c.Element(id, testReader())
		if el == nil {
			t.Fatalf("there is no element %q", id)
		}
		if err := el.Render(context.Background(), &b); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

func diffLine(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			from := max(i-6, 0)
			return fmt.Sprintf("line %d:\nlive:   %s\nreload: %s\nbefore: %s", i, x[i], y[i], strings.Join(x[from:i], " "))
		}
	}
	return fmt.Sprintf("lengths %d and %d", len(x), len(y))
}

func TestLiveViewAndReloadAreTheSame(t *testing.T) {
	t.Parallel()
	for name, tp := range scripts() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for from := 0; from <= len(tp.events); from += 3 {
				c := fold(tp.events[:from])
				doc := pageOf(t, c)
				live(t, c, doc, tp.events[from:], func() int { return 1 })
				if got, want := normal(doc), normal(pageOf(t, fold(tp.events))); got != want {
					t.Fatalf("from %d: %s", from, diffLine(got, want))
				}
			}
		})
	}
}

// TestAnyOrderIsTheSame lets events of several turns fall as they may: the
// fold must not depend on what the planner happens to do today.
func TestAnyOrderIsTheSame(t *testing.T) {
	t.Parallel()
	var pool []assent.LoggedEvent
	for _, name := range []string{"finished", "rounds", "taken-back", "troubled", "interrupted", "partly", "back", "carried"} {
		pool = append(pool, scripts()[name].events...)
	}
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 7))
		events := make([]assent.LoggedEvent, 120)
		for i := range events {
			events[i] = pool[r.IntN(len(pool))]
			events[i].Seq = int64(i + 1)
		}
		from := r.IntN(60)
		c := fold(events[:from])
		doc := pageOf(t, c)
		live(t, c, doc, events[from:], func() int { return r.IntN(5) })
		if got, want := normal(doc), normal(pageOf(t, fold(events))); got != want {
			t.Fatalf("seed %d: %s", seed, diffLine(got, want))
		}
	}
}

func TestEveryEventHasAFragment(t *testing.T) {
	t.Parallel()
	for _, e := range assent.Events() {
		t.Run(e.EventType(), func(t *testing.T) {
			t.Parallel()
			c := fold(drafted().events)
			ev := newTape().in("t9").log(e).events[0]
			ev.Seq = c.Seq + 1
			ids := c.Apply(ev)
			if e.EventType() == "reading" {
				return // of a message that nobody sent
			}
			if len(rendered(t, c, ids)) == 0 {
				t.Error("nothing to show")
			}
		})
	}
}

// TestTextRendersOnlyTheOpenBlock holds that a delta costs one block, however
// long the answer is.
func TestTextRendersOnlyTheOpenBlock(t *testing.T) {
	t.Parallel()
	tp := newTape().in("t1").begins().says(strings.Repeat("A finished paragraph.\n\n", 40)).says("and ").log(assent.Text{Delta: "more"})
	c := fold(tp.events[:len(tp.events)-1])
	ids := c.Apply(tp.events[len(tp.events)-1])
	if len(ids) != 1 || !strings.HasSuffix(ids[0], "-40") {
		t.Fatalf("changed: %v", ids)
	}
}

func TestIDsAreUnique(t *testing.T) {
	t.Parallel()
	for name, tp := range scripts() {
		seen := map[string]bool{}
		each(pageOf(t, fold(tp.events)), func(n *html.Node) {
			id := attr(n, "id")
			if id != "" && seen[id] {
				t.Errorf("%s: the id %q stands twice", name, id)
			}
			seen[id] = true
		})
	}
}
