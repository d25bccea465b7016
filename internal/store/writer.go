package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"

	"assent/db/sqlc"
	"assent/internal/assent"

	sqlite "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// maxBatch bounds how many closures share one COMMIT, so that one answer never
// waits for an unbounded queue.
const maxBatch = 256

// job is one closure waiting for the writer. done is called in the writer's
// goroutine after the COMMIT, or with the error; it must not block.
type job struct {
	fn   func(*Tx) error
	full bool
	// atomic promises that fn needs no SAVEPOINT: it runs one statement, or only
	// appends events, which writes nothing or fails with a tornError.
	atomic bool
	done   func(error)
}

// writer runs all writes. The queue is a slice behind a mutex, not a channel:
// done callbacks may queue the next job without ever blocking the writer.
type writer struct {
	store   *Store
	q       *sqlc.Queries
	mu      sync.Mutex
	queue   []job
	bell    chan struct{}
	closing bool
	stopped chan struct{}
	commits int
	// control are the prepared statements that frame transactions.
	control map[string]*sql.Stmt
}

func newWriter(ctx context.Context, s *Store, q *sqlc.Queries) (*writer, error) {
	w := &writer{store: s, q: q, bell: make(chan struct{}, 1), stopped: make(chan struct{}), control: map[string]*sql.Stmt{}}
	for _, text := range []string{begin, commit, rollback, savepoint, rollbackTo, release} {
		stmt, err := s.conn.PrepareContext(ctx, text)
		if err != nil {
			return nil, err
		}
		w.control[text] = stmt
	}
	return w, nil
}

// The statements that frame transactions.
const (
	begin      = "BEGIN IMMEDIATE"
	commit     = "COMMIT"
	rollback   = "ROLLBACK"
	savepoint  = "SAVEPOINT w"
	rollbackTo = "ROLLBACK TO w"
	release    = "RELEASE w"
)

var errClosed = &assent.Error{Code: assent.CodeUnavailable, Message: "The server is shutting down."}

func (w *writer) enqueue(j job) {
	w.mu.Lock()
	if w.closing {
		w.mu.Unlock()
		j.done(errClosed)
		return
	}
	w.queue = append(w.queue, j)
	w.mu.Unlock()
	select {
	case w.bell <- struct{}{}:
	default:
	}
}

// take gives the next batch, or nil when the writer is stopping and empty.
func (w *writer) take() (batch []job, stop bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := min(len(w.queue), maxBatch)
	batch = append(batch, w.queue[:n]...)
	w.queue = append(w.queue[:0], w.queue[n:]...)
	return batch, n == 0 && w.closing
}

func (w *writer) run() {
	defer close(w.stopped)
	for {
		// Whoever can run now and has something to write shares the next COMMIT;
		// with nobody else about, this is nothing.
		runtime.Gosched()
		batch, stop := w.take()
		if stop {
			return
		}
		if len(batch) == 0 {
			<-w.bell
			continue
		}
		w.commit(batch)
	}
}

// stop lets everything queued be written, then ends the writer.
func (w *writer) stop() {
	w.mu.Lock()
	w.closing = true
	w.mu.Unlock()
	select {
	case w.bell <- struct{}{}:
	default:
	}
	<-w.stopped
}

// commit runs a batch in one transaction and answers everyone afterwards.
func (w *writer) commit(batch []job) {
	full := false
	for _, j := range batch {
		full = full || j.full
	}
	tx := &Tx{Reads: Reads{q: w.q, db: w.store.conn}, store: w.store}
	errs := make([]error, len(batch))
	if err := w.transact(tx, batch, errs, full); err != nil {
		err = classify(err)
		for i := range errs {
			if errs[i] == nil {
				errs[i] = err
			}
		}
		tx.backTo(mark{})
	}
	w.store.feeds.publish(tx.events)
	if w.store.observe != nil && len(tx.events) > 0 {
		w.store.observe(tx.events)
	}
	for _, fn := range tx.after {
		fn()
	}
	for i, j := range batch {
		j.done(errs[i])
	}
	if w.commits++; w.commits%checkpointEvery == 0 {
		select {
		case w.store.ckpt <- struct{}{}:
		default:
		}
	}
}

// transact runs the closures and commits. Its error means that nothing of the
// batch is stored; errs[i] means that closure i alone is not.
func (w *writer) transact(tx *Tx, batch []job, errs []error, full bool) (err error) {
	if full {
		if err := w.exec("PRAGMA synchronous=FULL"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, w.exec("PRAGMA synchronous=NORMAL")) }()
	}
	if err := w.exec(begin); err != nil {
		return err
	}
	for i, j := range batch {
		if errs[i], err = w.one(tx, j.fn, len(batch) > 1 && !j.atomic); err != nil {
			_ = w.exec(rollback) // SQLite may have rolled back by itself; nothing is stored either way
			return err
		}
	}
	if len(batch) == 1 && errs[0] != nil {
		tx.backTo(mark{})
		return w.exec(rollback)
	}
	err = tx.sumUp() // what the whole batch ended, at once
	if err == nil {
		err = w.exec(commit)
	}
	if err != nil {
		_ = w.exec(rollback)
	}
	return err
}

// one runs a closure; with others beside it in a SAVEPOINT, so that its failure
// is its own. fatal means that the whole transaction is lost.
func (w *writer) one(tx *Tx, fn func(*Tx) error, apart bool) (own, fatal error) {
	before := tx.mark()
	if apart {
		if err := w.exec(savepoint); err != nil {
			return nil, err
		}
	}
	own = guard(tx, fn)
	if own != nil {
		tx.backTo(before)
		if isFatal(own) || !apart && isTorn(own) {
			return nil, own
		}
		own = classify(own)
	}
	if !apart {
		return own, nil
	}
	if own != nil {
		if err := w.exec(rollbackTo); err != nil {
			return own, err
		}
	}
	return own, w.exec(release)
}

// guard turns a panic of a closure into an error, so that the writer survives.
func guard(tx *Tx, fn func(*Tx) error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic in a write: %v\n%s", r, debug.Stack())
		}
	}()
	return fn(tx)
}

func (w *writer) exec(text string) error {
	if stmt := w.control[text]; stmt != nil {
		_, err := stmt.ExecContext(context.Background())
		return err
	}
	_, err := w.store.conn.ExecContext(context.Background(), text)
	return err
}

// isTorn reports a failure that left something behind.
func isTorn(err error) bool {
	var torn *tornError
	return errors.As(err, &torn)
}

// isFatal reports errors after which SQLite may have rolled back everything.
func isFatal(err error) bool {
	var se *sqlite.Error
	if !errors.As(err, &se) {
		return false
	}
	switch se.Code() & 0xff {
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_READONLY:
		return true
	}
	return false
}

// classify gives database errors that a person can act on their code.
func classify(err error) error {
	var se *sqlite.Error
	var known *assent.Error
	if errors.As(err, &known) || !errors.As(err, &se) {
		return err
	}
	switch se.Code() & 0xff {
	case sqlite3.SQLITE_FULL:
		return &assent.Error{Code: assent.CodeStorageFull, Err: err,
			Message: "The disk is full. Nothing was changed; free some space and try again."}
	case sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY:
		return &assent.Error{Code: assent.CodeUnavailable, Err: err,
			Message: "The data file cannot be written right now. Nothing was changed; try again."}
	}
	return err
}

// isUnique reports a broken UNIQUE or PRIMARY KEY constraint.
func isUnique(err error) bool {
	var se *sqlite.Error
	if !errors.As(err, &se) {
		return false
	}
	return se.Code() == sqlite3.SQLITE_CONSTRAINT_UNIQUE || se.Code() == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY
}
