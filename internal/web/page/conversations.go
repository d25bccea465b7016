package page

import (
	"encoding/json"
	"net/http"
	"strings"
	"unicode/utf8"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/views"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
)

// conversationsPerPage is how many conversations a page lists; found is how
// many a search shows.
const (
	conversationsPerPage  = 40
	conversationsFound    = 50
	maxConversationTitle  = 120
	conversationsDeleteID = "f"
)

// conversations lists the reader's conversations, or those that a search finds.
func (p *Pages) conversations(c echo.Context) error {
	q := views.Conversations{Query: strings.TrimSpace(c.QueryParam("q"))}
	var err error
	if q.Query != "" {
		q.Found, err = p.Store.SearchSessions(c.Request().Context(), person(c).Person.ID, q.Query, conversationsFound)
	} else {
		var next string
		q.Sessions, next, err = p.Store.ListSessions(c.Request().Context(), person(c).Person.ID, store.Page{Cursor: c.QueryParam("cursor"), Limit: conversationsPerPage})
		q.Pager = cursorPager(c, next)
	}
	if err != nil {
		return err
	}
	return p.show(c, http.StatusOK, "Conversations", views.NavConversations, func(s views.Shell) templ.Component { return views.ConversationsPage(s, q) })
}

// renameChat gives a conversation another title.
func (p *Pages) renameChat(c echo.Context) error {
	session, err := p.findSession(c, c.Param("id"))
	if err != nil {
		return err
	}
	title := strings.Join(strings.Fields(c.FormValue("title")), " ")
	if title == "" || utf8.RuneCountInString(title) > maxConversationTitle {
		return assent.Invalid("/title", "invalid", "A title has 1 to 120 characters. The old one is kept.")
	}
	err = p.Store.Write(c.Request().Context(), func(tx *store.Tx) error { return tx.UpdateSessionTitle(session.ID, title) })
	if err != nil {
		return err
	}
	return done(c, backTo(c, views.ChatURL(session.ID)), "")
}

// confirmDeleteChat asks before a conversation is deleted.
func (p *Pages) confirmDeleteChat(c echo.Context) error {
	session, err := p.findSession(c, c.Param("id"))
	if err != nil {
		return err
	}
	return p.showDeleteChat(c, http.StatusOK, session, nil)
}

func (p *Pages) showDeleteChat(c echo.Context, status int, session assent.Session, refusal error) error {
	title := "Delete “" + views.SessionTitle(session) + "”?"
	f := views.Form{ID: conversationsDeleteID, Action: views.DeleteURL(session.ID), CSRF: csrf(c), Submit: "Delete conversation", Danger: true, Cancel: views.ChatURL(session.ID)}
	if refusal != nil {
		var err error
		if status, err = refuse(&f, refusal); err != nil {
			return err
		}
		f.Kept = "Nothing was deleted."
	}
	return p.show(c, status, title, views.NavConversations, func(s views.Shell) templ.Component {
		return views.ConfirmView(s, views.ConfirmPage{Title: title, Form: f, Crumbs: []views.Link{{URL: views.ConversationsURL, Label: "Conversations"}},
			Facts: []string{"Its messages and plans, with their approvals and receipts, are deleted for good.", "What its plans did in your projects stays, and can be undone from the history of each project.", "What it cost stays on record."}})
	})
}

// deleteChat deletes a conversation with everything in it.
func (p *Pages) deleteChat(c echo.Context) error {
	session, err := p.findSession(c, c.Param("id"))
	if err != nil {
		return err
	}
	err = p.Store.Write(c.Request().Context(), func(tx *store.Tx) error { return tx.DeleteSession(session.ID) })
	if assent.ErrorCode(err) == assent.CodeConflict {
		return p.showDeleteChat(c, http.StatusConflict, session, err)
	}
	if err != nil {
		return err
	}
	return done(c, views.ConversationsURL, "Deleted “"+views.SessionTitle(session)+"”.")
}

// content loads what an export holds.
func (p *Pages) content(c echo.Context) (e views.Export, err error) {
	ctx := c.Request().Context()
	if e.Session, err = p.findSession(c, c.Param("id")); err != nil {
		return e, err
	}
	if e.Messages, err = p.Store.ListMessages(ctx, e.Session.ID); err != nil {
		return e, err
	}
	e.Plans, err = p.Store.ListPlansBySession(ctx, e.Session.ID)
	return e, err
}

func (p *Pages) exportMarkdown(c echo.Context) error {
	e, err := p.content(c)
	if err != nil {
		return err
	}
	return attach(c, e.FileName("md"), "text/markdown; charset=utf-8", []byte(e.Markdown(reader(c))))
}

func (p *Pages) exportJSON(c echo.Context) error {
	e, err := p.content(c)
	if err != nil {
		return err
	}
	b, err := json.MarshalIndent(e, "", "  ")
	if err != nil {
		return err
	}
	return attach(c, e.FileName("json"), echo.MIMEApplicationJSON, b)
}

// attach answers with a file to be saved.
func attach(c echo.Context, name, kind string, body []byte) error {
	c.Response().Header().Set(echo.HeaderContentDisposition, `attachment; filename="`+name+`"`)
	c.Response().Header().Set("Cache-Control", "no-store")
	return c.Blob(http.StatusOK, kind, body)
}
