package page

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"assent/internal/assent"
	"assent/internal/tool"
	"assent/views"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
)

// tools lists every tool with what admins say about it.
func (p *Pages) tools(c echo.Context) error {
	wanted, counts := assent.ToolPolicy(c.QueryParam("policy")), map[assent.ToolPolicy]int64{}
	var props views.ToolsPage
	for _, t := range p.Governance.List() {
		counts[t.Policy]++
		if wanted == "" || t.Policy == wanted {
			props.Tools = append(props.Tools, views.ToolLine{Name: t.Name, Title: t.Title, Source: t.Source, Policy: t.Policy, Effect: t.Effect, Defined: t.DefinedEffect,
				Cap: t.Cap, CapSet: t.CapSet})
		}
	}
	props.Filters = []views.Link{{URL: views.AdminToolsURL, Label: "All", Current: wanted == ""}}
	for _, policy := range policies() {
		props.Filters = append(props.Filters, views.Link{URL: views.AdminToolsURL + "?policy=" + string(policy), Label: views.Words(string(policy)), Current: wanted == policy, Count: counts[policy]})
	}
	var err error
	if props.Head, err = p.adminHead(c, views.AdminToolsURL); err != nil {
		return err
	}
	return p.show(c, http.StatusOK, "Tools", views.NavAdmin, func(s views.Shell) templ.Component { return views.ToolsView(s, props) })
}

func policies() []assent.ToolPolicy {
	return []assent.ToolPolicy{assent.PolicyAllow, assent.PolicyAsk, assent.PolicyDeny}
}

// governed shows what admins say about one tool.
func (p *Pages) governed(c echo.Context) error {
	t, err := p.findTool(c)
	if err != nil {
		return err
	}
	limit := ""
	if t.CapSet {
		limit = strconv.FormatInt(t.Cap, 10)
	}
	return p.showTool(c, http.StatusOK, t, toolForm(c, t, t.Policy, t.Effect, limit))
}

func (p *Pages) findTool(c echo.Context) (tool.Governed, error) {
	name := c.Param("name")
	if c.Request().URL.RawPath != "" { // the router took the path as it was sent
		var err error
		if name, err = url.PathUnescape(name); err != nil {
			return tool.Governed{}, assent.NotFound("tool")
		}
	}
	return p.Governance.Find(name)
}

func toolForm(c echo.Context, t tool.Governed, policy assent.ToolPolicy, effect assent.Effect, limit string) views.Form {
	says := []views.Option{{Value: "allow", Label: "Allow"}, {Value: "ask", Label: "Ask a person each time"}, {Value: "deny", Label: "Deny"}}
	what := views.Field{Name: "effect", Label: "Effect", Kind: views.FieldSelect, Value: string(effect),
		Hint: "Defined as " + string(t.DefinedEffect) + ". Destructive and external tools never run without a person’s word."}
	for _, e := range tool.Effects(t) {
		what.Options = append(what.Options, views.Option{Value: string(e), Label: views.Words(string(e))})
	}
	usual := "Empty: as the configuration says."
	if !t.CapSet {
		usual = "Empty: " + strconv.FormatInt(t.Cap, 10) + ", as the configuration says."
	}
	return views.Form{ID: "tool", Action: views.AdminToolURL(t.Name), CSRF: csrf(c), Submit: "Save", Grid: true, Cancel: views.AdminToolsURL, Fields: []views.Field{
		{Name: "policy", Label: "Policy", Kind: views.FieldSelect, Value: string(policy), Options: says},
		what,
		{Name: "cap", Label: "Calls in one turn", Value: limit, InputMode: "numeric", Max: 6, Autocomplete: "off", Hint: "How often a model may choose it. " + usual}}}
}

func (p *Pages) showTool(c echo.Context, status int, t tool.Governed, f views.Form) error {
	return p.showAdminForm(c, status, views.AdminToolsURL, views.AdminForm{Title: t.Title, Intro: t.Description, Form: f,
		Crumbs: []views.Link{{URL: views.AdminToolsURL, Label: "Tools"}}})
}

// saveTool stores what an admin says about a tool; it is in force at once.
func (p *Pages) saveTool(c echo.Context) error {
	t, err := p.findTool(c)
	if err != nil {
		return err
	}
	s := assent.ToolSetting{Policy: assent.ToolPolicy(c.FormValue("policy")), Effect: assent.Effect(c.FormValue("effect"))}
	limit := strings.TrimSpace(c.FormValue("cap"))
	if limit != "" {
		n, perr := strconv.ParseInt(limit, 10, 64)
		if perr != nil {
			n = -1 // as wrong as any number that is none
		}
		s.Cap = &n
	}
	if _, err = p.Governance.Set(c.Request().Context(), person(c).Person.ID, t.Name, s); err == nil {
		return done(c, views.AdminToolsURL, t.Title+" is saved; it holds from now on.")
	}
	f := toolForm(c, t, s.Policy, s.Effect, limit)
	status, err := refuse(&f, err)
	if err != nil {
		return err
	}
	return p.showTool(c, status, t, f)
}
