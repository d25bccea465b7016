package stream

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"assent/internal/assent"

	"github.com/r3labs/sse/v2"
)

// Log is where events come from; *store.Store is one. Watch gives a bell that
// rings after each commit that added events to the session, and is closed when
// the session is deleted, which ends its feeds.
type Log interface {
	Events(ctx context.Context, sessionID string, after int64, limit int) ([]assent.LoggedEvent, error)
	FirstEvent(ctx context.Context, sessionID string) (int64, error)
	CountOpenTurns(ctx context.Context, sessionID string) (int64, error)
	Watch(sessionID string) (bell <-chan struct{}, cancel func())
}

// Renderer turns logged events into what a connection shows. It belongs to one
// connection and is called by one goroutine.
type Renderer interface {
	// Render gives the bytes to send for ev, nil for nothing now.
	Render(ctx context.Context, ev assent.LoggedEvent) ([]byte, error)
	// Held is how long until Flush has something to send; 0: nothing is held back.
	Held() time.Duration
	// Flush gives what was held back, nil for nothing.
	Flush(ctx context.Context) ([]byte, error)
}

// Open authorises a connection and says what it wants. It is called once the
// session's bell hangs: an event that is not in LastSeq yet will ring it.
type Open func(ctx context.Context) (Feed, error)

// Feed is what one connection wants.
type Feed struct {
	LastSeq   int64 // the session's, as read when its owner was checked
	After     int64 // send everything with a greater seq
	UntilDone bool  // end once everything stored is sent and no turn is queued or running
	Renderer  Renderer
	// Still is asked at each heartbeat whether the reader may go on reading; nil: always.
	Still func(ctx context.Context) bool

	sessionID string
}

// Options tune a Hub; zero values give the defaults.
type Options struct {
	Heartbeat    time.Duration // 15 s
	WriteTimeout time.Duration // 10 s: a client that does not read for so long is dropped
}

// Hub serves feeds. Each connection has a private r3labs stream: the library is
// the writer, the log is the truth.
type Hub struct {
	log    Log
	opts   Options
	server *sse.Server
	mu     sync.Mutex
	conns  map[string]*conn
	closed bool
	bgDone context.Context
	stop   context.CancelFunc
}

type conn struct {
	id     string
	feed   Feed
	ctx    context.Context
	cancel context.CancelFunc
	bell   <-chan struct{}
	ended  chan struct{} // closed when the pump has ended
	queued atomic.Int64  // published events that are not flushed yet
}

// NewHub makes a hub over a log.
func NewHub(log Log, o Options) *Hub {
	if o.Heartbeat == 0 {
		o.Heartbeat = 15 * time.Second
	}
	if o.WriteTimeout == 0 {
		o.WriteTimeout = 10 * time.Second
	}
	h := &Hub{log: log, opts: o, conns: map[string]*conn{}}
	h.bgDone, h.stop = context.WithCancel(context.Background())
	h.server = sse.New()
	h.server.AutoReplay = false // it would renumber the ids
	h.server.SplitData = true
	h.server.BufferSize = 16
	h.server.Headers = map[string]string{"X-Accel-Buffering": "no"}
	h.server.OnSubscribe, h.server.OnUnsubscribe = h.subscribed, h.unsubscribed
	return h
}

// Serve sends a session's feed until the client goes, the feed ends or the hub
// closes. It blocks for the connection's life; an error of open is returned
// before anything is sent.
func (h *Hub) Serve(w http.ResponseWriter, r *http.Request, sessionID string, open Open) error {
	bell, unwatch := h.log.Watch(sessionID)
	defer unwatch()
	f, err := open(r.Context())
	if err != nil {
		return err
	}
	f.sessionID = sessionID
	after, reset, err := h.position(r.Context(), f)
	if err != nil {
		return err
	}
	f.After = after
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(h.bgDone, cancel)()
	c := &conn{id: rand.Text(), feed: f, ctx: ctx, cancel: cancel, bell: bell, ended: make(chan struct{})}
	if reset >= 0 {
		c.feed.Renderer = resetter{seq: reset}
	}
	if !h.add(c) {
		return assent.Errorf(assent.CodeUnavailable, "The server is shutting down.")
	}
	h.server.CreateStream(c.id)
	inner := r.WithContext(ctx)
	inner.URL = &url.URL{RawQuery: "stream=" + c.id}
	inner.Header = http.Header{} // the library would take Last-Event-ID for a position of its own
	h.server.ServeHTTP(newWriter(w, c, h.opts.WriteTimeout), inner)
	cancel()
	return nil
}

// position checks what the client asks for against what is kept. reset ≥ 0: the
// position is gone, tell the client and end.
func (h *Hub) position(ctx context.Context, f Feed) (after, reset int64, err error) {
	if f.After < 0 {
		f.After = 0
	}
	if f.After > f.LastSeq {
		return 0, f.LastSeq, nil
	}
	if f.After == f.LastSeq {
		return f.After, -1, nil
	}
	first, err := h.log.FirstEvent(ctx, f.sessionID)
	if err != nil {
		return 0, -1, err
	}
	if first == 0 || f.After < first-1 {
		return 0, f.LastSeq, nil
	}
	return f.After, -1, nil
}

// After reads the position a client asks for: ?after= and Last-Event-ID, the
// larger of the two. ok is false when one is no number.
func After(r *http.Request) (after int64, ok bool) {
	for _, s := range []string{r.URL.Query().Get("after"), r.Header.Get("Last-Event-ID")} {
		if s == "" {
			continue
		}
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil || n < 0 {
			return 0, false
		}
		after = max(after, n)
	}
	return after, true
}

func (h *Hub) add(c *conn) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return false
	}
	h.conns[c.id] = c
	return true
}

// subscribed runs in a goroutine of its own once r3labs has registered the
// subscriber; what is published earlier would be lost.
func (h *Hub) subscribed(id string, _ *sse.Subscriber) {
	c := h.find(id)
	defer close(c.ended)
	if err := h.pump(c); err != nil && c.ctx.Err() == nil {
		slog.Error("event stream", "session", c.feed.sessionID, "error", err)
	}
	// An event without data and comment makes ServeHTTP return; nothing may be
	// published after it.
	h.server.Publish(id, &sse.Event{})
}

// unsubscribed is the only safe moment to remove a stream: with a subscriber
// connected r3labs would leak its goroutine. The pump ends first, so it never
// publishes to a stream that is gone.
func (h *Hub) unsubscribed(id string, _ *sse.Subscriber) {
	c := h.find(id)
	c.cancel()
	<-c.ended
	h.server.RemoveStream(id)
	h.mu.Lock()
	delete(h.conns, id)
	h.mu.Unlock()
}

func (h *Hub) find(id string) *conn {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.conns[id]
}

// Close ends every connection and refuses new ones; it does not wait.
func (h *Hub) Close() {
	h.mu.Lock()
	h.closed = true
	h.mu.Unlock()
	h.stop()
}

// Connections is how many feeds are open; for metrics and tests.
func (h *Hub) Connections() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.conns)
}
