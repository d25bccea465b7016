package planner_test

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"assent/internal/assent"
	"assent/internal/llm/llmtest"
)

// TestADoubleClickMakesOneTurn sends the same message with the same key from
// many places at once.
func TestADoubleClickMakesOneTurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, options{model: llmtest.NewModel(t, llmtest.Text("Hello."))})
		var mu sync.Mutex
		turns := map[string]int{}
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				res, err := w.planner.Send(t.Context(), w.principal(), assent.SendRequest{SessionID: w.session, Content: "Hi", IdempotencyKey: "k"})
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				turns[res.TurnID]++
			})
		}
		wg.Wait()
		w.settle(t)
		all, err := w.ListTurns(t.Context(), w.session)
		if err != nil || len(all) != 1 || len(turns) != 1 {
			t.Errorf("%d turns on record, answers name %v, %v", len(all), turns, err)
		}
	})
}

// TestManyMessagesAtOnceAreAnsweredOneByOne: one turn runs, the others wait, all
// are answered.
func TestManyMessagesAtOnceAreAnsweredOneByOne(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		answer := llmtest.Func(func(llmtest.Request) llmtest.Response { return llmtest.Text("Yes.").Delay(pace) })
		w := newWorld(t, options{model: llmtest.NewModel(t, answer)})
		var wg sync.WaitGroup
		for range 6 {
			wg.Go(func() { w.say(t, " Are you there?") })
		}
		wg.Wait()
		w.settle(t)
		turns, err := w.ListTurns(t.Context(), w.session)
		if err != nil || len(turns) != 6 {
			t.Fatal(len(turns), err)
		}
		slices.SortFunc(turns, func(a, b assent.Turn) int { return cmp.Compare(a.StartedAt, b.StartedAt) })
		for i, turn := range turns {
			if turn.Status != assent.TurnCompleted {
				t.Errorf("turn %d is %s", i, turn.Status)
			}
			if i > 0 && turn.StartedAt < turns[i-1].EndedAt {
				t.Errorf("turn %d began before the one before it had ended", i)
			}
		}
	})
}

// TestMessagesThatAreRefused: each leaves nothing behind.
func TestMessagesThatAreRefused(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		req  assent.SendRequest
		code assent.Code
	}{
		"too long":               {assent.SendRequest{SessionID: sessionID, Content: strings.Repeat("x", 32<<10+1)}, assent.CodeTooLarge},
		"not UTF-8":              {assent.SendRequest{SessionID: sessionID, Content: "\xff\xfe"}, assent.CodeInvalid},
		"with a NUL":             {assent.SendRequest{SessionID: sessionID, Content: "a\x00b"}, assent.CodeInvalid},
		"no such conversation":   {assent.SendRequest{SessionID: "nowhere", Content: "Hi"}, assent.CodeNotFound},
		"the longest is taken":   {assent.SendRequest{SessionID: sessionID, Content: strings.Repeat("x", 32<<10)}, ""},
		"an event from tomorrow": {assent.SendRequest{SessionID: sessionID, Content: "Hi", SeenSeq: ptr(int64(1 << 40))}, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, options{model: llmtest.NewModel(t, llmtest.Func(func(llmtest.Request) llmtest.Response { return llmtest.Text("Hello.") }))})
			_, err := w.planner.Send(t.Context(), w.principal(), tt.req)
			if code := assent.ErrorCode(err); code != tt.code {
				t.Fatalf("gives %q: %v", code, err)
			}
			w.settle(t)
			turns, err := w.ListTurns(t.Context(), w.session)
			if want := map[bool]int{true: 1}[tt.code == ""]; err != nil || len(turns) != want {
				t.Errorf("%d turns, %v", len(turns), err)
			}
		})
	}
}

func ptr[T any](v T) *T { return &v }

// TestSomeoneElsesConversationIsNotFound holds both doors.
func TestSomeoneElsesConversationIsNotFound(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{model: llmtest.NewModel(t, llmtest.Text("Hello."))})
	bob := assent.Principal{Person: assent.Person{ID: "person-bob"}, Scopes: assent.TokenScopes()}
	if _, err := w.planner.Send(t.Context(), bob, assent.SendRequest{SessionID: w.session, Content: "Hi"}); assent.ErrorCode(err) != assent.CodeNotFound {
		t.Errorf("sending gives %v", err)
	}
	w.say(t, " Hi")
	turns, err := w.ListTurns(t.Context(), w.session)
	if err != nil || len(turns) != 1 {
		t.Fatal(turns, err)
	}
	if err := w.planner.Stop(t.Context(), bob, turns[0].ID); assent.ErrorCode(err) != assent.CodeNotFound {
		t.Errorf("stopping gives %v", err)
	}
	w.settle(t)
	if err := w.planner.Stop(t.Context(), w.principal(), turns[0].ID); assent.ErrorCode(err) != assent.CodeConflict {
		t.Errorf("stopping what has ended gives %v", err)
	}
}
