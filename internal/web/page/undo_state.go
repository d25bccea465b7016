package page

import (
	"assent/internal/assent"
	"assent/internal/store"

	"github.com/labstack/echo/v4"
)

// undoState tells whether one change can be taken back now, and if not, why.
type undoState struct {
	exists   bool // the thing is there
	possible bool
	why      string
}

// undoState looks at what became of the thing since. A thing that was changed
// again is never overwritten.
func (p *Pages) undoState(c echo.Context, r assent.Revision) (undoState, error) {
	n, err := p.Store.FindAny(c.Request().Context(), r.EntityID)
	if assent.ErrorCode(err) == assent.CodeNotFound {
		if r.Op != "delete" {
			return undoState{why: "It was deleted since. Undo the deletion first."}, nil
		}
		return p.restorable(c, r)
	}
	if err != nil {
		return undoState{}, err
	}
	return stateOf(n, r), nil
}

// stateOf is undoState for a thing that is there.
func stateOf(n store.Noun, r assent.Revision) undoState {
	switch {
	case r.Op == "delete":
		return undoState{exists: true, why: "It was restored already."}
	case n.Base().Revision != r.Revision:
		return undoState{exists: true, why: "It was changed again since. Undo the later changes first, or edit it."}
	}
	return undoState{exists: true, possible: true}
}

// restorable tells whether a deletion can be taken back: only the last one of a
// thing, and only into a project that is there.
func (p *Pages) restorable(c echo.Context, r assent.Revision) (undoState, error) {
	last, err := p.Store.ListRevisions(c.Request().Context(), r.EntityID, 0, 1)
	if err != nil {
		return undoState{}, err
	}
	if len(last) == 0 || last[0].ID != r.ID {
		return undoState{why: "It was restored and deleted again since. Undo the last deletion."}, nil
	}
	if r.Kind == assent.KindProject {
		return undoState{possible: true}, nil
	}
	_, err = store.Find[assent.Project](c.Request().Context(), p.Store.Reads, r.ProjectID)
	if assent.ErrorCode(err) == assent.CodeNotFound {
		return undoState{why: "Its project was deleted too. Undo that first."}, nil
	}
	return undoState{possible: err == nil}, err
}
