package workspace_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"assent/internal/assent"
	"assent/internal/schema"
	"assent/internal/store"
	"assent/internal/tool"
)

// BenchmarkCalls is what whole calls cost on a real database, handler included;
// internal/tool has the executor's own part.
func BenchmarkCalls(b *testing.B) {
	for _, bc := range []struct{ name, tool, args string }{
		{"get_task", "get_task", `{"task_id": "` + taskID + `"}`},
		{"list_tasks", "list_tasks", `{"project_id": "` + projectID + `"}`},
		{"list_templates", "list_templates", `{"query": "office move"}`},
		{"project_health", "project_health", `{"project_id": "` + projectID + `"}`},
		{"search", "search", `{"query": "lease"}`},
		{"create_task", "create_task", `{"project_id": "` + projectID + `", "title": "x"}`},
	} {
		b.Run(bc.name, func(b *testing.B) {
			o := open(b)
			c := tool.Call{Scope: scopeOf(adaID), ToolCall: assent.ToolCall{ID: "c", Tool: bc.tool, Arguments: json.RawMessage(bc.args)}}
			for b.Loop() {
				if r := o.exec.Execute(context.Background(), c); r.Err != nil {
					b.Fatal(r.Err)
				}
			}
		})
	}
}

// BenchmarkOverhead compares a call of the largest schema with its handler
// alone: what is left is the executor.
func BenchmarkOverhead(b *testing.B) {
	o := open(b)
	real, _ := o.tools.Find("create_project")
	type anything struct {
		Fields json.RawMessage `json:"fields,omitempty"`
	}
	bare := tool.New(tool.Def{Name: "bare", Effect: assent.EffectRead}, func(context.Context, tool.Call, anything) (tool.Result[anything], error) {
		return tool.Result[anything]{}, nil
	})
	bare.Spec.InputSchema = real.Spec.InputSchema
	r, err := tool.NewRegistry(bare)
	if err != nil {
		b.Fatal(err)
	}
	e := tool.NewExecutor(r, schema.NewCompiler(), o.store, clockOf(o))
	c := tool.Call{Scope: scopeOf(adaID), ToolCall: assent.ToolCall{ID: "c", Tool: "bare", Arguments: real.Example}}
	b.ReportAllocs()
	for b.Loop() {
		if r := e.Execute(context.Background(), c); r.Err != nil {
			b.Fatal(r.Err)
		}
	}
}

func clockOf(o *office) assent.Clock { return func() time.Time { return *o.now.Load() } }

// BenchmarkHealthOfALargeProject examines a project of a thousand tasks in a
// chain of dependencies.
func BenchmarkHealthOfALargeProject(b *testing.B) {
	o := open(b)
	o.write(func(tx *store.Tx) error {
		for i := range 1000 {
			t := &assent.Task{Entity: assent.Entity{ID: fmt.Sprintf("t%04d", i), Kind: assent.KindTask, ProjectID: projectID}, Title: fmt.Sprint("Task ", i), Status: "todo", Priority: "normal", Position: int64(i)}
			if err := tx.CreateEntity(store.Origin{UserID: adaID}, t); err != nil {
				return err
			}
			if i == 0 {
				continue
			}
			r := &assent.Relation{Entity: assent.Entity{Kind: assent.KindRelation, ProjectID: projectID}, Type: "depends_on", FromKind: assent.KindTask, FromID: t.ID, ToKind: assent.KindTask, ToID: fmt.Sprintf("t%04d", i-1)}
			if err := tx.CreateEntity(store.Origin{UserID: adaID}, r); err != nil {
				return err
			}
		}
		return nil
	})
	for b.Loop() {
		o.health(projectID)
	}
}
