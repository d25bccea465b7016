package planner_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"assent/internal/assent"
	"assent/internal/llm/llmtest"
	"assent/internal/store"
)

// refuseAnswers has the database refuse every answer, for a reason that is not a
// full disk; allowAnswers ends that.
const (
	refuseAnswers = `CREATE TRIGGER refuse BEFORE INSERT ON messages WHEN NEW.role = 'assistant' BEGIN SELECT RAISE(ABORT, 'not now'); END`
	allowAnswers  = `DROP TRIGGER refuse`
)

// exec runs a statement on the writer's connection, in the writer's goroutine.
func (w *world) exec(t *testing.T, statement string) {
	t.Helper()
	diskOf.mu.Lock()
	conn := diskOf.writers[w.Path()]
	diskOf.mu.Unlock()
	err := w.Write(t.Context(), func(*store.Tx) error {
		_, err := conn.ExecContext(context.Background(), statement, nil)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestAnEndThatCannotBeWrittenIsTriedAgain: a turn whose end the store refuses
// for a while ends by itself, whole, and the next one begins.
func TestAnEndThatCannotBeWrittenIsTriedAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, options{model: llmtest.NewModel(t, llmtest.Text("First."), llmtest.Text("Second."))})
		w.exec(t, refuseAnswers)
		w.say(t, " Tell me.")
		time.Sleep(2500 * time.Millisecond)
		w.say(t, " And then?")
		if turns, err := w.ListTurns(t.Context(), w.session); err != nil || turns[0].Status != assent.TurnRunning || turns[1].Status != assent.TurnQueued {
			t.Fatalf("while it cannot be written the turns are %+v, %v", turns, err)
		}
		w.exec(t, allowAnswers)
		w.settle(t)
		turns, err := w.ListTurns(t.Context(), w.session)
		if err != nil || turns[0].Status != assent.TurnCompleted || turns[1].Status != assent.TurnCompleted || w.last(t).Content != "Second." {
			t.Errorf("in the end the turns are %+v, %v", turns, err)
		}
		w.eventLines(t) // without a gap
	})
}

// TestAnEndThatCanNeverBeWrittenIsGivenUp: the turn fails, with a reason, and the
// conversation goes on.
func TestAnEndThatCanNeverBeWrittenIsGivenUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, options{model: llmtest.NewModel(t, llmtest.Text("First."), llmtest.Text("Second."))})
		w.exec(t, refuseAnswers)
		w.say(t, " Tell me.")
		time.Sleep(time.Second)
		w.say(t, " And then?")
		w.settle(t)
		turns, err := w.ListTurns(t.Context(), w.session)
		if err != nil || len(turns) != 2 {
			t.Fatal(turns, err)
		}
		for _, turn := range turns {
			if turn.Status != assent.TurnFailed || turn.Error == nil || turn.Error.Code != assent.CodeInternal {
				t.Errorf("the turn is %s: %+v", turn.Status, turn.Error)
			}
		}
		w.eventLines(t)
	})
}

// TestAnEndIsLeftToRecoveryWhenTheStoreIsGone: a process that shuts down does not
// try for ever.
func TestAnEndIsLeftToRecoveryWhenTheStoreIsGone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, options{model: llmtest.NewModel(t, llmtest.Text("First."))})
		w.exec(t, refuseAnswers)
		w.say(t, " Tell me.")
		time.Sleep(1500 * time.Millisecond)
		w.exec(t, allowAnswers)
		w.kill(t)
		turns, err := w.ListTurns(t.Context(), w.session)
		if err != nil || len(turns) != 1 || turns[0].Status != assent.TurnInterrupted || w.last(t).Content != "First." {
			t.Errorf("after a restart the turns are %+v, %v", turns, err)
		}
	})
}
