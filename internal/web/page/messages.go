package page

import (
	"net/http"
	"strconv"

	"assent/internal/assent"
	"assent/internal/web"
	"assent/views"

	"github.com/labstack/echo/v4"
)

// readMessage reads the composer. A suggested reply stands for the words; what
// was typed beside it is kept for later.
func readMessage(c echo.Context) assent.SendRequest {
	f := assent.SendRequest{Content: c.FormValue("content"), IdempotencyKey: c.FormValue("key")}
	if reply := c.FormValue("reply"); reply != "" {
		f.Content = reply
	}
	f.Mode, _ = assent.ParseMode(c.FormValue("execution_mode")) // what is no mode loosens nothing
	if n, err := strconv.ParseInt(c.FormValue("seen_seq"), 10, 64); err == nil {
		f.SeenSeq = &n
	}
	return f
}

// sendMessage takes a message. The bubble comes by the stream; without a
// script the page is loaded anew.
func (p *Pages) sendMessage(c echo.Context) error {
	session, err := p.findSession(c, c.Param("id"))
	if err != nil {
		return err
	}
	f := readMessage(c)
	f.SessionID = session.ID
	if _, err := p.Turns.Send(c.Request().Context(), person(c), f); err != nil {
		problem := web.ProblemOf(c, err)
		if wantsFragment(c.Request()) || problem.Status >= http.StatusInternalServerError {
			return err
		}
		return p.showChat(c, problem.Status, session.ID, views.Composer{Words: f.Content, Problem: problem.Detail, Mode: f.Mode})
	}
	return p.back(c, session.ID)
}

// back answers what the stream will show: nothing for htmx, else the page.
func (p *Pages) back(c echo.Context, session string) error {
	if wantsFragment(c.Request()) {
		return c.NoContent(http.StatusNoContent)
	}
	return c.Redirect(http.StatusSeeOther, views.ChatURL(session)+"#working")
}

// stopTurn stops the answer under way, or the next one that waits.
func (p *Pages) stopTurn(c echo.Context) error {
	session, err := p.findSession(c, c.Param("id"))
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	t, err := p.Store.FindRunningTurn(ctx, session.ID)
	if assent.ErrorCode(err) == assent.CodeNotFound {
		t, err = p.Store.FindNextQueuedTurn(ctx, session.ID)
	}
	if assent.ErrorCode(err) == assent.CodeNotFound {
		return p.back(c, session.ID) // it has ended meanwhile
	}
	if err != nil {
		return err
	}
	if err := p.Turns.Stop(ctx, person(c), t.ID); err != nil && assent.ErrorCode(err) != assent.CodeConflict {
		return err
	}
	return p.back(c, session.ID)
}

// takeReadingBack takes the reading of a message back.
func (p *Pages) takeReadingBack(c echo.Context) error {
	ctx := c.Request().Context()
	m, err := p.Store.FindMessage(ctx, c.Param("id"))
	if err != nil {
		return err
	}
	session, err := p.findSession(c, m.SessionID)
	if err != nil {
		return orNotFound(nil, "message")
	}
	if _, err := p.Turns.TakeBack(ctx, person(c), m.ID); err != nil {
		return err
	}
	return p.back(c, session.ID)
}
