package plan_test

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"assent/internal/assent"
	"assent/internal/plan"
)

// The process that is killed runs this test binary with these variables.
const (
	crashDir   = "ASSENT_TEST_CRASH_DIR"
	crashPoint = "ASSENT_TEST_CRASH_POINT"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(crashDir); dir != "" {
		dieAt(dir, os.Getenv(crashPoint))
	}
	os.Exit(m.Run())
}

// dieAt drives what runs in dir and ends itself as kill -9 does at a point.
func dieAt(dir, point string) {
	t := &testing.B{}
	w := worldIn(t, dir)
	w.plans = plan.New(w.plans.Deps)
	w.plans.Point = func(name, path string) {
		if name+" "+path == point {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {} // nothing may happen after it
		}
	}
	runs, err := w.ListRunsByStatus(context.Background(), assent.RunRunning)
	if err != nil || len(runs) != 1 {
		os.Exit(3)
	}
	w.plans.Drive(context.Background(), runs[0].ID)
	os.Exit(4) // the point was not reached
}

// everyStep is a plan with steps of each type.
func everyStep() []assent.Step {
	return []assent.Step{
		step("w", "note", `{"title":"one"}`),
		step("r", "flaky", `{"title":"x"}`),
		parallel("p", "", step("a", "note", `{"title":"two"}`), step("b", "flaky", `{"title":"y"}`), agentStep("c", "say hello")),
		parallel("f", "first_success", step("d", "note", `{"title":"three"}`), step("e", "fail", `{"why":"shut"}`)),
		step("s", "send", `{"title":"letter"}`),
		checkpoint("k", "Go on?"),
		step("z", "note", `{"title":"four"}`),
	}
}

// TestAKillAtEveryBoundary ends a real process at each boundary of the journal
// of each kind of step. The next one goes on: every effect happens exactly once,
// no step is left out, the log has no gap; what nobody can know is asked.
func TestAKillAtEveryBoundary(t *testing.T) {
	var points []string
	for _, path := range []string{"w", "r", "p", "p/a", "p/b", "p/c", "f", "f/d", "s", "z"} {
		points = append(points, "beginning "+path, "begun "+path)
	}
	for _, path := range []string{"w", "r", "p/a", "p/b", "p/c", "f/d", "s", "z"} {
		points = append(points, "ending "+path)
	}
	points = append(points, "ran w", "ran r", "ran p/a", "ran s", "merging p", "asking ", "asked k")
	for _, point := range points {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			killAndGoOn(t, point)
		})
	}
}

func killAndGoOn(t *testing.T, point string) {
	dir := t.TempDir()
	w := worldIn(t, dir)
	run := w.approved(t, everyStep()...)
	if after, _ := strings.CutPrefix(point, "beginning "); after == "z" || strings.HasSuffix(point, " z") {
		w.drive(t, run.ID) // up to the checkpoint, which is answered here
		w.act(t, run.ID, human("approve", ""))
	}
	w.Close()

	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), crashDir+"="+dir, crashPoint+"="+point)
	out, err := cmd.CombinedOutput()
	if ws, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || !ws.Signaled() || ws.Signal() != syscall.SIGKILL {
		t.Fatalf("the process was not killed at %q: %v\n%s", point, err, out)
	}

	w = worldIn(t, dir)
	got := w.drive(t, run.ID)
	asked := 0
	for got.Status == assent.RunWaitingHuman {
		for _, sr := range got.Steps {
			if sr.Status == assent.StepWaitingHuman && sr.Path != "k" {
				asked++
			}
		}
		w.act(t, run.ID, human("approve", ""))
		got = w.drive(t, run.ID)
	}
	w.consistent(t, got, asked > 0)
	wantAsked := 0
	if point == "begun s" || point == "ran s" || point == "ending s" {
		wantAsked = 1 // nobody knows whether the letter went out
	}
	if asked != wantAsked {
		t.Errorf("asked %d times about an interrupted step, want %d", asked, wantAsked)
	}
}

// consistent checks a completed run of everyStep against its journal.
func (w *world) consistent(t *testing.T, got assent.Run, asked bool) {
	t.Helper()
	if got.Status != assent.RunCompleted {
		t.Fatalf("run %s: %+v", statuses(got), got.Error)
	}
	for _, sr := range got.Steps {
		if sr.Status != assent.StepSuccess && sr.Path != "f/e" {
			t.Errorf("step %s is %s", sr.Path, sr.Status)
		}
	}
	revs, err := w.ListRunRevisions(t.Context(), got.ID)
	if err != nil || len(revs) != 4 {
		t.Errorf("%d writes, error %v: want each of four once", len(revs), err)
	}
	// What was sent before the kill is known by its trace: a file outside.
	if n := w.sent.count(t); n > 1 && !asked || n > 2 || n == 0 {
		t.Errorf("sent %d times, asked %v", n, asked)
	}
	events, err := w.Events(t.Context(), got.SessionID, 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	ends := map[string]int{}
	for i, ev := range events {
		if ev.Seq != int64(i+1) {
			t.Fatalf("seq %d at place %d", ev.Seq, i+1)
		}
		if ev.Type == "step_complete" && strings.Contains(string(ev.Data), `"status":"success"`) {
			_, rest, _ := strings.Cut(string(ev.Data), `"path":"`)
			path, _, _ := strings.Cut(rest, `"`)
			ends[path]++
		}
	}
	for path, n := range ends {
		if n != 1 {
			t.Errorf("step %s is told to have succeeded %d times", path, n)
		}
	}
}
