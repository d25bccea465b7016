package gemini

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"

	"assent/internal/llm/internal/provider"
)

// received is what the transport saw of one response. The SDK does not tell, or
// tells the standard logger.
type received struct {
	header http.Header
	status int
	err    error // why the body broke off; nil at its clean end
	last   bool  // nothing follows the event that was given last
}

// body is a response as the SDK can read it: each event as one line of data. The
// SDK takes comments, other fields and lines within an event for errors, and
// logs a body that breaks off; here it ends cleanly, and received has the truth.
type body struct {
	src    io.ReadCloser
	rec    *received
	events *provider.EventReader // nil before the first Read and after the end
	frame  []byte
	left   []byte // of frame
	ended  bool
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	for len(b.left) == 0 {
		if b.ended {
			return 0, io.EOF
		}
		if err := b.fill(); err != nil {
			b.end(err)
		}
	}
	n := copy(p, b.left)
	b.left = b.left[n:]
	return n, nil
}

// fill gets the next event. The first byte tells a stream from one JSON body.
func (b *body) fill() error {
	if b.events == nil {
		first, err := provider.FirstByte(b.src)
		if err != nil {
			return err
		}
		src := io.MultiReader(bytes.NewReader(first), b.src)
		if first[0] == '{' || first[0] == '[' {
			return b.whole(src)
		}
		b.events = provider.NewEventReader(src)
	}
	data, err := b.events.Next()
	if err != nil {
		return err
	}
	b.rec.last = b.events.Ended()
	if string(bytes.TrimSpace(data)) != "[DONE]" { // as gateways for many APIs say
		b.give(data)
	}
	return nil
}

// whole takes an answer that did not stream: one chunk, or a list of them.
func (b *body) whole(src io.Reader) error {
	data, err := provider.ReadJSON(src)
	if err != nil {
		return err
	}
	var list []json.RawMessage
	if data[0] != '[' || json.Unmarshal(data, &list) != nil {
		list = []json.RawMessage{data}
	}
	for _, one := range list {
		b.give(one)
	}
	b.rec.last = true
	return io.EOF
}

// give adds an event to what the SDK reads next.
func (b *body) give(data []byte) {
	if len(b.left) == 0 {
		b.frame = b.frame[:0]
	}
	b.frame = append(b.frame, "data: "...)
	from := len(b.frame)
	b.frame = append(b.frame, data...)
	for i := from; i < len(b.frame); i++ {
		if b.frame[i] == '\n' || b.frame[i] == '\r' { // between tokens of JSON
			b.frame[i] = ' '
		}
	}
	b.frame = append(b.frame, "\n\n"...)
	b.left = b.frame
}

func (b *body) end(err error) {
	b.ended = true
	if err != io.EOF {
		b.rec.err = err
	}
	b.free()
}

func (b *body) free() {
	if b.events != nil {
		b.events.Free()
		b.events = nil
	}
}

// Close implements io.Closer; the SDK would log an error.
func (b *body) Close() error {
	_ = b.src.Close() // the answer is read, or given up
	b.ended = true
	b.free()
	return nil
}
