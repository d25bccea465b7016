package web

import (
	"bytes"
	"context"
	"slices"
	"time"

	"assent/internal/assent"
	"assent/views"

	"github.com/a-h/templ"
)

const (
	// openBlock is how often the open Markdown block is rendered anew.
	openBlock = 100 * time.Millisecond
	// lookAround is how often an idle stream looks for what waits elsewhere.
	lookAround = 10 * time.Second
)

// Around is what a page shows beside the conversation itself and what may
// change without an event of this conversation.
type Around struct {
	Title string
	Shell views.Shell // of which the lists of the side bar are shown
}

// Fragments renders a session's events as the HTML that changed, element by
// element. Each replaces the element with its id or takes its place in its
// list, so a repeated one is harmless. It is a stream.Renderer: it belongs to
// one connection and is called by one goroutine.
type Fragments struct {
	chat   *views.Chat
	reader views.Reader
	clock  assent.Clock
	around func(ctx context.Context) (Around, error)

	held   []string  // ids of blocks that wait for their turn
	sent   time.Time // when a block was last sent
	looked time.Time
	before []byte // what stands beside, as it was last sent
}

// NewFragments makes the renderer of a connection. chat is folded to the
// connection's position and belongs to the renderer from now on; around loads
// what stands beside it.
func NewFragments(chat *views.Chat, r views.Reader, clock assent.Clock, around func(ctx context.Context) (Around, error)) *Fragments {
	return &Fragments{chat: chat, reader: r, clock: clock, around: around, looked: clock()}
}

// Render implements stream.Renderer. Text waits until the open block is due;
// everything else is sent at once, with what was held back before it.
func (f *Fragments) Render(ctx context.Context, ev assent.LoggedEvent) ([]byte, error) {
	ids := f.chat.Apply(ev)
	for _, id := range ids {
		if !slices.Contains(f.held, id) {
			f.held = append(f.held, id)
		}
	}
	if ev.Type == (assent.Text{}).EventType() && f.clock().Sub(f.sent) < openBlock {
		return nil, nil
	}
	out, err := f.send(ctx)
	if err != nil || !movesQueue(ev.Type) {
		return out, err
	}
	beside, err := f.beside(ctx)
	return append(out, beside...), err
}

// movesQueue reports whether an event may change what waits for the person, the
// lists of the side bar, or the conversation's title.
func movesQueue(event string) bool {
	switch event {
	case "plan_ready_for_review", "plan_state", "run_state", "done", "message":
		return true
	}
	return false
}

// Held implements stream.Renderer.
func (f *Fragments) Held() time.Duration {
	now := f.clock()
	if len(f.held) > 0 {
		return max(openBlock-now.Sub(f.sent), time.Millisecond)
	}
	return max(lookAround-now.Sub(f.looked), time.Millisecond)
}

// Flush implements stream.Renderer.
func (f *Fragments) Flush(ctx context.Context) ([]byte, error) {
	out, err := f.send(ctx)
	if err != nil || f.clock().Sub(f.looked) < lookAround {
		return out, err
	}
	beside, err := f.beside(ctx)
	return append(out, beside...), err
}

// send renders what is held.
func (f *Fragments) send(ctx context.Context) ([]byte, error) {
	var b bytes.Buffer
	for _, id := range f.held {
		if el := f.chat.Element(id, f.reader); el != nil {
			if err := el.Render(ctx, &b); err != nil {
				return nil, err
			}
		}
	}
	if len(f.held) > 0 {
		f.held, f.sent = f.held[:0], f.clock()
	}
	return b.Bytes(), nil
}

// beside renders the side bar's lists and the title if they have changed.
func (f *Fragments) beside(ctx context.Context) ([]byte, error) {
	f.looked = f.clock()
	a, err := f.around(ctx)
	if err != nil {
		return nil, err
	}
	f.chat.Session.Title = a.Title
	var b bytes.Buffer
	for _, el := range []templ.Component{views.ChatTitle(f.chat), views.SideLists(a.Shell)} {
		if err := el.Render(ctx, &b); err != nil {
			return nil, err
		}
	}
	if bytes.Equal(b.Bytes(), f.before) {
		return nil, nil
	}
	f.before = b.Bytes()
	return f.before, nil
}
