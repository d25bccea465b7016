package page

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/views"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
)

// errorsPerPage is how many failures a page shows.
const errorsPerPage = 30

// errors lists failures. It shows what went wrong, not what was said.
func (p *Pages) errors(c echo.Context) error {
	f := store.ErrorFilter{Class: c.QueryParam("class"), TurnID: c.QueryParam("turn"), PlanID: c.QueryParam("plan")}
	rows, next, err := p.Store.ListErrors(c.Request().Context(), f, store.Page{Cursor: c.QueryParam("cursor"), Limit: errorsPerPage})
	if err != nil {
		return err
	}
	e := views.Errors{Class: f.Class, Meaning: meaning(f.Class), Of: errorsOf(f), Pager: cursorPager(c, next)}
	if e.Filters, err = p.errorFilters(c, f.Class); err != nil {
		return err
	}
	people := p.names(c)
	for _, row := range rows {
		l := views.ErrorLine{Row: row, Meaning: meaning(row.Class), Detail: indented(row.Details)}
		if l.Person, err = people.of(row.UserID); err != nil {
			return err
		}
		e.Lines = append(e.Lines, l)
	}
	if e.Head, err = p.adminHead(c, views.AdminErrorsURL); err != nil {
		return err
	}
	return p.show(c, http.StatusOK, "Errors", views.NavAdmin, func(s views.Shell) templ.Component { return views.ErrorsPage(s, e) })
}

// errorsOf is the turn or plan whose errors alone are asked for.
func errorsOf(f store.ErrorFilter) *views.Link {
	switch {
	case f.TurnID != "":
		return &views.Link{URL: views.AdminTurnURL(f.TurnID), Label: "turn"}
	case f.PlanID != "":
		return &views.Link{URL: views.AdminPlanURL(f.PlanID), Label: "plan"}
	}
	return nil
}

// errorFilters are the classes of models' failures and whatever else occurred.
func (p *Pages) errorFilters(c echo.Context, class string) ([]views.Link, error) {
	counts, err := p.Store.ErrorClasses(c.Request().Context())
	if err != nil {
		return nil, err
	}
	classes := modelClasses()
	for _, x := range slices.Sorted(maps.Keys(counts)) {
		if !slices.Contains(classes, x) {
			classes = append(classes, x)
		}
	}
	out := []views.Link{{URL: views.AdminErrorsURL, Label: "All", Current: class == ""}}
	for _, x := range classes {
		out = append(out, views.Link{URL: views.WithQuery(views.AdminErrorsURL, "class", x), Label: views.Words(x), Current: class == x, Count: counts[x]})
	}
	return out, nil
}

// indented lays out an error's details; an empty object is nothing.
func indented(raw json.RawMessage) string {
	if len(raw) == 0 || string(raw) == "{}" {
		return ""
	}
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return string(raw)
	}
	return b.String()
}

// adminTurn shows what a turn did and cost, without what was said.
func (p *Pages) adminTurn(c echo.Context) error {
	ctx := c.Request().Context()
	turn, err := p.Store.FindTurn(ctx, c.Param("id"))
	if err != nil {
		return err
	}
	t := views.TurnPage{Turn: turn, Own: turn.UserID == person(c).Person.ID}
	if t.Session, err = p.Store.FindSession(ctx, turn.SessionID); err != nil {
		return err
	}
	if t.Person, err = p.Store.FindPerson(ctx, turn.UserID); err != nil {
		return err
	}
	if t.Calls, err = p.Store.ListTurnUsage(ctx, turn.ID); err != nil {
		return err
	}
	if t.Errors, err = p.countErrors(c, store.ErrorFilter{TurnID: turn.ID}); err != nil {
		return err
	}
	plans, err := p.Store.ListPlansBySession(ctx, turn.SessionID)
	if err != nil {
		return err
	}
	t.Plans = slices.DeleteFunc(plans, func(x assent.Plan) bool { return x.TurnID != turn.ID })
	events, err := p.Store.TurnEvents(ctx, turn.SessionID, turn.ID)
	if err != nil {
		return err
	}
	t.EventsByType = counted(events)
	if t.Head, err = p.adminHead(c, views.AdminErrorsURL); err != nil {
		return err
	}
	return p.show(c, http.StatusOK, "A turn", views.NavAdmin, func(s views.Shell) templ.Component { return views.AdminTurnPage(s, t) })
}

// countErrors is how many errors of a turn or plan are on record, a page of them
// at most.
func (p *Pages) countErrors(c echo.Context, f store.ErrorFilter) (int64, error) {
	rows, _, err := p.Store.ListErrors(c.Request().Context(), f, store.Page{Limit: errorsPerPage})
	return int64(len(rows)), err
}

// counted says how often each type of event occurred.
func counted(events []assent.LoggedEvent) []views.CountLine {
	n := map[string]int64{}
	for _, e := range events {
		n[e.Type]++
	}
	var out []views.CountLine
	for name, count := range n {
		out = append(out, views.CountLine{Name: name, N: count})
	}
	slices.SortFunc(out, func(a, b views.CountLine) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// openConversation shows an admin somebody's conversation. That it was opened is
// committed before anything of it is shown; there is no address that shows it
// without.
func (p *Pages) openConversation(c echo.Context) error {
	ctx := c.Request().Context()
	session, err := p.Store.FindSession(ctx, c.Param("id"))
	if err != nil {
		return err
	}
	o := views.OpenedConversation{Session: session}
	if o.Person, err = p.Store.FindPerson(ctx, session.UserID); err != nil {
		return err
	}
	err = p.Store.Write(ctx, func(tx *store.Tx) error {
		return tx.Audit(p.origin(c, ""), "open_conversation", session.ID, details("owner_id", session.UserID, "turn_id", c.FormValue("turn")))
	})
	if err != nil {
		return err
	}
	messages, err := p.Store.ListMessages(ctx, session.ID)
	if err != nil {
		return err
	}
	for _, m := range messages {
		o.Messages = append(o.Messages, views.OpenedMessage{Message: m, Body: views.Markdown(m.Content)})
	}
	if o.Head, err = p.adminHead(c, views.AdminErrorsURL); err != nil {
		return err
	}
	return p.show(c, http.StatusOK, views.SessionTitle(session), views.NavAdmin, func(s views.Shell) templ.Component { return views.OpenedPage(s, o) })
}
