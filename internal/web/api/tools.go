package api

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/internal/tool"
	"assent/internal/web"

	"github.com/labstack/echo/v4"
)

// scope is the caller's own hand: a person, by page or API.
func (r *Resources) scope(c echo.Context) assent.Scope {
	pr := web.Principal(c)
	return assent.Scope{Person: pr.Person, Principal: pr, Caller: assent.CallerPerson, RequestID: web.RequestID(c), Zone: pr.Person.Zone(), ContextType: assent.ContextGeneral}
}

func (r *Resources) listTools(c echo.Context) error {
	return web.ListWhole(c, r.Executor.Registry().Specs())
}

// effectScope is the scope that a call by hand needs; design 06.
func effectScope(e assent.Effect) assent.TokenScope {
	switch {
	case e.NeedsWord():
		return assent.ScopeApprove
	case e == assent.EffectWrite:
		return assent.ScopeChat
	}
	return assent.ScopeRead
}

// callTool runs one tool with the caller's own hand, which is the word for it.
func (r *Resources) callTool(c echo.Context) error {
	var in struct {
		Arguments json.RawMessage `json:"arguments"`
	}
	if err := web.Bind(c, &in); err != nil {
		return err
	}
	name, err := nameParam(c)
	if err != nil || name == "" {
		return assent.NotFound("tool")
	}
	spec, _ := r.Executor.Registry().Spec(name) // an unknown one needs read, and is answered by an envelope
	if err := web.Need(c, effectScope(spec.Effect)); err != nil {
		return err
	}
	res := r.Executor.Execute(c.Request().Context(), tool.Call{ToolCall: assent.ToolCall{ID: r.Store.NewID(), Tool: name, Arguments: in.Arguments}, Scope: r.scope(c)})
	return c.JSON(http.StatusOK, res.Envelope())
}

// nameParam is the name in a path; a slash in it is sent as %2F.
func nameParam(c echo.Context) (string, error) {
	name := c.Param("name")
	if c.Request().URL.RawPath == "" {
		return name, nil
	}
	return url.PathUnescape(name) // the router took the path as it was sent
}

// listEntities lists one kind of what the caller may see.
func (r *Resources) listEntities(k assent.Kind) echo.HandlerFunc {
	return func(c echo.Context) error {
		page, err := web.Page(c)
		if err != nil {
			return err
		}
		f := store.Filter{UserID: web.Principal(c).Person.ID, ProjectID: c.QueryParam("project_id"), Status: c.QueryParam("status"), Page: page}
		items, next, err := listKind(c, r.Store.Reads, k, f)
		if err != nil {
			return err
		}
		return web.List(c, items, next)
	}
}

func listKind(c echo.Context, reads store.Reads, k assent.Kind, f store.Filter) (any, string, error) {
	ctx := c.Request().Context()
	switch k {
	case assent.KindProject:
		return anyList(store.List[assent.Project](ctx, reads, f))
	case assent.KindGoal:
		return anyList(store.List[assent.Goal](ctx, reads, f))
	case assent.KindMilestone:
		return anyList(store.List[assent.Milestone](ctx, reads, f))
	case assent.KindTask:
		return anyList(store.List[assent.Task](ctx, reads, f))
	case assent.KindDocument:
		return anyList(store.List[assent.Document](ctx, reads, f))
	case assent.KindRisk:
		return anyList(store.List[assent.Risk](ctx, reads, f))
	case assent.KindDecision:
		return anyList(store.List[assent.Decision](ctx, reads, f))
	}
	return anyList(store.List[assent.Relation](ctx, reads, f))
}

func anyList[T any](items []T, next string, err error) (any, string, error) { return items, next, err }

// seen gives an entity of a kind that the caller may see. What is absent and
// what is someone else's answer alike, to the letter.
func (r *Resources) seen(c echo.Context, k assent.Kind) (store.Noun, error) {
	n, err := r.Store.FindAny(c.Request().Context(), c.Param("id"))
	if assent.ErrorCode(err) == assent.CodeNotFound {
		return nil, assent.NotFound(string(k))
	}
	if err != nil {
		return nil, err
	}
	ok, err := r.Store.MaySee(c.Request().Context(), web.Principal(c).Person.ID, n.Base().ProjectID)
	if err != nil {
		return nil, err
	}
	if !ok || n.Base().Kind != k {
		return nil, assent.NotFound(string(k))
	}
	return n, nil
}

func (r *Resources) getEntity(k assent.Kind) echo.HandlerFunc {
	return func(c echo.Context) error {
		n, err := r.seen(c, k)
		if err != nil {
			return err
		}
		c.Response().Header().Set("ETag", strconv.Quote(strconv.FormatInt(n.Base().Revision, 10)))
		return c.JSON(http.StatusOK, n)
	}
}

func (r *Resources) entityHistory(k assent.Kind) echo.HandlerFunc {
	return func(c echo.Context) error {
		if _, err := r.seen(c, k); err != nil {
			return err
		}
		page, err := web.Page(c)
		if err != nil {
			return err
		}
		before, _ := strconv.ParseInt(page.Cursor, 10, 64) // no cursor: from the newest
		revs, err := r.Store.ListRevisions(c.Request().Context(), c.Param("id"), before, page.Limit)
		if err != nil {
			return err
		}
		next := ""
		if page.Limit > 0 && len(revs) == page.Limit {
			next = strconv.FormatInt(revs[len(revs)-1].Revision, 10)
		}
		return web.List(c, revs, next)
	}
}

// createEntity, patchEntity and deleteEntity write through the same tools as a
// model: create_task, update_task, delete_task and so on.
func (r *Resources) createEntity(k assent.Kind) echo.HandlerFunc {
	return func(c echo.Context) error {
		args, err := fields(c)
		if err != nil {
			return err
		}
		n, err := r.write(c, "create_"+string(k), args)
		if err != nil {
			return err
		}
		return c.JSON(http.StatusCreated, n)
	}
}

func (r *Resources) patchEntity(k assent.Kind) echo.HandlerFunc {
	return func(c echo.Context) error {
		args, err := fields(c)
		if err != nil {
			return err
		}
		if err := r.guard(c, k, args); err != nil {
			return err
		}
		n, err := r.write(c, "update_"+string(k), args)
		if err != nil {
			return err
		}
		return c.JSON(http.StatusOK, n)
	}
}

func (r *Resources) deleteEntity(k assent.Kind) echo.HandlerFunc {
	return func(c echo.Context) error {
		args := map[string]any{}
		if err := r.guard(c, k, args); err != nil {
			return err
		}
		if _, err := r.write(c, "delete_"+string(k), args); err != nil {
			return err
		}
		return c.NoContent(http.StatusNoContent)
	}
}

func fields(c echo.Context) (map[string]any, error) {
	var in map[string]any
	return in, web.Bind(c, &in)
}

// guard names the entity in the arguments and takes If-Match into them.
func (r *Resources) guard(c echo.Context, k assent.Kind, args map[string]any) error {
	if _, err := r.seen(c, k); err != nil {
		return err
	}
	args[string(k)+"_id"] = c.Param("id")
	tag := c.Request().Header.Get("If-Match")
	if tag == "" || tag == "*" {
		return nil
	}
	n, err := strconv.ParseInt(strings.Trim(strings.TrimPrefix(tag, "W/"), `"`), 10, 64)
	if err != nil {
		return assent.Invalid("/If-Match", "invalid", `If-Match must be a revision, such as "3".`)
	}
	args["revision"] = n
	return nil
}

// write calls a tool with the person's own hand and gives the artifact.
func (r *Resources) write(c echo.Context, name string, args map[string]any) (json.RawMessage, error) {
	raw, err := json.Marshal(args)
	if err != nil {
		return nil, err
	}
	res := r.Executor.Execute(c.Request().Context(), tool.Call{ToolCall: assent.ToolCall{ID: r.Store.NewID(), Tool: name, Arguments: raw}, Scope: r.scope(c)})
	if res.Err != nil {
		if res.Err.Code == assent.CodeStale && c.Request().Header.Get("If-Match") != "" {
			res.Err = &assent.Error{Code: assent.CodePrecondition, Message: res.Err.Message, Hint: res.Err.Hint, Details: res.Err.Details}
		}
		return nil, res.Err
	}
	var out struct {
		Artifact json.RawMessage `json:"artifact"`
	}
	err = json.Unmarshal(res.Output, &out)
	return out.Artifact, err
}
