package page

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/views"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
)

// projectsPerPage is how many projects a page of the list shows.
const projectsPerPage = 25

// projects lists the projects that the one who asks may see: those that are
// under way first, by due date.
func (p *Pages) projects(c echo.Context) error {
	all, err := p.allProjects(c)
	if err != nil {
		return err
	}
	status := c.QueryParam("status")
	shown := slices.DeleteFunc(slices.Clone(all), func(x assent.Project) bool {
		return status != "" && x.Status != status || status == "" && x.Status == "archived"
	})
	slices.SortStableFunc(shown, func(a, b assent.Project) int {
		return cmp.Or(cmp.Compare(statusRank(a.Status), statusRank(b.Status)), soonest(a.DueDate, b.DueDate), cmp.Compare(b.CreatedAt, a.CreatedAt))
	})
	page, pager := pageOf(c, len(shown), projectsPerPage)
	lines, err := p.projectLines(c, shown[page.from:page.to])
	if err != nil {
		return err
	}
	props := views.Projects{Lines: lines, Any: len(all) > 0, Filters: projectFilters(all, status), Pager: pager}
	return p.show(c, http.StatusOK, "Projects", views.NavProjects, func(s views.Shell) templ.Component { return views.ProjectsPage(s, props) })
}

// allProjects gives every project that the one who asks may see.
func (p *Pages) allProjects(c echo.Context) ([]assent.Project, error) {
	var all []assent.Project
	f := store.Filter{UserID: person(c).Person.ID, Page: store.Page{Limit: 200}}
	for {
		some, next, err := store.List[assent.Project](c.Request().Context(), p.Store.Reads, f)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
		if next == "" {
			return all, nil
		}
		f.Cursor = next
	}
}

func projectStatuses() []string { return []string{"active", "planning", "on_hold", "done", "archived"} }

func statusRank(status string) int { return slices.Index(projectStatuses(), status) }

func projectFilters(all []assent.Project, status string) []views.Link {
	count := map[string]int64{}
	for _, x := range all {
		count[x.Status]++
	}
	out := []views.Link{{URL: views.ProjectsURL, Label: "All but archived", Current: status == ""}}
	for _, st := range projectStatuses() {
		if count[st] > 0 || st == status {
			out = append(out, views.Link{URL: views.WithQuery(views.ProjectsURL, "status", st), Label: views.StatusWords(st), Current: status == st, Count: count[st]})
		}
	}
	return out
}

func (p *Pages) projectLines(c echo.Context, projects []assent.Project) ([]views.ProjectLine, error) {
	people, today, me := p.names(c), reader(c).Today(p.Clock()), person(c).Person.ID
	out := make([]views.ProjectLine, len(projects))
	for i, x := range projects {
		l := views.ProjectLine{Project: x, Overdue: late(x.DueDate, today) && x.Status != "done" && x.Status != "archived"}
		tasks, err := p.tasksOf(c, x.ID)
		if err != nil {
			return nil, err
		}
		l.Done, l.Total = progress(tasks)
		if x.OwnerID != me {
			if l.Owner, err = people.of(x.OwnerID); err != nil {
				return nil, err
			}
		}
		out[i] = l
	}
	return out, nil
}

// window is the part of a list that a page shows.
type window struct{ from, to int }

// pageOf reads ?page= and gives the part of n things to show, with the way to
// the others.
func pageOf(c echo.Context, n, perPage int) (window, views.Pager) {
	last := max(0, (n-1)/perPage)
	at, _ := strconv.Atoi(c.QueryParam("page")) // what is no number is the first page
	at = min(max(at-1, 0), last)
	w := window{from: at * perPage, to: min((at+1)*perPage, n)}
	var pager views.Pager
	if at > 0 {
		pager.Previous = pageURL(c, at)
	}
	if at < last {
		pager.Next = pageURL(c, at+2)
	}
	if last > 0 {
		pager.Where = "Page " + strconv.Itoa(at+1) + " of " + strconv.Itoa(last+1)
	}
	return w, pager
}

func pageURL(c echo.Context, page int) string { return withParam(c, "page", strconv.Itoa(page)) }

// withParam is the address of this page with one parameter changed.
func withParam(c echo.Context, name, value string) string {
	q := c.Request().URL.Query()
	q.Set(name, value)
	return c.Request().URL.Path + "?" + q.Encode()
}

// cursorPager is the way through a list that the store pages: onwards, and back
// to its start.
func cursorPager(c echo.Context, next string) views.Pager {
	var out views.Pager
	if next != "" {
		out.Next = withParam(c, "cursor", next)
	}
	if c.QueryParam("cursor") != "" {
		q := c.Request().URL.Query()
		q.Del("cursor")
		out.Previous = c.Request().URL.Path
		if len(q) > 0 {
			out.Previous += "?" + q.Encode()
		}
	}
	return out
}
