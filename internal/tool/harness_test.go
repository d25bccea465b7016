package tool_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"assent/internal/assent"
	"assent/internal/schema"
	"assent/internal/store"
	"assent/internal/tool"

	"github.com/google/uuid"
)

type noteArgs struct {
	Title string `json:"title" jsonschema:"minLength=1,maxLength=20"`
	Times int    `json:"times,omitempty" jsonschema:"minimum=1"`
}

type note struct {
	Title string `json:"title"`
	Mood  string `json:"mood,omitempty" jsonschema:"enum=good,enum=bad"`
}

var now = time.Date(2026, 11, 21, 23, 30, 0, 0, time.UTC)

func clock() time.Time { return now }

// openStore gives a fresh database.
func openStore(t testing.TB) *store.Store {
	t.Helper()
	s, err := store.Open(context.Background(), t.TempDir(), store.Options{Clock: clock, IDs: func() string { return uuid.Must(uuid.NewV7()).String() }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// executor makes an executor of tools; w may be nil where nothing is written.
func executor(t testing.TB, w tool.Writer, hooks []tool.Hook, tools ...*tool.Tool) *tool.Executor {
	t.Helper()
	r, err := tool.NewRegistry(tools...)
	if err != nil {
		t.Fatal(err)
	}
	return tool.NewExecutor(r, schema.NewCompiler(), w, clock, hooks...)
}

// read makes a tool that reads.
func read(name string, h func(ctx context.Context, c tool.Call, a noteArgs) (tool.Result[note], error)) *tool.Tool {
	return tool.New(tool.Def{Name: name, Effect: assent.EffectRead, Timeout: 200 * time.Millisecond}, h)
}

// write makes a tool that stores a template named by its argument, then runs h.
func write(name string, h func(a noteArgs) (tool.Result[note], error)) *tool.Tool {
	return tool.NewWrite(tool.Def{Name: name, Effect: assent.EffectWrite}, func(_ context.Context, tx *store.Tx, c tool.Call, a noteArgs) (tool.Result[note], error) {
		tpl := &assent.Template{Entity: assent.Entity{ID: a.Title, Kind: assent.KindTemplate}, Name: a.Title}
		if err := tx.CreateEntity(store.OriginOf(c.Scope, c.Tool), tpl); err != nil {
			return tool.Result[note]{}, err
		}
		return h(a)
	})
}

func ok(a noteArgs) (tool.Result[note], error) {
	return tool.Result[note]{ArtifactID: a.Title, Artifact: note{Title: a.Title}, Summary: "Noted " + a.Title}, nil
}

func call(name, args string) tool.Call {
	return tool.Call{ToolCall: assent.ToolCall{ID: "call-1", Tool: name, Arguments: json.RawMessage(args)},
		Scope: assent.Scope{Person: assent.Person{ID: "ada"}, SessionID: "session", RequestID: "trace"}}
}

// stored reports whether a write of that title is in the database.
func stored(t testing.TB, s *store.Store, title string) bool {
	t.Helper()
	_, err := s.FindAny(context.Background(), title)
	if err != nil && assent.ErrorCode(err) != assent.CodeNotFound {
		t.Fatal(err)
	}
	return err == nil
}

func codeOf(r assent.ToolResult) assent.Code {
	if r.Err == nil {
		return ""
	}
	return r.Err.Code
}
