package store_test

import (
	"context"
	"database/sql"
	"io/fs"
	"path/filepath"
	"testing"
	"time"

	"assent/db"
	"assent/internal/assent"
	"assent/internal/store"

	"github.com/google/uuid"
	"github.com/pressly/goose/v3"
)

// firstSchema makes a data file as the first schema left it, with a project of
// ada's of which bo is a member.
func firstSchema(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	d, err := sql.Open("sqlite", "file:"+filepath.Join(dir, store.FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	fsys, err := fs.Sub(db.Migrations, "migrations")
	if err != nil {
		t.Fatal(err)
	}
	p, err := goose.NewProvider(goose.DialectSQLite3, d, fsys, goose.WithDisableGlobalRegistry(true), goose.WithLogger(goose.NopLogger()))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.UpTo(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	for _, stmt := range []string{
		`INSERT INTO people (id, email, name, role, password_hash, must_change, disabled, time_zone, locale, theme, default_mode, created_at, last_seen_at)
		 VALUES ('ada', 'ada@example.org', 'Ada', 'admin', 'x', 0, 0, 'UTC', 'en', '', '', 1, 1), ('bo', 'bo@example.org', 'Bo', 'member', 'x', 0, 0, 'UTC', 'en', '', '', 1, 1)`,
		`INSERT INTO entities (id, kind, project_id, owner_id, title, status, due, position, from_id, to_id, revision, data, created_by, created_at, updated_at)
		 VALUES ('p', 'project', 'p', 'ada', 'Office move', 'active', '', 0, '', '', 1,
		         '{"id":"p","kind":"project","project_id":"p","revision":1,"name":"Office move","owner_id":"ada","status":"active"}', 'ada', 1, 1)`,
		`INSERT INTO search_index (kind, entity_id, project_id, user_id, title, body) VALUES ('project', 'p', 'p', '', 'Office move', '')`,
		`INSERT INTO project_members (project_id, user_id, added_at) VALUES ('p', 'bo', 1)`,
		`INSERT INTO sessions (id, user_id, context_type, entity_id, title, last_seq, created_at, updated_at) VALUES ('s', 'ada', 'general', '', 'Hello', 1, 1, 1)`,
		`INSERT INTO events (session_id, seq, turn_id, type, at, data) VALUES ('s', 1, 't', 'text', 1, '{"seq":1,"type":"text"}')`,
	} {
		if _, err := d.Exec(stmt); err != nil {
			t.Fatalf("%s: %v", stmt, err)
		}
	}
	return dir
}

// A data file of the first schema opens, is searched, and gets its members back
// when a deleted project is restored.
func TestDataOfTheFirstSchemaGoesOn(t *testing.T) {
	t.Parallel()
	dir, ctx := firstSchema(t), context.Background()
	s, err := store.Open(ctx, dir, store.Options{Clock: time.Now, IDs: func() string { return uuid.Must(uuid.NewV7()).String() }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	seen := func(when string, user string, want int) {
		t.Helper()
		hits, err := s.Search(ctx, user, "office", "", nil, 10)
		if err != nil || len(hits) != want {
			t.Errorf("%s, %s finds %+v, error %v: want %d", when, user, hits, err, want)
		}
		list, _, err := store.List[assent.Project](ctx, s.Reads, store.Filter{UserID: user})
		if err != nil || len(list) != want {
			t.Errorf("%s, %s lists %+v, error %v: want %d", when, user, list, err, want)
		}
	}
	seen("after the upgrade", "bo", 1)
	if events, err := s.Events(ctx, "s", 0, 10); err != nil || len(events) != 1 {
		t.Errorf("events %v, error %v", events, err)
	}
	p, err := store.Find[assent.Project](ctx, s.Reads, "p")
	if err != nil {
		t.Fatal(err)
	}
	o := store.Origin{UserID: "ada", Caller: assent.CallerPerson, Tool: "delete_project"}
	if err := s.Write(ctx, func(tx *store.Tx) error { return tx.DeleteEntity(o, &p) }); err != nil {
		t.Fatal(err)
	}
	seen("deleted", "ada", 0)
	seen("deleted", "bo", 0)
	revs, err := s.ListRevisions(ctx, "p", 0, 10)
	if err != nil || len(revs) == 0 {
		t.Fatal(revs, err)
	}
	if err := s.Write(ctx, func(tx *store.Tx) error {
		_, err := tx.RestoreEntity(o, assent.KindProject, revs[0].Before)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	seen("restored", "ada", 1)
	seen("restored", "bo", 1)
}
