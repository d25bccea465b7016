package page

import (
	"net/http"

	"assent/views"

	"github.com/labstack/echo/v4"
)

// home leads to a new conversation.
func (p *Pages) home(c echo.Context) error {
	return c.Redirect(http.StatusSeeOther, views.NewChatURL)
}
