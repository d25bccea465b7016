package views

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"assent/internal/assent"
)

// long is a conversation of many turns with long answers.
func long(turns int) []assent.LoggedEvent {
	t := newTape()
	answer := strings.Repeat("A paragraph of the answer with **some** words and a [link](https://example.org).\n\n", 12) + "```go\nfunc f(x int) int { return x + 1 }\n```\n\n- one\n- two\n"
	for i := range turns {
		t.in(fmt.Sprint("t", i)).log(assent.MessageEvent{MessageID: fmt.Sprint("m", i), Role: assent.RoleUser, Content: "And then?"}).begins()
		t.calls("c", "search", "Search", `{"query":"x"}`, "Found 2 matches", `{"artifact":{}}`, 3)
		t.says(answer).ends(answer, assent.TurnCompleted)
	}
	return t.events
}

func BenchmarkFold(b *testing.B) {
	events := long(100)
	b.ReportMetric(float64(len(events)), "events")
	for b.Loop() {
		fold(events)
	}
}

func BenchmarkPage(b *testing.B) {
	c := fold(long(100))
	p := ChatPage{Shell: Shell{Person: assent.Person{TimeZone: "Europe/London"}}, Chat: c, Composer: Composer{Session: "s1"}}
	for b.Loop() {
		if err := ChatView(p).Render(context.Background(), io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkDelta is the cost of one delta on a live connection.
func BenchmarkDelta(b *testing.B) {
	c := fold(long(100))
	r := testReader()
	t := newTape().in("t99x").begins()
	seq := c.Seq
	apply := func(ev assent.LoggedEvent) {
		seq++
		ev.Seq = seq
		for _, id := range c.Apply(ev) {
			if err := c.Element(id, r).Render(context.Background(), io.Discard); err != nil {
				b.Fatal(err)
			}
		}
	}
	for _, ev := range t.events {
		apply(ev)
	}
	delta := newTape().in("t99x").says("Some words of a sentence.\n\n").events
	for b.Loop() {
		for _, ev := range delta {
			apply(ev)
		}
	}
}
