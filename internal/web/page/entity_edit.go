package page

import (
	"encoding/json"
	"fmt"
	"net/http"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/views"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
)

// edition is something being changed: what is stored, and the form for it.
type edition struct {
	noun    store.Noun
	project assent.Project
	fields  []formField
	stored  map[string]string
}

func (p *Pages) edition(c echo.Context, k assent.Kind) (edition, error) {
	var e edition
	var err error
	if e.noun, e.project, err = p.findEntity(c, k, c.Param("id")); err != nil {
		return e, err
	}
	ch, err := p.choicesIn(c, e.project)
	if err != nil {
		return e, err
	}
	e.fields = keep(fieldsOf(k, ch), false)
	e.stored, err = valuesOf(e.noun)
	return e, err
}

func (e edition) form(c echo.Context, values map[string]string) views.Form {
	b := e.noun.Base()
	f := formOf(c, e.fields, values, views.EntityEditURL(b.Kind, b.ID))
	f.Revision = b.Revision
	f.Cancel = afterwards(e.noun)
	return f
}

// editEntity shows the form for something that is there.
func (p *Pages) editEntity(k assent.Kind) echo.HandlerFunc {
	return func(c echo.Context) error {
		e, err := p.edition(c, k)
		if err != nil {
			return err
		}
		return p.showEdit(c, http.StatusOK, e, e.form(c, e.stored))
	}
}

func (p *Pages) showEdit(c echo.Context, status int, e edition, f views.Form) error {
	b := e.noun.Base()
	if b.Kind == assent.KindTask {
		return p.showTask(c, status, e, f, "")
	}
	title := "Edit “" + store.Title(e.noun) + "”"
	return p.show(c, status, title, views.NavProjects, func(s views.Shell) templ.Component {
		return views.EntityFormPage(s, views.EntityPage{Title: title, Crumbs: views.ProjectCrumbs(e.project), Form: f,
			DeleteURL: views.EntityDeleteURL(b.Kind, b.ID), History: views.EntityHistoryURL(b.Kind, b.ID)})
	})
}

// updateEntity writes what the form changed, if nobody else did meanwhile.
func (p *Pages) updateEntity(k assent.Kind) echo.HandlerFunc {
	return func(c echo.Context) error {
		e, err := p.edition(c, k)
		if err != nil {
			return err
		}
		revision, err := revisionOf(c)
		if err != nil {
			return err
		}
		values := typed(c, e.fields)
		flash, err := p.save(c, e, revision, values)
		if err == nil {
			return done(c, afterwards(e.noun), flash)
		}
		if assent.ErrorCode(err) == assent.CodeStale {
			return p.showStale(c, k, revision, values)
		}
		f := e.form(c, values)
		status, err := refuse(&f, err)
		if err != nil {
			return err
		}
		f.Revision = revision
		return p.showEdit(c, status, e, f)
	}
}

// save calls the update tool with what differs from what is stored.
func (p *Pages) save(c echo.Context, e edition, revision int64, values map[string]string) (string, error) {
	b := e.noun.Base()
	args := map[string]any{}
	for _, f := range e.fields {
		if values[f.Name] != e.stored[f.Name] {
			args[f.Name] = values[f.Name]
		}
	}
	if len(args) == 0 {
		return "Nothing to change.", nil
	}
	args[string(b.Kind)+"_id"], args["revision"] = b.ID, revision
	r, err := p.call(c, "update_"+string(b.Kind), args)
	return r.Summary + ".", err
}

// showStale answers when somebody else changed the thing meanwhile. What the
// person typed stays; what only the other changed is taken over; where both
// did, both stand there.
func (p *Pages) showStale(c echo.Context, k assent.Kind, from int64, values map[string]string) error {
	e, err := p.edition(c, k)
	if err != nil {
		return err
	}
	base, known, err := p.valuesAt(c, e.noun, from)
	if err != nil {
		return err
	}
	f := e.form(c, values)
	f.Stale = true
	f.Error = fmt.Sprintf("Somebody else changed this %s while you were typing.", k)
	f.Kept = "Nothing was overwritten and what you typed is still here. Compare it with what is stored now, then save again."
	for i := range f.Fields {
		x := &f.Fields[i]
		was := base[x.Name] // an empty field is left out of the JSON
		switch now := e.stored[x.Name]; {
		case known && now == was || now == x.Value: // nobody else touched it
		case known && x.Value == was:
			x.Value, x.Current = now, now
			x.Hint = "Changed by somebody else meanwhile; their value is taken over."
		default:
			x.Current = now
		}
	}
	return p.showEdit(c, http.StatusConflict, e, f)
}

// valuesAt gives an entity's fields as they were at a revision; known is false
// when that is not on record any more.
func (p *Pages) valuesAt(c echo.Context, n store.Noun, revision int64) (values map[string]string, known bool, err error) {
	r, err := p.Store.FindRevision(plainly(c), n.Base().ID, revision)
	if assent.ErrorCode(err) == assent.CodeNotFound {
		return map[string]string{}, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	values, err = textFields(r.After)
	return values, err == nil, err
}

// textFields gives the fields of an entity's JSON that are text.
func textFields(data json.RawMessage) (map[string]string, error) {
	out := map[string]string{}
	if len(data) == 0 {
		return out, nil
	}
	var all map[string]any
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, fmt.Errorf("fields of a revision: %w", err)
	}
	for name, v := range all {
		if s, ok := v.(string); ok {
			out[name] = s
		}
	}
	return out, nil
}
