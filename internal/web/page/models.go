package page

import (
	"maps"
	"net/http"
	"slices"

	"assent/views"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
)

// models shows providers, profiles and prices as they are in force, without keys.
func (p *Pages) models(c echo.Context) error {
	m := views.ModelsPage{Provider: p.Provider, Offline: p.Provider == "offline", Fixed: p.ModelsFixed}
	set := p.Models()
	for _, name := range slices.Sorted(maps.Keys(set.Providers)) {
		one := set.Providers[name]
		m.Providers = append(m.Providers, views.ProviderLine{Name: name, BaseURL: one.BaseURL, HasKey: one.APIKey != ""})
	}
	for _, name := range slices.Sorted(maps.Keys(set.Profiles)) {
		l := views.ProfileLine{Name: string(name)}
		for _, t := range set.Profiles[name] {
			l.Targets = append(l.Targets, t.Provider+"/"+t.Model)
		}
		m.Profiles = append(m.Profiles, l)
	}
	for _, model := range slices.Sorted(maps.Keys(set.Prices)) {
		price := set.Prices[model]
		m.Prices = append(m.Prices, views.PriceLine{Model: model, In: price.In, Out: price.Out, Cached: price.Cached})
	}
	var err error
	if m.Head, err = p.adminHead(c, views.AdminModelsURL); err != nil {
		return err
	}
	return p.show(c, http.StatusOK, "Models and prices", views.NavAdmin, func(s views.Shell) templ.Component { return views.ModelsView(s, m) })
}
