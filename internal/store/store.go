package store

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"sync"

	"assent/db"
	"assent/db/sqlc"
	"assent/internal/assent"

	"github.com/pressly/goose/v3"
	_ "modernc.org/sqlite" // the database/sql driver "sqlite"
)

// FileName is the database's name within the data directory.
const FileName = "assent.db"

// Options are what a Store needs from outside.
type Options struct {
	Clock assent.Clock
	IDs   assent.IDs
	// Committed, if set, is told of events after their COMMIT, in the order of
	// their logs. The writer calls it, so it must not block.
	Committed func([]assent.LoggedEvent)
}

// Store is the open database.
type Store struct {
	Reads
	path     string
	clock    assent.Clock
	ids      assent.IDs
	observe  func([]assent.LoggedEvent)
	readDB   *sql.DB
	raw      *sql.DB // the writer's connection pool of one
	conn     *sql.Conn
	writer   *writer
	feeds    *feeds
	sumKeys  map[string]bool // keys of usage sums that are stored; the writer's alone
	ckpt     chan struct{}   // rung by the writer when a checkpoint is due
	closed   chan struct{}
	once     sync.Once
	closeErr error
	// checkpointed is closed when the checkpointer has ended.
	checkpointed chan struct{}
}

const pragmas = "_pragma=journal_mode(WAL)&_pragma=busy_timeout(5000)&_pragma=synchronous(NORMAL)&_pragma=foreign_keys(1)&_pragma=temp_store(2)"

func dsn(path, extra string) string {
	return "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + pragmas + extra
}

// Open opens the database in dir, creating and migrating it as needed. The
// caller holds the lock on dir.
func Open(ctx context.Context, dir string, o Options) (*Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, unusable(dir, err)
	}
	path := filepath.Join(dir, FileName)
	raw, err := sql.Open("sqlite", dsn(path, "&_txlock=immediate&_pragma=wal_autocheckpoint(0)&_pragma=cache_size(-8000)"))
	if err != nil {
		return nil, err
	}
	raw.SetMaxOpenConns(1)
	if err := Migrate(ctx, raw); err != nil {
		raw.Close()
		return nil, fmt.Errorf("migrating %s: %w", path, err)
	}
	s := &Store{path: path, clock: o.Clock, ids: o.IDs, observe: o.Committed, raw: raw, feeds: newFeeds(), sumKeys: map[string]bool{},
		ckpt: make(chan struct{}, 1), closed: make(chan struct{}), checkpointed: make(chan struct{})}
	if err := s.connect(ctx); err != nil {
		raw.Close()
		return nil, err
	}
	second, err := sql.Open("sqlite", dsn(path, "&_pragma=wal_autocheckpoint(0)"))
	if err != nil {
		return nil, err
	}
	second.SetMaxOpenConns(1)
	go s.writer.run()
	go s.checkpoints(second)
	return s, nil
}

// connect prepares the writer's connection and the readers' pool.
func (s *Store) connect(ctx context.Context) (err error) {
	if s.conn, err = s.raw.Conn(ctx); err != nil {
		return err
	}
	wq, err := sqlc.Prepare(ctx, s.conn)
	if err != nil {
		return fmt.Errorf("preparing the writer: %w", err)
	}
	s.readDB, err = sql.Open("sqlite", dsn(s.path, "&_pragma=query_only(1)&_pragma=cache_size(-4000)"))
	if err != nil {
		return err
	}
	s.readDB.SetMaxOpenConns(4)
	s.readDB.SetMaxIdleConns(4)
	rq, err := sqlc.Prepare(ctx, s.readDB)
	if err != nil {
		return fmt.Errorf("preparing the readers: %w", err)
	}
	s.Reads = Reads{q: rq, db: s.readDB}
	s.writer, err = newWriter(ctx, s, wq)
	return err
}

// Migrate brings the database to the newest schema; a failing migration is
// rolled back whole.
func Migrate(ctx context.Context, d *sql.DB) error {
	fsys, err := fs.Sub(db.Migrations, "migrations")
	if err != nil {
		return err
	}
	p, err := goose.NewProvider(goose.DialectSQLite3, d, fsys, goose.WithDisableGlobalRegistry(true), goose.WithLogger(goose.NopLogger()))
	if err != nil {
		return err
	}
	_, err = p.Up(ctx)
	return err
}

// Close waits for queued writes, checkpoints and closes. Closing again gives the
// same answer.
func (s *Store) Close() error {
	s.once.Do(func() { s.closeErr = s.shut() })
	return s.closeErr
}

func (s *Store) shut() error {
	s.writer.stop()
	close(s.closed)
	<-s.checkpointed
	_, err := s.conn.ExecContext(context.Background(), "PRAGMA wal_checkpoint(TRUNCATE)")
	s.readDB.Close()
	s.conn.Close()
	if cerr := s.raw.Close(); err == nil {
		err = cerr
	}
	return err
}

// Path is the database file's path.
func (s *Store) Path() string { return s.path }

// Now is the store's clock, to the millisecond.
func (s *Store) Now() assent.Time { return assent.At(s.clock()) }

// NewID makes an identifier.
func (s *Store) NewID() string { return s.ids() }

// checkpointEvery is after how many commits the WAL is copied back into the file.
const checkpointEvery = 400

// checkpoints copies the WAL back into the file from a connection of its own,
// beside the writer, so that no commit pays for it. PASSIVE never blocks the
// writer; where a reader is in the way the rest is left for the next time.
func (s *Store) checkpoints(conn *sql.DB) {
	defer close(s.checkpointed)
	for {
		select {
		case <-s.closed:
			conn.Close()
			return
		case <-s.ckpt:
		}
		if _, err := conn.Exec("PRAGMA wal_checkpoint(PASSIVE)"); err != nil {
			slog.Warn("checkpoint", "error", err)
		}
	}
}
