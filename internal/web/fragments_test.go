package web

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"assent/internal/assent"
	"assent/internal/stream"
	"assent/views"
)

var _ stream.Renderer = (*Fragments)(nil)

// bench is a renderer with a clock that stands still until it is moved.
type bench struct {
	*Fragments
	now    time.Time
	seq    int64
	around Around
}

func newBench() *bench {
	b := &bench{now: time.UnixMilli(1795269600000)}
	b.Fragments = NewFragments(views.NewChat(assent.Session{ID: "s1"}), views.ReaderOf(assent.Person{}),
		func() time.Time { return b.now }, func(context.Context) (Around, error) { return b.around, nil })
	return b
}

func (b *bench) emit(t *testing.T, ev assent.Event) string {
	t.Helper()
	data, err := json.Marshal(ev)
	if err != nil {
		t.Fatal(err)
	}
	b.seq++
	out, err := b.Render(t.Context(), assent.LoggedEvent{SessionID: "s1", Seq: b.seq, TurnID: "t1", Type: ev.EventType(), Data: data})
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func (b *bench) flush(t *testing.T) string {
	t.Helper()
	out, err := b.Flush(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestTextIsRenderedAtMostEveryTenthOfASecond(t *testing.T) {
	t.Parallel()
	b := newBench()
	if got := b.emit(t, assent.Text{Delta: "One"}); !strings.Contains(got, "One") {
		t.Fatalf("the first words wait: %q", got)
	}
	b.now = b.now.Add(40 * time.Millisecond)
	if got := b.emit(t, assent.Text{Delta: " two"}); got != "" {
		t.Fatalf("sent too early: %q", got)
	}
	if d := b.Held(); d != 60*time.Millisecond {
		t.Fatalf("held for %v", d)
	}
	b.now = b.now.Add(60 * time.Millisecond)
	if got := b.flush(t); !strings.Contains(got, "One two") || strings.Contains(got, "<section") {
		t.Fatalf("flushed %q", got)
	}
	b.now = b.now.Add(time.Second)
	if got := b.emit(t, assent.Text{Delta: " three"}); !strings.Contains(got, "One two three") {
		t.Fatalf("late words wait: %q", got)
	}
}

func TestWhatIsHeldGoesOutBeforeWhatFollows(t *testing.T) {
	t.Parallel()
	b := newBench()
	b.emit(t, assent.Text{Delta: "One"})
	b.emit(t, assent.Text{Delta: " two\n\nNext"})
	got := b.emit(t, assent.ToolCallEvent{CallID: "c", Tool: "search"})
	two, next, call := strings.Index(got, "One two"), strings.Index(got, "Next"), strings.Index(got, "search")
	if two < 0 || next < two || call < next {
		t.Fatalf("order %d %d %d in %s", two, next, call, got)
	}
	if b.Held() != lookAround {
		t.Fatalf("something is still held: %v", b.Held())
	}
}

func TestQueueIsSentWhenItChangesOnly(t *testing.T) {
	t.Parallel()
	b := newBench()
	if got := b.emit(t, assent.Done{Status: assent.TurnCompleted}); !strings.Contains(got, `id="lists"`) {
		t.Fatalf("no queue in %q", got)
	}
	b.now = b.now.Add(lookAround)
	if got := b.flush(t); got != "" {
		t.Fatalf("sent again: %q", got)
	}
	b.around = Around{Title: "Move", Shell: views.Shell{WaitingCount: 1, Waiting: []assent.Session{{ID: "s2", Title: "Elsewhere", Waiting: 1}}}}
	b.now = b.now.Add(lookAround)
	if got := b.flush(t); !strings.Contains(got, "Elsewhere") || !strings.Contains(got, `data-count="1"`) || !strings.Contains(got, "Move") {
		t.Fatalf("got %q", got)
	}
}

func TestARepeatedEventChangesNothing(t *testing.T) {
	t.Parallel()
	b := newBench()
	b.emit(t, assent.Warning{Message: "Mind the gap"})
	b.seq--
	if got := b.emit(t, assent.Warning{Message: "Mind the gap"}); got != "" {
		t.Fatalf("got %q", got)
	}
}
