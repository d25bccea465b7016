package page

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/models"
	"assent/views"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
)

// models shows providers, profiles and prices as they are in force, without keys.
func (p *Pages) models(c echo.Context) error {
	return p.showModels(c, http.StatusOK, views.ModelsPage{})
}

// showModels fills in what is set; add is the form of a profile that was refused.
func (p *Pages) showModels(c echo.Context, status int, m views.ModelsPage, add ...views.Form) error {
	set := p.Models.InForce()
	m.Offline, m.Fixed = p.Models.Offline(), set.ReadOnly
	for _, name := range slices.Sorted(maps.Keys(set.Providers)) {
		one := set.Providers[name]
		m.Providers = append(m.Providers, views.ProviderLine{Name: name, BaseURL: one.BaseURL, HasKey: one.KeySet, Environment: one.Environment, Problem: one.Problem})
	}
	for _, name := range profiles() {
		m.Profiles = append(m.Profiles, profileBox(c, set, name, add))
	}
	for _, model := range slices.Sorted(maps.Keys(set.Prices)) {
		if model == models.Offline().String() {
			continue // it costs nothing, and nobody can change that
		}
		price := set.Prices[model]
		m.Prices = append(m.Prices, views.PriceLine{Model: model, In: price.In, Out: price.Out, Cached: price.Cached})
	}
	m.Unpriced = unpriced(set)
	var err error
	if m.Head, err = p.adminHead(c, views.AdminModelsURL); err != nil {
		return err
	}
	return p.show(c, status, "Models and prices", views.NavAdmin, func(s views.Shell) templ.Component { return views.ModelsView(s, m) })
}

// profiles are in the order of the page.
func profiles() []llm.Profile {
	return []llm.Profile{llm.ProfileBalanced, llm.ProfileQuality, llm.ProfileSpeed}
}

func profileHint(p llm.Profile) string {
	switch p {
	case llm.ProfileBalanced:
		return "Most conversations and plans. The first model answers; the next one steps in when it cannot."
	case llm.ProfileQuality:
		return "Audits of projects and reviews of plans."
	}
	return "Short questions: tasks, titles, reading what you meant."
}

func profileBox(c echo.Context, set models.Settings, name llm.Profile, refused []views.Form) views.ProfileBox {
	b := views.ProfileBox{Name: string(name), Hint: profileHint(name), Borrows: borrowed(set, name), Add: addModelForm(c, set, name)}
	for _, t := range set.Profiles[name] {
		_, there := set.Providers[t.Provider]
		b.Targets = append(b.Targets, views.TargetLine{Name: t.String(), Missing: !there && t.Provider != models.Offline().Provider})
	}
	for _, f := range refused {
		if f.ID == b.Add.ID {
			b.Add = f
		}
	}
	return b
}

// borrowed is the profile whose models stand in for one that is not set.
func borrowed(set models.Settings, name llm.Profile) string {
	for _, p := range []llm.Profile{llm.ProfileBalanced, llm.ProfileSpeed, llm.ProfileQuality} {
		if p != name && len(set.Profiles[p]) > 0 {
			return string(p)
		}
	}
	return "no profile"
}

func addModelForm(c echo.Context, set models.Settings, name llm.Profile) views.Form {
	providers := views.Field{Name: "provider", Label: "Provider", Kind: views.FieldSelect, Value: c.FormValue("provider")}
	for _, p := range append(slices.Sorted(maps.Keys(set.Providers)), models.Offline().Provider) {
		providers.Options = append(providers.Options, views.Option{Value: p, Label: p})
	}
	return views.Form{ID: "add-" + string(name), Action: views.ProfileURL(string(name)), CSRF: csrf(c), Submit: "Add model", Grid: true,
		Hidden: []views.Option{{Label: "do", Value: "add"}},
		Fields: []views.Field{providers, {Name: "model", Label: "Model", Required: true, Max: 200, Autocomplete: "off", Hint: "Its name as the provider writes it."}}}
}

// unpriced are the models of the profiles of which no price is known.
func unpriced(set models.Settings) []string {
	catalog, out := llm.Catalog{Prices: set.Prices}, map[string]bool{}
	for _, list := range set.Profiles {
		for _, t := range list {
			if catalog.Cost(t, llm.Tokens{}) == nil {
				out[t.Model] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(out))
}

// changeProfile adds, moves or removes one model of a profile.
func (p *Pages) changeProfile(c echo.Context) error {
	name := llm.Profile(c.Param("profile"))
	if !slices.Contains(profiles(), name) {
		return assent.NotFound("profile")
	}
	what, at, _ := strings.Cut(c.FormValue("do"), " ")
	err := p.editModels(c, func(d *models.Draft) error {
		if len(d.Profiles) == 0 { // from here on they are the admins' own
			for name, list := range p.Models.InForce().Profiles {
				d.Profiles[name] = slices.Clone(list)
			}
		}
		list, err := changeList(d.Profiles[name], what, at, c)
		if d.Profiles[name] = list; len(list) == 0 {
			delete(d.Profiles, name)
		}
		return err
	})
	if err == nil {
		return done(c, views.AdminModelsURL+"#profile-"+string(name), "The models of "+string(name)+" are changed.")
	}
	f := addModelForm(c, p.Models.InForce(), name)
	f.Fields[1].Value = c.FormValue("model")
	status, err := refuse(&f, fieldsByName(err))
	if err != nil {
		return err
	}
	if what == "add" && len(f.FieldErrors()) > 0 {
		return p.showModels(c, status, views.ModelsPage{}, f)
	}
	return p.showModels(c, status, views.ModelsPage{Error: f.Error})
}

// changeList does to a list what a button says, if it is as the page showed it.
func changeList(list []llm.Target, what, at string, c echo.Context) ([]llm.Target, error) {
	if what == "add" {
		return append(list, llm.Target{Provider: c.FormValue("provider"), Model: strings.TrimSpace(c.FormValue("model"))}), nil
	}
	var seen []string
	i, err := strconv.Atoi(at)
	if err != nil || json.Unmarshal([]byte(c.FormValue("seen")), &seen) != nil {
		return list, assent.Errorf(assent.CodeMalformed, "This form is incomplete. Nothing was changed; open the page again.")
	}
	now := make([]string, len(list))
	for i, t := range list {
		now[i] = t.String()
	}
	if !slices.Equal(now, seen) || i < 0 || i >= len(list) {
		return list, assent.Errorf(assent.CodeStale, "Somebody else changed this list meanwhile. Nothing was changed; this is how it is now.")
	}
	switch {
	case what == "up" && i > 0:
		list[i-1], list[i] = list[i], list[i-1]
	case what == "down" && i < len(list)-1:
		list[i+1], list[i] = list[i], list[i+1]
	case what == "remove":
		list = slices.Delete(list, i, i+1)
	}
	return list, nil
}

func (p *Pages) editModels(c echo.Context, change func(*models.Draft) error) error {
	return p.Models.Edit(c.Request().Context(), person(c).Person.ID, change)
}

// testModel asks one model for a word and shows how it answered.
func (p *Pages) testModel(c echo.Context) error {
	provider, model, ok := strings.Cut(c.FormValue("target"), "/")
	if !ok {
		return assent.Errorf(assent.CodeMalformed, "This form is incomplete; open the page again.")
	}
	t := llm.Target{Provider: provider, Model: model}
	r := p.Models.Test(c.Request().Context(), person(c).Person.ID, t)
	return p.showModels(c, http.StatusOK, views.ModelsPage{Tested: &views.TestedModel{Model: t.String(), OK: r.OK, FirstToken: r.FirstTokenMS, Took: r.TookMS,
		TokensIn: r.TokensIn, TokensOut: r.TokensOut, Cost: r.CostMicros, Message: r.Message, Detail: r.Detail}})
}
