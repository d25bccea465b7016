package stream

import (
	"net/http"
	"time"
)

// writer stands between the library and one connection. It keeps the write
// deadline ahead of every write, so that a client that does not read is dropped
// while a server-wide write timeout does not cut streams; and it flushes once for
// all events that are queued at that moment, where the library flushes after each.
type writer struct {
	http.ResponseWriter
	rc       *http.ResponseController
	conn     *conn
	timeout  time.Duration
	extended time.Time // when the deadline was last moved
	begun    bool      // the headers are flushed
}

func newWriter(w http.ResponseWriter, c *conn, timeout time.Duration) *writer {
	return &writer{ResponseWriter: w, rc: http.NewResponseController(w), conn: c, timeout: timeout}
}

// Write implements http.ResponseWriter. A full buffer is sent from here, so the
// deadline must not be the one of a flush long ago.
func (w *writer) Write(b []byte) (int, error) {
	w.extend()
	return w.ResponseWriter.Write(b)
}

// Flush implements http.Flusher. Errors surface as the end of the request's
// context. The library flushes the headers and then after each event.
func (w *writer) Flush() {
	if w.begun && w.conn.queued.Add(-1) > 0 {
		return // the next event's flush sends this one too
	}
	w.begun = true
	w.extend()
	_ = w.rc.Flush()
}

// extend moves the deadline, not oftener than needed: it costs a timer.
func (w *writer) extend() {
	if now := time.Now(); now.Sub(w.extended) > w.timeout/10 {
		w.extended = now
		_ = w.rc.SetWriteDeadline(now.Add(w.timeout))
	}
}
