package api

import (
	"context"
	"net/http"
	"strconv"

	"assent/internal/assent"
	"assent/internal/stream"
	"assent/internal/web"

	"github.com/labstack/echo/v4"
)

func (r *Resources) sendMessage(c echo.Context) error {
	var in struct {
		Content        string `json:"content" required:"true"`
		ExecutionMode  string `json:"execution_mode"`
		IdempotencyKey string `json:"idempotency_key"`
		SeenSeq        *int64 `json:"seen_seq"`
	}
	if err := web.Bind(c, &in); err != nil {
		return err
	}
	mode, ok := assent.ParseMode(in.ExecutionMode)
	if !ok {
		return assent.Invalid("/execution_mode", "invalid", "Must be one of auto_execute, agent_review, draft_only.")
	}
	if len(in.IdempotencyKey) > 200 {
		return assent.Invalid("/idempotency_key", "too_long", "A key may be at most 200 bytes long.")
	}
	if in.SeenSeq != nil && *in.SeenSeq < 0 {
		return assent.Invalid("/seen_seq", "invalid", "Must be zero or more.")
	}
	session := c.Param("id")
	if err := r.mayHaveSeen(c, session, in.SeenSeq); err != nil {
		return err
	}
	res, err := r.Turns.Send(c.Request().Context(), web.Principal(c), assent.SendRequest{SessionID: session, Content: in.Content, Mode: mode,
		IdempotencyKey: in.IdempotencyKey, SeenSeq: in.SeenSeq})
	if err != nil {
		return err
	}
	return c.JSON(http.StatusAccepted, map[string]any{"turn_id": res.TurnID, "message_id": res.MessageID, "queued": res.Queued,
		"events_url": "/api/v1/sessions/" + session + "/events"})
}

// mayHaveSeen refuses a position that no event has yet.
func (r *Resources) mayHaveSeen(c echo.Context, session string, seen *int64) error {
	if seen == nil {
		return nil
	}
	s, err := r.ownSession(c, session)
	if err == nil && *seen > s.LastSeq {
		return assent.Invalid("/seen_seq", "invalid", "No event has that number yet; the last one has "+strconv.FormatInt(s.LastSeq, 10)+".")
	}
	return err
}

func (r *Resources) takeBack(c echo.Context) error {
	out, err := r.Turns.TakeBack(c.Request().Context(), web.Principal(c), c.Param("id"))
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, out)
}

// events streams the session's log as JSON.
func (r *Resources) events(c echo.Context) error {
	after, ok := stream.After(c.Request())
	if !ok {
		return assent.Invalid("/after", "invalid", "The position must be a number of zero or more.")
	}
	until := c.QueryParam("until")
	if until != "" && until != "done" {
		return assent.Invalid("/until", "invalid", "The only value is done.")
	}
	return r.Hub.Serve(c.Response(), c.Request(), c.Param("id"), func(context.Context) (stream.Feed, error) {
		s, err := r.ownSession(c, c.Param("id"))
		return stream.Feed{LastSeq: s.LastSeq, After: after, UntilDone: until == "done", Renderer: stream.JSON{}, Still: web.Still(c)}, err
	})
}

func (r *Resources) getTurn(c echo.Context) error {
	t, err := r.Store.FindTurn(c.Request().Context(), c.Param("id"))
	if err != nil {
		return err
	}
	if t.UserID != web.Principal(c).Person.ID {
		return assent.NotFound("turn")
	}
	return c.JSON(http.StatusOK, t)
}

func (r *Resources) cancelTurn(c echo.Context) error {
	if err := r.Turns.Stop(c.Request().Context(), web.Principal(c), c.Param("id")); err != nil {
		return err
	}
	return c.JSON(http.StatusAccepted, map[string]string{"turn_id": c.Param("id")})
}
