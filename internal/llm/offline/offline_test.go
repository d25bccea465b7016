package offline_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/llm/offline"
)

const generalState = `<state>{"today":"2026-11-21","weekday":"Saturday","time_zone":"Europe/London","locale":"en-GB","person":"Ada","context_type":"general","mode":"auto_execute","entity":null,"projects":[],"plans":[],"reading":null}</state>`

func request(words string) llm.Request {
	return llm.Request{Meta: llm.Meta{Operation: assent.OpPlannerStream, SessionID: "s", TurnID: "t", UserID: "u"},
		System: "You plan.\n" + generalState, Tools: []llm.Tool{{Name: "list_templates"}},
		Messages: []llm.Message{{Role: llm.RoleUser, Content: words}}}
}

func TestStreamsTextThenCallsThenUsageThenFinish(t *testing.T) {
	t.Parallel()
	var kinds []llm.ChunkKind
	var usage llm.Tokens
	for c, err := range offline.New(offline.Options{}).Stream(context.Background(), "", request("create a project for the office move")) {
		if err != nil {
			t.Fatal(err)
		}
		kinds = append(kinds, c.Kind)
		if c.Kind == llm.ChunkUsage {
			usage = c.Usage
		}
	}
	n := len(kinds)
	if n < 5 || kinds[0] != llm.ChunkText || kinds[n-3] != llm.ChunkCall || kinds[n-2] != llm.ChunkUsage || kinds[n-1] != llm.ChunkFinish {
		t.Errorf("kinds are %v", kinds)
	}
	if usage != (llm.Tokens{}) {
		t.Errorf("usage is %+v, want none", usage)
	}
}

func TestSameRequestSameAnswer(t *testing.T) {
	t.Parallel()
	m := offline.New(offline.Options{})
	a, err := llm.Collect(m.Stream(context.Background(), "", request("plan my wedding")))
	if err != nil {
		t.Fatal(err)
	}
	b, _ := llm.Collect(m.Stream(context.Background(), "", request("plan my wedding")))
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	if string(x) != string(y) {
		t.Errorf("%s\n%s", x, y)
	}
}

func TestCancelledContextEndsTheStream(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := llm.Collect(offline.New(offline.Options{}).Stream(ctx, "", request("hello")))
	if llm.ClassOf(err) != llm.ClassCancelled {
		t.Errorf("error is %v", err)
	}
}

func TestDeadlineEndsTheWaitBetweenChunks(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	_, err := llm.Collect(offline.New(offline.Options{ChunkDelay: time.Hour}).Stream(ctx, "", request("hello")))
	if llm.ClassOf(err) != llm.ClassTimeout {
		t.Errorf("error is %v", err)
	}
}

func TestATextOfManyWordsIsRefusedHonestly(t *testing.T) {
	t.Parallel()
	a, err := llm.Collect(offline.New(offline.Options{}).Stream(t.Context(), "", request(strings.Repeat("add a task: call Bob. ", 600))))
	if err != nil || len(a.Calls) > 0 || !strings.Contains(a.Text, "more than I can read at once") {
		t.Errorf("%q %v, %v", a.Text, a.Calls, err)
	}
}

func TestCheckNeedsNothing(t *testing.T) {
	t.Parallel()
	if err := offline.New(offline.Options{}).Check(context.Background(), "any"); err != nil {
		t.Error(err)
	}
}

func TestConsentIsNeverFound(t *testing.T) {
	t.Parallel()
	req := request("yes, go ahead")
	req.Meta.Operation = assent.OpConsentReading
	a, err := llm.Collect(offline.New(offline.Options{}).Stream(context.Background(), "", req))
	if err != nil || !strings.Contains(a.Text, `"as":"unclear"`) {
		t.Errorf("%q, %v", a.Text, err)
	}
}
