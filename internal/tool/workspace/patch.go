package workspace

import (
	"fmt"
	"strings"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/internal/tool"
)

// patch applies the optional fields of an update to an entity and remembers in
// words what changed.
type patch struct {
	given int // fields in the call
	notes []string
	err   error // the first refusal
}

// title changes a name or title; a blank one is refused.
func (p *patch) title(name string, field *string, v *string) {
	if v == nil {
		return
	}
	p.given++
	t, err := named("/"+name, *v)
	if err != nil {
		p.fail(err)
		return
	}
	if *field != t {
		p.notes = append(p.notes, fmt.Sprintf("%s “%s”", name, t))
		*field = t
	}
}

// text changes a longer text; it may become empty.
func (p *patch) text(name string, field *string, v *string) {
	if v == nil {
		return
	}
	p.given++
	if *field != *v {
		p.notes = append(p.notes, name)
		*field = *v
	}
}

// choice changes a status or another word out of a set.
func (p *patch) choice(name string, field *string, v string) {
	if v == "" {
		return
	}
	p.given++
	if *field != v {
		p.notes = append(p.notes, name+" "+strings.ReplaceAll(v, "_", " "))
		*field = v
	}
}

// day changes a date; an empty one takes it away.
func (p *patch) day(name string, field *assent.Date, v *clearableDate) {
	if v == nil {
		return
	}
	p.given++
	if d := assent.Date(*v); *field != d {
		p.notes = append(p.notes, name+" "+or(string(d), "removed"))
		*field = d
	}
}

func (p *patch) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

// save writes n if anything changed, and says in one line what.
func save[T any, P entity[T]](tx *store.Tx, c tool.Call, p *patch, n *T) (tool.Result[T], error) {
	e := P(n).Base()
	r := tool.Result[T]{ArtifactID: e.ID}
	switch {
	case p.err != nil:
		return r, p.err
	case p.given == 0:
		return r, &assent.Error{Code: assent.CodeInvalid, Message: fmt.Sprintf("Nothing was said about what to change in this %s.", e.Kind),
			Hint: "Name at least one field with its new value."}
	case len(p.notes) == 0:
		r.Artifact, r.Summary = *n, fmt.Sprintf("Nothing to change: %s is already so", quoted(P(n)))
		return r, nil
	}
	if err := tx.UpdateEntity(store.OriginOf(c.Scope, c.Tool), P(n)); err != nil {
		return r, err
	}
	r.Artifact, r.Summary = *n, fmt.Sprintf("Changed the %s %s: %s", e.Kind, quoted(P(n)), strings.Join(p.notes, ", "))
	return r, nil
}
