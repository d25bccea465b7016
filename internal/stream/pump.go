package stream

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"assent/internal/assent"

	"github.com/r3labs/sse/v2"
)

// pageSize is how many events are read from the log at once.
const pageSize = 256

// pump feeds one connection: read a page, send it, wait for the bell. It ends
// with the connection, with an UntilDone feed, or after a reset.
func (h *Hub) pump(c *conn) error {
	if r, ok := c.feed.Renderer.(resetter); ok {
		data, err := r.data()
		h.send(c, r.seq, assent.Reset{}.EventType(), data)
		return err
	}
	heartbeat := time.NewTicker(h.opts.Heartbeat)
	defer heartbeat.Stop()
	for behind := c.feed.After < c.feed.LastSeq; ; behind = true {
		for behind {
			var err error
			if behind, err = h.page(c); err != nil {
				return err
			}
		}
		if over, err := h.over(c); over || err != nil {
			return err
		}
		if err := h.wait(c, heartbeat.C); err != nil {
			return err
		}
		if c.ctx.Err() != nil {
			return nil
		}
	}
}

// page sends the next page; more is true if there was anything.
func (h *Hub) page(c *conn) (more bool, err error) {
	events, err := h.log.Events(c.ctx, c.feed.sessionID, c.feed.After, pageSize)
	if err != nil {
		return false, err
	}
	for _, ev := range events {
		data, err := c.feed.Renderer.Render(c.ctx, ev)
		if err != nil {
			return false, err
		}
		c.feed.After = ev.Seq
		h.send(c, ev.Seq, ev.Type, data)
		if c.ctx.Err() != nil {
			return false, nil
		}
	}
	return len(events) > 0, nil
}

// over reports whether an UntilDone feed has come to its end. Events are looked
// for once more after the count, so that a done in between is not lost.
func (h *Hub) over(c *conn) (bool, error) {
	if !c.feed.UntilDone {
		return false, nil
	}
	open, err := h.log.CountOpenTurns(c.ctx, c.feed.sessionID)
	if err != nil || open > 0 {
		return false, err
	}
	for {
		more, err := h.page(c)
		if err != nil {
			return false, err
		}
		if !more {
			return true, h.flush(c)
		}
	}
}

// wait blocks until there may be something to do, sending what was held back
// and heartbeats meanwhile.
func (h *Hub) wait(c *conn, heartbeat <-chan time.Time) error {
	var held <-chan time.Time
	if d := c.feed.Renderer.Held(); d > 0 {
		t := time.NewTimer(d)
		defer t.Stop()
		held = t.C
	}
	for {
		select {
		case <-c.ctx.Done():
			return nil
		case _, there := <-c.bell:
			if !there { // the session is deleted
				c.cancel()
			}
			return nil
		case <-held:
			return h.flush(c)
		case <-heartbeat:
			if c.feed.Still != nil && !c.feed.Still(c.ctx) {
				c.cancel()
				return nil
			}
			h.publish(c, &sse.Event{Comment: []byte("hb")})
		}
	}
}

func (h *Hub) flush(c *conn) error {
	data, err := c.feed.Renderer.Flush(c.ctx)
	if err == nil {
		h.send(c, c.feed.After, assent.Text{}.EventType(), data)
	}
	return err
}

// send hands one frame to the connection's writer; empty data is not sent,
// since it would end the connection.
func (h *Hub) send(c *conn, seq int64, event string, data []byte) {
	if len(data) == 0 || c.ctx.Err() != nil {
		return
	}
	h.publish(c, &sse.Event{ID: strconv.AppendInt(nil, seq, 10), Event: []byte(event), Data: stripCR(data)})
}

// publish hands the library an event that it will write and flush.
func (h *Hub) publish(c *conn, ev *sse.Event) {
	c.queued.Add(1)
	h.server.Publish(c.id, ev)
}

// stripCR drops carriage returns: to a browser each one would end the line, and
// what follows could pose as a field of the frame.
func stripCR(b []byte) []byte {
	for i, x := range b {
		if x == '\r' {
			out := append([]byte(nil), b[:i]...)
			for _, y := range b[i:] {
				if y != '\r' {
					out = append(out, y)
				}
			}
			return out
		}
	}
	return b
}

// JSON renders events as the API promises them: the stored object as it is.
type JSON struct{}

// Render implements Renderer.
func (JSON) Render(_ context.Context, ev assent.LoggedEvent) ([]byte, error) { return ev.Data, nil }

// Held implements Renderer.
func (JSON) Held() time.Duration { return 0 }

// Flush implements Renderer.
func (JSON) Flush(context.Context) ([]byte, error) { return nil, nil }

// resetter stands in for a feed's renderer when its position is gone.
type resetter struct {
	JSON
	seq int64
}

func (r resetter) data() ([]byte, error) {
	return json.Marshal(struct {
		Seq  int64  `json:"seq"`
		Type string `json:"type"`
		assent.Reset
	}{r.seq, assent.Reset{}.EventType(), assent.Reset{LastSeq: r.seq}})
}
