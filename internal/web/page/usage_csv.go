package page

import (
	"fmt"
	"net/http"
	"time"

	"assent/internal/usage"

	"github.com/labstack/echo/v4"
)

// usageCSV gives the figures as a file, one line for each day, operation, model
// and person.
func (p *Pages) usageCSV(c echo.Context) error {
	s, err := p.spanOf(c)
	if err != nil {
		return err
	}
	groups := []string{"day", "operation_type", "provider", "model", "profile", "context_type", "execution_mode", "user", "status"}
	lines, err := p.calls(c, s.from, s.end(), s.context, groups...)
	if err != nil {
		return err
	}
	report, err := usage.Report(lines, groups, s.from.Location())
	if err != nil {
		return err
	}
	if err := p.nameUsers(c, report); err != nil {
		return err
	}
	h := c.Response().Header()
	h.Set(echo.HeaderContentType, "text/csv; charset=utf-8")
	h.Set(echo.HeaderContentDisposition, fmt.Sprintf(`attachment; filename="assent-usage-%s-to-%s.csv"`, s.from.Format(time.DateOnly), s.to.Format(time.DateOnly)))
	h.Set("Cache-Control", "no-store")
	c.Response().WriteHeader(http.StatusOK)
	return usage.WriteCSV(c.Response(), report, groups)
}

// nameUsers puts names in the place of ids, for those who read the file.
func (p *Pages) nameUsers(c echo.Context, report []usage.Row) error {
	people := p.names(c)
	for _, row := range report {
		for i, g := range row.Groups {
			if g.Key != "user" {
				continue
			}
			name, err := people.of(g.Value)
			if err != nil {
				return err
			}
			row.Groups[i].Value = name
		}
	}
	return nil
}
