package page

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/models"
	"assent/views"

	"github.com/labstack/echo/v4"
)

// price shows the form of a model's price; without a model, of a new one.
func (p *Pages) price(c echo.Context) error {
	model, r := c.QueryParam("model"), reader(c)
	f := priceForm(c, model)
	if price, ok := p.Models.InForce().Prices[model]; ok {
		for i, n := range []int64{price.In, price.Cached, price.Out} {
			f.Fields[i+1].Value = r.PlainMoney(n)
		}
	}
	return p.showPrice(c, http.StatusOK, model, f)
}

func priceForm(c echo.Context, model string) views.Form {
	money := func(name, label, hint string) views.Field {
		return views.Field{Name: name, Label: label, Value: c.FormValue(name), Required: name != "cached", InputMode: "decimal", Max: 20, Autocomplete: "off", Hint: hint}
	}
	in := ", " + reader(c).CurrencyName() + " a million tokens"
	return views.Form{ID: "price", Action: views.AdminPricesURL, CSRF: csrf(c), Submit: "Save", Grid: true, Cancel: views.AdminModelsURL, Fields: []views.Field{
		{Name: "model", Label: "Model", Value: model, Required: true, Max: 200, Wide: true, Autocomplete: "off", Hint: "Its name, or provider/name where providers differ in price."},
		money("in", "In"+in, "Such as 0.15."),
		money("cached", "Cached"+in, "Of what the provider has in its cache. Empty: as in."),
		money("out", "Out"+in, "")}}
}

func (p *Pages) showPrice(c echo.Context, status int, model string, f views.Form) error {
	a := views.AdminForm{Title: "Price of a model", Form: f, Crumbs: []views.Link{{URL: views.AdminModelsURL, Label: "Models and prices"}},
		Intro: "In " + reader(c).CurrencyName() + ". Calls that were made already keep the cost that they had."}
	if _, ok := p.Models.InForce().Prices[model]; ok {
		a.Remove = &views.Form{ID: "remove", Action: views.PriceRemoveURL, CSRF: csrf(c), Submit: "Remove this price", Danger: true, Hidden: []views.Option{{Label: "model", Value: model}}}
	}
	return p.showAdminForm(c, status, views.AdminModelsURL, a)
}

// savePrice sets the price of a model.
func (p *Pages) savePrice(c echo.Context) error {
	model := strings.TrimSpace(c.FormValue("model"))
	price, err := typedPrice(c, model)
	if err == nil {
		err = p.editModels(c, func(d *models.Draft) error {
			d.Prices[model] = price
			return nil
		})
	}
	if err == nil {
		return done(c, views.AdminModelsURL+"#prices", "The price of "+model+" is saved.")
	}
	f := priceForm(c, model)
	status, err := refuse(&f, fieldsByName(err))
	if err != nil {
		return err
	}
	return p.showPrice(c, status, model, f)
}

// typedPrice reads amounts of the currency; every one that is none is named.
func typedPrice(c echo.Context, model string) (llm.Price, error) {
	var price llm.Price
	var wrong []assent.FieldError
	if model == "" {
		wrong = append(wrong, assent.FieldError{Pointer: "/model", Code: "required", Message: "The model is missing."})
	}
	amounts := map[string]*int64{"in": &price.In, "cached": &price.Cached, "out": &price.Out}
	for _, name := range slices.Sorted(maps.Keys(amounts)) {
		typed := c.FormValue(name)
		if name == "cached" && strings.TrimSpace(typed) == "" {
			typed = c.FormValue("in")
		}
		n, ok := reader(c).ParseMoney(typed)
		if *amounts[name] = n; !ok {
			wrong = append(wrong, assent.FieldError{Pointer: "/" + name, Code: "invalid", Message: amountWords(reader(c))})
		}
	}
	return price, assent.InvalidFields(wrong)
}

// removePrice forgets the price of a model.
func (p *Pages) removePrice(c echo.Context) error {
	model := c.FormValue("model")
	err := p.editModels(c, func(d *models.Draft) error {
		if _, ok := d.Prices[model]; !ok {
			return assent.NotFound("price")
		}
		delete(d.Prices, model)
		return nil
	})
	if err != nil {
		return err
	}
	return done(c, views.AdminModelsURL+"#prices", "The price of "+model+" is removed.")
}

// amountWords says what a field of money takes.
func amountWords(r views.Reader) string {
	return "This must be an amount of " + r.CurrencyName() + " such as " + r.PlainMoney(150_000) + ", at most " + r.Number(10_000) + ", with at most six places."
}
