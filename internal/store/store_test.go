package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"assent/db"
	"assent/internal/assent"
	"assent/internal/store"

	"github.com/google/uuid"
)

// open gives a fresh store with a person and a session in it.
func open(t testing.TB) (*store.Store, assent.Session) {
	t.Helper()
	return openIn(t, t.TempDir())
}

func openIn(t testing.TB, dir string) (*store.Store, assent.Session) {
	t.Helper()
	s, err := store.Open(context.Background(), dir, store.Options{Clock: time.Now, IDs: func() string { return uuid.Must(uuid.NewV7()).String() }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	sess := assent.Session{ID: s.NewID(), UserID: s.NewID(), ContextType: assent.ContextGeneral, CreatedAt: s.Now(), UpdatedAt: s.Now()}
	err = s.Write(context.Background(), func(tx *store.Tx) error {
		if err := tx.CreatePerson(assent.Person{ID: sess.UserID, Email: sess.UserID + "@example.org", Name: "Ada", Role: assent.RoleMember, TimeZone: "UTC", Locale: "en", CreatedAt: tx.Now()}, "x"); err != nil {
			return err
		}
		return tx.CreateSession(sess)
	})
	if err != nil {
		t.Fatal(err)
	}
	return s, sess
}

// schemaOf lists what a database is made of, without goose's own table.
func schemaOf(t *testing.T, d *sql.DB) string {
	t.Helper()
	rows, err := d.Query("SELECT COALESCE(sql, name) FROM sqlite_master WHERE name NOT LIKE 'goose%' AND name NOT LIKE 'sqlite_%' ORDER BY name")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var b strings.Builder
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			t.Fatal(err)
		}
		// SQLite keeps the text of a table as it was written, an added column as " , x".
		text := strings.NewReplacer(" ,", ",", "( ", "(", " )", ")").Replace(strings.Join(strings.Fields(s), " "))
		b.WriteString(text + "\n")
	}
	return b.String()
}

func TestMigratingAnEmptyFileGivesExactlyTheSchema(t *testing.T) {
	dir := t.TempDir()
	migrated, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer migrated.Close()
	if err := store.Migrate(context.Background(), migrated); err != nil {
		t.Fatal(err)
	}
	plain, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "b.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	if _, err := plain.Exec(db.Schema); err != nil {
		t.Fatal(err)
	}
	if a, b := schemaOf(t, migrated), schemaOf(t, plain); a != b {
		t.Errorf("migrations give\n%s\nschema.sql gives\n%s", a, b)
	}
}

func TestWritesOfOneBatchFailAlone(t *testing.T) {
	s, sess := open(t)
	boom := errors.New("boom")
	var wg sync.WaitGroup
	errs := make([]error, 60)
	for i := range errs {
		wg.Go(func() {
			errs[i] = s.Write(context.Background(), func(tx *store.Tx) error {
				if _, err := tx.Append(sess.ID, "", assent.Text{Delta: fmt.Sprint(i)}); err != nil {
					return err
				}
				switch {
				case i%3 == 1:
					return boom
				case i%3 == 2:
					panic("a closure that panics")
				}
				return nil
			})
		})
	}
	wg.Wait()
	for i, err := range errs {
		if (i%3 == 0) != (err == nil) {
			t.Errorf("write %d: error %v", i, err)
		}
	}
	events, err := s.Events(context.Background(), sess.ID, 0, 1000)
	if err != nil || len(events) != 20 {
		t.Fatalf("%d events, want the 20 that succeeded; error %v", len(events), err)
	}
	for i, ev := range events {
		if ev.Seq != int64(i+1) {
			t.Errorf("event %d has seq %d: the log has a gap", i, ev.Seq)
		}
	}
}

func TestTryKeepsTheTransactionWhenItsPartFails(t *testing.T) {
	s, sess := open(t)
	err := s.Write(context.Background(), func(tx *store.Tx) error {
		if _, err := tx.Append(sess.ID, "", assent.Text{Delta: "kept"}); err != nil {
			return err
		}
		inner := tx.Try(func() error {
			if _, err := tx.Append(sess.ID, "", assent.Text{Delta: "dropped"}); err != nil {
				return err
			}
			return errors.New("no")
		})
		if inner == nil {
			t.Error("Try hid the failure")
		}
		_, err := tx.Append(sess.ID, "", assent.Text{Delta: "also kept"})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	events, err := s.Events(context.Background(), sess.ID, 0, 10)
	if err != nil || len(events) != 2 || events[1].Seq != 2 {
		t.Fatalf("events %+v, error %v: want two, gapless", events, err)
	}
}

func TestSinkJoinsTextThatWaitsAndKeepsOrder(t *testing.T) {
	s, sess := open(t)
	sink := s.NewSink(sess.ID, "turn")
	ctx := context.Background()
	want := ""
	for i := range 500 {
		d := fmt.Sprintf("%d ", i)
		want += d
		if err := sink.Emit(ctx, assent.Text{Delta: d}); err != nil {
			t.Fatal(err)
		}
	}
	if err := sink.Emit(ctx, assent.AgentState{State: assent.StateThinking}); err != nil {
		t.Fatal(err)
	}
	if err := sink.Emit(ctx, assent.Text{Delta: "end"}); err != nil {
		t.Fatal(err)
	}
	if err := sink.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	events, err := s.Events(ctx, sess.ID, 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	got, states := "", 0
	for i, ev := range events {
		if ev.Seq != int64(i+1) {
			t.Fatalf("gap at %d", ev.Seq)
		}
		if ev.Type == "agent_state" {
			states++
			if got != want {
				t.Errorf("the state overtook text: %d of %d bytes before it", len(got), len(want))
			}
			continue
		}
		got += delta(t, ev)
	}
	if got != want+"end" || states != 1 {
		t.Errorf("got %d bytes of text and %d states", len(got), states)
	}
}

func TestWatchersReadWhatWasJustWrittenFromMemoryAndTheRestFromTheFile(t *testing.T) {
	s, sess := open(t)
	ctx := context.Background()
	write := func(n int) {
		for range n {
			if err := s.Write(ctx, func(tx *store.Tx) error { _, err := tx.Append(sess.ID, "", assent.Text{Delta: "x"}); return err }); err != nil {
				t.Fatal(err)
			}
		}
	}
	write(10)
	bell, cancel := s.Watch(sess.ID)
	write(400)
	select {
	case <-bell:
	case <-time.After(5 * time.Second):
		t.Fatal("the bell did not ring")
	}
	for _, after := range []int64{0, 5, 9, 10, 11, 200, 300, 409, 410, 500} {
		events, err := s.Events(ctx, sess.ID, after, 1000)
		if err != nil {
			t.Fatal(err)
		}
		if want := max(0, 410-after); int64(len(events)) != want {
			t.Errorf("after %d: %d events, want %d", after, len(events), want)
		}
		for i, ev := range events {
			if ev.Seq != after+int64(i)+1 {
				t.Fatalf("after %d: event %d has seq %d", after, i, ev.Seq)
			}
		}
	}
	cancel()
	cancel()
}

func TestPruneTakesWholePrefixesAndKeepsMessages(t *testing.T) {
	s, sess := open(t)
	ctx := context.Background()
	for i := range 5 {
		if err := s.Write(ctx, func(tx *store.Tx) error {
			if err := tx.CreateMessage(assent.Message{ID: tx.NewID(), SessionID: sess.ID, Role: assent.RoleUser, Content: fmt.Sprint(i), CreatedAt: tx.Now()}); err != nil {
				return err
			}
			_, err := tx.Append(sess.ID, "", assent.Text{Delta: "x"})
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.PruneEvents(ctx, s.Now()+1); err != nil {
		t.Fatal(err)
	}
	first, err := s.FirstEvent(ctx, sess.ID)
	if err != nil || first != 0 {
		t.Errorf("first event %d, error %v: want none left", first, err)
	}
	messages, err := s.ListMessages(ctx, sess.ID)
	if err != nil || len(messages) != 5 {
		t.Errorf("%d messages, error %v: want 5", len(messages), err)
	}
	found, err := s.FindSession(ctx, sess.ID)
	if err != nil || found.LastSeq != 5 {
		t.Errorf("last_seq %d, error %v: numbering must go on", found.LastSeq, err)
	}
}

func TestEverythingIsThereAfterReopening(t *testing.T) {
	dir := t.TempDir()
	s, sess := openIn(t, dir)
	ctx := context.Background()
	o := store.Origin{UserID: sess.UserID, Caller: assent.CallerPerson, Tool: "test"}
	p := &assent.Project{Entity: assent.Entity{Kind: assent.KindProject}, Name: "Office move", OwnerID: sess.UserID, DueDate: "2027-03-31"}
	if err := s.Write(ctx, func(tx *store.Tx) error { return tx.CreateEntity(o, p) }); err != nil {
		t.Fatal(err)
	}
	s.Close()
	again, _ := openIn(t, dir)
	got, err := store.Find[assent.Project](ctx, again.Reads, p.ID)
	if err != nil || got != *p {
		t.Errorf("got %+v, error %v, want %+v", got, err, *p)
	}
	hits, err := again.Search(ctx, sess.UserID, "offic", "", nil, 10)
	if err != nil || len(hits) != 1 || hits[0].ID != p.ID {
		t.Errorf("search gives %+v, error %v", hits, err)
	}
	if hits, err := again.Search(ctx, "somebody else", "office", "", nil, 10); err != nil || len(hits) != 0 {
		t.Errorf("somebody else finds %+v, error %v", hits, err)
	}
}

func TestEntityRevisions(t *testing.T) {
	s, sess := open(t)
	ctx := context.Background()
	o := store.Origin{UserID: sess.UserID, Caller: assent.CallerModel, Tool: "create_task", RunID: "run"}
	task := &assent.Task{Entity: assent.Entity{Kind: assent.KindTask, ProjectID: "p"}, Title: "Sign the lease", Status: "todo"}
	write := func(fn func(*store.Tx) error) error { return s.Write(ctx, fn) }
	if err := write(func(tx *store.Tx) error { return tx.CreateEntity(o, task) }); err != nil {
		t.Fatal(err)
	}
	old := *task
	task.Status = "done"
	if err := write(func(tx *store.Tx) error { return tx.UpdateEntity(o, task) }); err != nil {
		t.Fatal(err)
	}
	if err := write(func(tx *store.Tx) error { return tx.UpdateEntity(o, &old) }); assent.ErrorCode(err) != assent.CodeStale {
		t.Errorf("a stale update gives %v, want the stale error", err)
	}
	if err := write(func(tx *store.Tx) error { return tx.DeleteEntity(o, task) }); err != nil {
		t.Fatal(err)
	}
	revs, err := s.ListRevisions(ctx, task.ID, 0, 10)
	if err != nil || len(revs) != 3 || revs[0].Op != "delete" || revs[2].Op != "create" {
		t.Fatalf("revisions %+v, error %v", revs, err)
	}
	if err := write(func(tx *store.Tx) error { _, err := tx.RestoreEntity(o, assent.KindTask, revs[0].Before); return err }); err != nil {
		t.Fatal(err)
	}
	got, err := store.Find[assent.Task](ctx, s.Reads, task.ID)
	if err != nil || got.Status != "done" || got.Revision != 4 {
		t.Errorf("restored %+v, error %v: want done at revision 4", got, err)
	}
}
