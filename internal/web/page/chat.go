package page

import (
	"context"
	"net/http"
	"strings"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/internal/stream"
	"assent/internal/web"
	"assent/views"

	"github.com/a-h/templ"
	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// chatRoutes are the pages of conversations.
func (p *Pages) chatRoutes() []Route {
	const get, post = http.MethodGet, http.MethodPost
	return []Route{
		{get, views.HomeURL, p.newChat},
		{get, views.NewChatURL, p.newChat},
		{post, views.NewChatURL, p.beginChat},
		{get, "/chat/:id", p.chat},
		{get, "/chat/:id/events", p.chatEvents},
		{post, "/chat/:id/messages", p.sendMessage},
		{post, "/chat/:id/stop", p.stopTurn},
		{post, "/messages/:id/take-back", p.takeReadingBack},
		{post, "/runs/:id/:action", p.actOnRun},
		{post, "/chat/:id/rename", p.renameChat},
		{get, "/chat/:id/delete", p.confirmDeleteChat},
		{post, "/chat/:id/delete", p.deleteChat},
		{get, "/chat/:id/export.md", p.exportMarkdown},
		{get, "/chat/:id/export.json", p.exportJSON},
		{get, views.ConversationsURL, p.conversations},
	}
}

// newChat is the page of a conversation that has not begun.
func (p *Pages) newChat(c echo.Context) error {
	return p.showNewChat(c, http.StatusOK, views.Composer{})
}

func (p *Pages) showNewChat(c echo.Context, status int, given views.Composer) error {
	s, err := p.shell(c, "New chat", views.NavChat)
	if err != nil {
		return err
	}
	given.Action, given.CSRF, given.Default, given.Offline, given.Autofocus = views.NewChatURL, s.CSRF, s.Person.DefaultMode, s.Offline, true
	if given.Key == "" {
		given.Key = p.IDs()
	}
	if given.Context == "" {
		given.Context = contextValue(c.QueryParam("context_type"), c.QueryParam("entity_id"))
	}
	if given.Contexts, err = p.contexts(c, s, given.Context); err != nil {
		return err
	}
	given.Examples = examples(len(s.Projects) > 0)
	return p.render(c, status, s, views.NewChatView(s, given))
}

// contextValue is a choice of the context picker: "project:<id>".
func contextValue(kind, entity string) string {
	ct, ok := assent.ParseContextType(kind)
	if !ok {
		ct = assent.ContextGeneral
	}
	if entity == "" {
		return string(ct)
	}
	return string(ct) + ":" + entity
}

// contexts are the choices: in general, a new project, one of the projects, or
// what the address names.
func (p *Pages) contexts(c echo.Context, s views.Shell, chosen string) ([]views.Option, error) {
	out := []views.Option{{Value: string(assent.ContextGeneral), Label: "General"}, {Value: string(assent.ContextProjectCreate), Label: "New project"}}
	for _, pr := range s.Projects {
		out = append(out, views.Option{Value: contextValue(string(assent.ContextProject), pr.ID), Label: pr.Name})
	}
	for _, o := range out {
		if o.Value == chosen {
			return out, nil
		}
	}
	kind, entity, _ := strings.Cut(chosen, ":")
	link, err := p.about(c, assent.Session{UserID: s.Person.ID, EntityID: entity})
	if err != nil || link.URL == "" {
		return out, err
	}
	return append(out, views.Option{Value: chosen, Label: views.ContextLabel(assent.ContextType(kind)) + ": " + link.Label}), nil
}

// examples are first messages that the empty page suggests.
func examples(projects bool) []string {
	out := []string{"Set up our office move to Leith by the end of March as a project, but show me the plan first", "Which templates are there?"}
	if projects {
		return append(out, "Which tasks are blocked or overdue?", "How healthy are my projects?")
	}
	return append(out, "Plan the launch of our new website in six weeks")
}

// beginChat takes the first message: it makes the conversation and leads to it.
// The form's key is the conversation's id, so that a repeated submit is the
// same conversation.
func (p *Pages) beginChat(c echo.Context) error {
	f := readMessage(c)
	kind, entity, _ := strings.Cut(c.FormValue("context"), ":")
	ct, ok := assent.ParseContextType(kind)
	id, err := uuid.Parse(f.IdempotencyKey)
	if !ok || err != nil {
		return assent.Errorf(assent.CodeMalformed, "The form cannot be read. Nothing was sent; load the page again and repeat it.")
	}
	if entity != "" {
		if link, err := p.about(c, assent.Session{UserID: person(c).Person.ID, EntityID: entity}); err != nil || link.URL == "" {
			return orNotFound(err, "project")
		}
	}
	session := assent.Session{ID: id.String(), UserID: person(c).Person.ID, ContextType: ct, EntityID: entity}
	if err := p.createSession(c, session); err != nil {
		return err
	}
	f.SessionID = session.ID
	if _, err := p.Turns.Send(c.Request().Context(), person(c), f); err != nil {
		return p.refuseFirst(c, session, f, err)
	}
	return c.Redirect(http.StatusSeeOther, views.ChatURL(session.ID))
}

func orNotFound(err error, what string) error {
	if err != nil {
		return err
	}
	return assent.NotFound(what)
}

// createSession makes a conversation unless this person has made it already.
func (p *Pages) createSession(c echo.Context, s assent.Session) error {
	return p.Store.Write(c.Request().Context(), func(tx *store.Tx) error {
		old, err := tx.FindSession(c.Request().Context(), s.ID)
		if assent.ErrorCode(err) == assent.CodeNotFound {
			s.CreatedAt, s.UpdatedAt = tx.Now(), tx.Now()
			return tx.CreateSession(s)
		}
		if err == nil && old.UserID != s.UserID {
			return assent.NotFound("conversation")
		}
		return err
	})
}

// refuseFirst shows the page again with what was typed; the conversation that
// did not begin is taken away.
func (p *Pages) refuseFirst(c echo.Context, s assent.Session, f assent.SendRequest, refusal error) error {
	err := p.Store.Write(c.Request().Context(), func(tx *store.Tx) error {
		m, err := tx.ListMessages(c.Request().Context(), s.ID)
		if err != nil || len(m) > 0 {
			return err
		}
		return tx.DeleteSession(s.ID)
	})
	problem := web.ProblemOf(c, refusal)
	if err != nil || problem.Status >= http.StatusInternalServerError {
		return refusal
	}
	return p.showNewChat(c, problem.Status, views.Composer{Words: f.Content, Problem: problem.Detail, Mode: f.Mode, Context: c.FormValue("context")})
}

// chat is the page of a conversation, complete as of its newest event; the
// stream goes on from there.
func (p *Pages) chat(c echo.Context) error {
	return p.showChat(c, http.StatusOK, c.Param("id"), views.Composer{})
}

func (p *Pages) showChat(c echo.Context, status int, id string, given views.Composer) error {
	session, err := p.findSession(c, id)
	if err != nil {
		return err
	}
	folded, err := p.fold(c.Request().Context(), session, session.LastSeq)
	if err != nil {
		return err
	}
	about, err := p.about(c, session)
	if err != nil {
		return err
	}
	given.Action, given.Session, given.SeenSeq, given.Last = views.MessagesURL(id), id, folded.Seq, folded.LastWords()
	given.Key, given.CSRF, given.Default = p.IDs(), csrf(c), person(c).Person.DefaultMode
	s, err := p.shell(c, views.SessionTitle(session), views.NavChat)
	if err != nil {
		return err
	}
	s.SessionID = id
	var content templ.Component = views.ChatView(views.ChatPage{Shell: s, Chat: folded, About: about, Composer: given})
	return p.render(c, status, s, content)
}

// chatEvents is the live stream of a conversation as HTML.
func (p *Pages) chatEvents(c echo.Context) error {
	after, ok := stream.After(c.Request())
	if !ok {
		return assent.Invalid("/after", "invalid", "Must be the number of an event.")
	}
	return p.Hub.Serve(c.Response(), c.Request(), c.Param("id"), func(ctx context.Context) (stream.Feed, error) {
		session, err := p.findSession(c, c.Param("id"))
		if err != nil {
			return stream.Feed{}, err
		}
		folded, err := p.fold(ctx, session, min(after, session.LastSeq))
		return stream.Feed{LastSeq: session.LastSeq, After: after, Still: web.Still(c),
			Renderer: web.NewFragments(folded, reader(c), p.Clock, p.beside(session.ID, person(c).Person))}, err
	})
}
