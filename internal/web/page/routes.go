package page

import (
	"slices"

	"github.com/labstack/echo/v4"
)

// Route is one page's address.
type Route struct {
	Method, Path string
	Handle       echo.HandlerFunc
}

// Routes is the table of all pages for people who are signed in.
func (p *Pages) Routes() []Route {
	return slices.Concat(p.chatRoutes(), p.workspaceRoutes(), p.ownRoutes(), p.adminRoutes())
}

// Register adds the routes to a group whose middleware sees to it that
// somebody is signed in.
func (p *Pages) Register(g *echo.Group) {
	for _, r := range p.Routes() {
		g.Add(r.Method, r.Path, p.counted(passwordFirst(r.Handle)))
	}
}
