package plan

import (
	"strconv"
	"time"

	"assent/internal/assent"
	"assent/internal/plan/lang"
)

// attempt is one try at one step; its number is the fence for all that it does.
type attempt struct {
	job
	path   string
	step   assent.Step
	number int64
	start  time.Time
}

// key is the idempotency key of what a step does: the same when an interrupted
// step runs again, another one after a rollback.
func (a attempt) key() string { return key(a.run, a.path) }

func key(run assent.Run, path string) string {
	return run.ID + "/" + path + "/" + strconv.FormatInt(run.Generation, 10)
}

// parent is the path of the parallel step that this is a child of; "" if none.
func (a attempt) parent() string { return a.places[a.path].Parent }

// races reports a child whose success ends its siblings.
func (a attempt) races() bool {
	return a.parent() != "" && a.places[a.parent()].Step.Merge == lang.MergeFirstSuccess
}

// isLast reports whether nothing comes after the top-level step path.
func (j job) isLast(path string) bool {
	return len(j.doc.Steps) > 0 && j.doc.Steps[len(j.doc.Steps)-1].ID == path
}
