package planner_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"assent/internal/assent"
	"assent/internal/llm/llmtest"
	"assent/internal/store"

	sqlite "modernc.org/sqlite"
)

// disks holds the writer's connection of each data directory of this process,
// so that a test can say how large its file may grow.
type disks struct {
	mu      sync.Mutex
	writers map[string]sqlite.ExecQuerierContext
}

// note remembers connections that write; readers are query_only.
func (d *disks) note(conn sqlite.ExecQuerierContext, dsn string) error {
	if strings.Contains(dsn, "_txlock=immediate") {
		d.mu.Lock()
		defer d.mu.Unlock()
		path, _, _ := strings.Cut(strings.TrimPrefix(dsn, "file:"), "?")
		d.writers[path] = conn
	}
	return nil
}

// fill leaves no room: SQLite answers SQLITE_FULL to whatever needs a new page,
// as it does when the disk is full.
func (w *world) fill(t *testing.T) {
	t.Helper()
	w.pragma(t, "max_page_count = "+strconv.FormatInt(w.pragma(t, "page_count"), 10))
}

// makeRoom lets the file grow again.
func (w *world) makeRoom(t *testing.T) {
	t.Helper()
	w.pragma(t, "max_page_count = 1000000")
}

// pragma runs one on the writer's connection, in the writer's goroutine, and
// gives the number it answers.
func (w *world) pragma(t *testing.T, text string) (n int64) {
	t.Helper()
	diskOf.mu.Lock()
	conn := diskOf.writers[w.Path()]
	diskOf.mu.Unlock()
	err := w.Write(t.Context(), func(*store.Tx) error {
		rows, err := conn.QueryContext(context.Background(), "PRAGMA "+text, nil)
		if err != nil {
			return err
		}
		defer rows.Close()
		values := make([]driver.Value, 1)
		if err := rows.Next(values); err != nil {
			return err
		}
		n, _ = values[0].(int64)
		return nil
	})
	if err != nil || n == 0 {
		t.Fatalf("PRAGMA %s gives %d, %v", text, n, err)
	}
	return n
}

// intact checks the file as a whole.
func intact(t *testing.T, path string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var answer string
	if err := db.QueryRow("PRAGMA integrity_check").Scan(&answer); err != nil || answer != "ok" {
		t.Errorf("the file is %q, %v", answer, err)
	}
}

// page is more text than fits into the pages that a file has already.
func page() string { return strings.Repeat("so much to say ", 20_000) }

// TestAFullDiskInTheMidstOfATurn: the turn cannot be kept at first, a message is
// refused with a clear sentence, nothing is half-written; when there is room
// the turn ends by itself, with what was said, and the conversation goes on.
func TestAFullDiskInTheMidstOfATurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		full := make(chan struct{})
		model := llmtest.NewModel(t, llmtest.Text("First. ").Wait(full).Text(page()).Delay(time.Millisecond).Text("Last."), llmtest.Text("Again."))
		w := newWorld(t, options{model: model})
		w.say(t, "Tell me everything.")
		w.fill(t)
		close(full)
		time.Sleep(10 * time.Second)
		_, err := w.planner.Send(t.Context(), w.principal(), assent.SendRequest{SessionID: w.session, Content: page()[:32_000]})
		if assent.ErrorCode(err) != assent.CodeStorageFull || !strings.Contains(assent.ErrorMessage(err), "free some space") {
			t.Errorf("sending on a full disk gives %v", err)
		}
		intact(t, w.Path())
		w.makeRoom(t)
		w.settle(t)
		w.endedFull(t)
		w.say(t, "And again?")
		w.settle(t)
		if m := w.last(t); m.Content != "Again." {
			t.Errorf("with room again the answer is %q", m.Content)
		}
		intact(t, w.Path())
	})
}

// endedFull: the turn failed with a clear sentence, on record for admins, and
// what was said before is kept.
func (w *world) endedFull(t *testing.T) {
	t.Helper()
	turns, err := w.ListTurns(t.Context(), w.session)
	if err != nil || len(turns) != 1 {
		t.Fatal(turns, err)
	}
	if turns[0].Status != assent.TurnFailed || turns[0].Error == nil || turns[0].Error.Code != assent.CodeStorageFull {
		t.Errorf("the turn is %s: %+v", turns[0].Status, turns[0].Error)
	}
	if m := w.last(t); m.Role != assent.RoleAssistant || !strings.HasPrefix(m.Content, "First. ") {
		t.Errorf("kept of the answer: %.40q", m.Content)
	}
	rows, _, err := w.ListErrors(t.Context(), store.ErrorFilter{}, store.Page{})
	if err != nil || len(rows) != 1 || rows[0].Code != assent.CodeStorageFull {
		t.Errorf("error rows %+v, %v", rows, err)
	}
	w.eventLines(t) // without a gap
}

func (w *world) last(t *testing.T) assent.Message {
	t.Helper()
	m, err := w.ListMessages(t.Context(), w.session)
	if err != nil || len(m) == 0 {
		t.Fatal(m, err)
	}
	return m[len(m)-1]
}

// TestAFullDiskInTheMidstOfARun: a step that cannot be stored has no effect and
// runs when there is room, exactly once.
func TestAFullDiskInTheMidstOfARun(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		body := strconv.Quote(page()[:60_000])
		model := llmtest.NewModel(t,
			llmtest.Call("agent_create_plan", `{"objective":"Long","steps":[{"id":"a","type":"tool","tool":"create_document","arguments":{"project_id":"project-leith","title":"Long","body":`+body+`}}]}`),
			llmtest.Text("It is written."))
		w := newWorld(t, options{model: model})
		w.say(t, "Write the long document.")
		time.Sleep(500 * time.Millisecond) // approved under the setting; the run begins after a second
		w.fill(t)
		time.Sleep(20 * time.Second)
		intact(t, w.Path())
		docs, _, err := store.List[assent.Document](t.Context(), w.Reads, store.Filter{UserID: w.ada.ID})
		if err != nil || len(docs) != 0 {
			t.Errorf("%d documents on a full disk, %v", len(docs), err)
		}
		w.makeRoom(t)
		w.settle(t)
		docs, _, err = store.List[assent.Document](t.Context(), w.Reads, store.Filter{UserID: w.ada.ID})
		if err != nil || len(docs) != 1 {
			t.Errorf("%d documents with room again, %v", len(docs), err)
		}
		intact(t, w.Path())
	})
}
