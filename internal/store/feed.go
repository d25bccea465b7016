package store

import (
	"context"
	"sync"

	"assent/db/sqlc"
	"assent/internal/assent"
)

// tailLength is how many of a session's newest events are kept in memory while
// somebody watches, so that followers do not read back what was just written.
const tailLength = 128

// feeds knows who watches which session.
type feeds struct {
	mu   sync.Mutex
	byID map[string]*feed
}

type feed struct {
	bells map[chan struct{}]struct{}
	tail  []assent.LoggedEvent
}

func newFeeds() *feeds { return &feeds{byID: map[string]*feed{}} }

// Watch gives a bell that rings when the session's log has grown or something
// about the session has changed; once the session is deleted it is closed.
// cancel must be called.
func (s *Store) Watch(sessionID string) (bell <-chan struct{}, cancel func()) {
	return s.feeds.watch(sessionID)
}

func (f *feeds) watch(id string) (<-chan struct{}, func()) {
	b := make(chan struct{}, 1)
	f.mu.Lock()
	defer f.mu.Unlock()
	fd := f.byID[id]
	if fd == nil {
		fd = &feed{bells: map[chan struct{}]struct{}{}}
		f.byID[id] = fd
	}
	fd.bells[b] = struct{}{}
	return b, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(fd.bells, b)
		if len(fd.bells) == 0 && f.byID[id] == fd {
			delete(f.byID, id)
		}
	}
}

// publish keeps committed events for followers and rings the bells.
func (f *feeds) publish(events []assent.LoggedEvent) {
	if len(events) == 0 {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, ev := range events {
		fd := f.byID[ev.SessionID]
		if fd == nil {
			continue
		}
		if len(fd.tail) >= 2*tailLength {
			fd.tail = append(fd.tail[:0], fd.tail[tailLength:]...)
		}
		fd.tail = append(fd.tail, ev)
		if i+1 == len(events) || events[i+1].SessionID != ev.SessionID {
			fd.ring()
		}
	}
}

// end closes the bells of a session that is no more.
func (f *feeds) end(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if fd := f.byID[id]; fd != nil {
		for b := range fd.bells {
			close(b)
		}
		delete(f.byID, id)
	}
}

func (fd *feed) ring() {
	for b := range fd.bells {
		select {
		case b <- struct{}{}:
		default:
		}
	}
}

// recent gives events after a position from memory; ok is false if memory does
// not reach back that far.
func (f *feeds) recent(id string, after int64, limit int) (out []assent.LoggedEvent, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	fd := f.byID[id]
	if fd == nil || len(fd.tail) == 0 || fd.tail[0].Seq > after+1 {
		return nil, false
	}
	from := int(after + 1 - fd.tail[0].Seq)
	if from >= len(fd.tail) {
		return nil, true
	}
	rest := fd.tail[from:]
	return append(out, rest[:min(limit, len(rest))]...), true
}

// Events gives up to limit events of a session after a position, in order.
func (s *Store) Events(ctx context.Context, sessionID string, after int64, limit int) ([]assent.LoggedEvent, error) {
	if out, ok := s.feeds.recent(sessionID, after, limit); ok {
		return out, nil
	}
	rows, err := s.q.ListEvents(context.WithoutCancel(ctx), sqlc.ListEventsParams{SessionID: sessionID, After: after, RowLimit: int64(limit)})
	if err != nil {
		return nil, err
	}
	out := make([]assent.LoggedEvent, len(rows))
	for i, r := range rows {
		out[i] = loggedEvent(r.SessionID, r.Seq, r.TurnID, r.Type, r.At, r.Data)
	}
	return out, nil
}

func loggedEvent(session string, seq int64, turn, typ string, at int64, data string) assent.LoggedEvent {
	return assent.LoggedEvent{SessionID: session, Seq: seq, TurnID: turn, Type: typ, At: assent.Time(at), Data: []byte(data)}
}

// FirstEvent is the lowest seq still kept of a session; 0 if none is.
func (r Reads) FirstEvent(ctx context.Context, sessionID string) (int64, error) {
	return r.q.FirstSeq(context.WithoutCancel(ctx), sessionID)
}

// TurnEvents gives the events of one turn still kept, in order.
func (r Reads) TurnEvents(ctx context.Context, sessionID, turnID string) ([]assent.LoggedEvent, error) {
	rows, err := r.q.ListTurnEvents(context.WithoutCancel(ctx), sqlc.ListTurnEventsParams{SessionID: sessionID, TurnID: turnID})
	if err != nil {
		return nil, err
	}
	out := make([]assent.LoggedEvent, len(rows))
	for i, e := range rows {
		out[i] = loggedEvent(e.SessionID, e.Seq, e.TurnID, e.Type, e.At, e.Data)
	}
	return out, nil
}
