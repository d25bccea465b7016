package provider

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"sync"
)

// MaxEvent bounds one event of a stream, and a whole answer that did not
// stream: what is larger is no answer of a model.
const MaxEvent = 16 << 20

const firstBuffer = 4 << 10

// ErrEventTooLarge ends a stream whose event goes beyond MaxEvent.
var ErrEventTooLarge = errors.New("an event of the stream is larger than 16 MB")

// ErrNoStream ends what is neither a stream of events nor JSON.
var ErrNoStream = errors.New("the address answers with something else than a stream or JSON")

// buffers are reused between calls, because a stream of small chunks otherwise
// costs more memory than its text.
var buffers = sync.Pool{New: func() any { b := make([]byte, firstBuffer); return &b }}

// EventReader splits a stream into server-sent events and gives their data. It
// takes \n, \r\n and \r as ends of lines, joins the data lines of an event,
// skips comments and other fields, and takes a line that begins with "{" for
// data: some servers send their errors like that. Not safe for concurrent use.
type EventReader struct {
	src  io.Reader
	pool *[]byte
	buf  []byte
	// buf[at:end] is what has been read and not consumed. pos is where the
	// current line starts and seen how far it was searched, both counted from at.
	at, end, pos, seen int
	skipLF             bool // the last line ended in \r, perhaps of a \r\n
	started            bool
	err                error // of src
	joined             []byte
	events, strange    bool // an event came; a line came that no stream of events has
}

// NewEventReader makes a reader whose Free must be called at the end.
func NewEventReader(src io.Reader) *EventReader {
	pooled := buffers.Get().(*[]byte)
	return &EventReader{src: src, pool: pooled, buf: *pooled}
}

// Free gives the buffer back; data handed out before is gone then.
// One that grew is left to the collector.
func (r *EventReader) Free() {
	buffers.Put(r.pool)
	r.pool, r.buf = nil, nil
}

// consume drops what lies before the current line.
func (r *EventReader) consume() {
	r.started = r.started || r.pos > 0
	r.at += r.pos
	r.seen -= r.pos
	r.pos = 0
}

// Ended reports whether nothing is left after the last event.
func (r *EventReader) Ended() bool { return r.err != nil && r.at+r.pos == r.end }

// finished is the error after the last event: what has lines but no event is no
// stream of events.
func (r *EventReader) finished(err error) error {
	if err == io.EOF && r.strange && !r.events {
		return ErrNoStream
	}
	return err
}

// Next gives the data of the next event, valid until the call after. The error
// is io.EOF at the clean end, ErrNoStream if it was none; what stands before it without its blank line is
// still an event.
func (r *EventReader) Next() ([]byte, error) {
	from, to, lines := 0, 0, 0 // data of the event, counted from at
	for {
		if lines == 0 {
			r.consume()
		}
		start, stop, err := r.line()
		if err != nil {
			if lines > 0 && err == io.EOF {
				return r.data(from, to, lines), nil
			}
			return nil, r.finished(err)
		}
		line := r.buf[r.at+start : r.at+stop]
		if len(line) == 0 {
			if lines > 0 {
				return r.data(from, to, lines), nil
			}
			continue
		}
		skip, ok := dataField(line)
		if !ok {
			r.strange = r.strange || !otherField(line)
			continue
		}
		r.events = true
		lines++
		if lines == 1 {
			from, to = start+skip, stop
			continue
		}
		if lines == 2 {
			r.joined = append(r.joined[:0], r.buf[r.at+from:r.at+to]...)
		}
		r.joined = append(append(r.joined, '\n'), line[skip:]...)
	}
}

func (r *EventReader) data(from, to, lines int) []byte {
	if lines > 1 {
		return r.joined
	}
	return r.buf[r.at+from : r.at+to]
}

// dataField tells where the value of a data line begins; ok is false for any
// other line.
func dataField(line []byte) (skip int, ok bool) {
	if line[0] == '{' {
		return 0, true
	}
	if !bytes.HasPrefix(line, []byte("data")) {
		return 0, false
	}
	switch {
	case len(line) == len("data"):
		return len(line), true
	case line[4] != ':':
		return 0, false
	case len(line) > 5 && line[5] == ' ':
		return 6, true
	}
	return 5, true
}

// otherField reports whether a line that is no data belongs to an event stream.
func otherField(line []byte) bool {
	name, _, _ := bytes.Cut(line, []byte(":"))
	switch string(name) {
	case "", "event", "id", "retry":
		return true
	}
	return false
}

// line gives the bounds of the next line, counted from at, without its end.
func (r *EventReader) line() (start, stop int, err error) {
	for {
		if r.skipLF && r.at+r.pos < r.end {
			r.skipLF = false
			if r.buf[r.at+r.pos] == '\n' {
				r.pos++
				r.seen = max(r.seen, r.pos)
			}
		}
		rest := r.buf[r.at+r.seen : r.end]
		if n := endOfLine(rest); n >= 0 {
			start, stop = r.pos, r.seen+n
			r.skipLF = rest[n] == '\r'
			r.pos = stop + 1
			r.seen = r.pos
			return start, stop, nil
		}
		r.seen = r.end - r.at
		if r.err != nil {
			return r.lastLine()
		}
		r.fill()
	}
}

// endOfLine is the index of the first \n or \r, or -1.
func endOfLine(b []byte) int {
	n := bytes.IndexByte(b, '\n')
	if n >= 0 {
		b = b[:n]
	}
	if m := bytes.IndexByte(b, '\r'); m >= 0 {
		return m
	}
	return n
}

// lastLine is what stands after the last end of line, once.
func (r *EventReader) lastLine() (start, stop int, err error) {
	start, stop = r.pos, r.end-r.at
	if start >= stop || r.err != io.EOF {
		return 0, 0, r.err
	}
	r.pos, r.seen = stop, stop
	return start, stop, nil
}

// fill reads more, making room first: by dropping what is consumed, else by
// growing.
func (r *EventReader) fill() {
	switch {
	case r.at == r.end:
		r.at, r.end = 0, 0
	case r.end == len(r.buf) && r.at > 0:
		r.end = copy(r.buf, r.buf[r.at:r.end])
		r.at = 0
	case r.end == len(r.buf):
		r.grow()
	}
	if r.err != nil {
		return
	}
	for tries := 0; tries < 100; tries++ {
		n, err := r.src.Read(r.buf[r.end:])
		r.end += n
		r.err = err
		if n > 0 || err != nil {
			break
		}
		if tries == 99 {
			r.err = io.ErrNoProgress
		}
	}
	r.skipBOM()
}

func (r *EventReader) grow() {
	if len(r.buf) >= MaxEvent {
		r.err = ErrEventTooLarge
		return
	}
	bigger := make([]byte, min(4*len(r.buf), MaxEvent))
	copy(bigger, r.buf[:r.end])
	r.buf = bigger
}

// FirstByte reads up to the first byte that is no space. It tells JSON and web
// pages from streams, because servers label what they send in many ways.
func FirstByte(r io.Reader) ([]byte, error) {
	var b [1]byte
	for {
		n, err := r.Read(b[:])
		if n > 0 && !bytes.ContainsRune([]byte(" \t\r\n"), rune(b[0])) {
			return b[:], nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// ReadJSON reads one JSON value; what may follow it is not waited for.
func ReadJSON(r io.Reader) (json.RawMessage, error) {
	limited := &io.LimitedReader{R: r, N: MaxEvent + 1}
	var value json.RawMessage
	err := json.NewDecoder(limited).Decode(&value)
	var syntax *json.SyntaxError
	switch {
	case err == nil:
		return value, nil
	case limited.N <= 0:
		return nil, ErrEventTooLarge
	case errors.As(err, &syntax):
		return nil, ErrNoStream
	}
	return nil, err
}

// skipBOM drops a byte order mark at the very start.
func (r *EventReader) skipBOM() {
	if r.started || r.end-r.at < 3 {
		return
	}
	r.started = true
	if bytes.HasPrefix(r.buf[r.at:r.end], []byte("\xef\xbb\xbf")) {
		r.at += 3
		r.seen = 0
	}
}
