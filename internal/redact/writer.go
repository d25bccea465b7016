package redact

import (
	"io"
	"sync/atomic"
)

// Writer writes lines without secrets, each Write whole lines as a log handler
// makes them. Until Use is called it knows no secret.
type Writer struct {
	w     io.Writer
	known atomic.Pointer[Redactor]
}

// NewWriter puts a Writer before w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Use makes the secrets known.
func (w *Writer) Use(r *Redactor) { w.known.Store(r) }

// Write implements io.Writer.
func (w *Writer) Write(p []byte) (int, error) {
	out := w.known.Load().JSON(p)
	if _, err := w.w.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}
