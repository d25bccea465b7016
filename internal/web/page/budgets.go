package page

import (
	"net/http"
	"strconv"
	"strings"

	"assent/internal/assent"
	"assent/internal/budget"
	"assent/views"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
)

// peopleShown is how many people a page of budgets lists.
const peopleShown = 100

// budgets shows everybody's budget and what people used today.
func (p *Pages) budgets(c echo.Context) error {
	return p.showBudgets(c, http.StatusOK, p.everybodys(c), p.currencyForm(c, p.Budgets.Currency()))
}

func (p *Pages) everybodys(c echo.Context) views.Form {
	return budgetForm(c, "everybody", views.AdminBudgetsURL, p.Budgets.All()[""])
}

func (p *Pages) showBudgets(c echo.Context, status int, everybody, currency views.Form) error {
	uses, err := p.Budgets.Today(c.Request().Context())
	if err != nil {
		return err
	}
	props := views.BudgetsPage{Off: p.budgetsOff(), Everybody: everybody, Currency: currency}
	w, pager := pageOf(c, len(uses), peopleShown)
	for _, u := range uses[w.from:w.to] {
		props.People = append(props.People, budgetLine(u))
	}
	props.Pager = pager
	if props.Head, err = p.adminHead(c, views.AdminBudgetsURL); err != nil {
		return err
	}
	return p.show(c, status, "Budgets", views.NavAdmin, func(s views.Shell) templ.Component { return views.BudgetsView(s, props) })
}

// budgetsOff reports that no budget bounds anybody.
func (p *Pages) budgetsOff() bool {
	for _, b := range p.Budgets.All() {
		if !b.Unlimited() {
			return false
		}
	}
	return true
}

func budgetLine(u budget.Use) views.BudgetLine {
	return views.BudgetLine{Person: u.Person, Own: u.Own, Budget: u.Budget, Calls: u.Calls, Cost: u.CostMicros, Reserved: u.ReservedMicros,
		CallsLeft: u.CallsLeft(), CostLeft: u.CostLeft()}
}

// budgetForm asks for the limits of a day, as they are set or as they were typed.
func budgetForm(c echo.Context, id, action string, b assent.Budget) views.Form {
	r := reader(c)
	calls, cost := c.FormValue("calls_per_day"), c.FormValue("cost_micros_per_day")
	if c.Request().Method == http.MethodGet || c.Request().URL.Path != action {
		if b.CallsPerDay != nil {
			calls = strconv.FormatInt(*b.CallsPerDay, 10)
		}
		if b.CostMicrosPerDay != nil {
			cost = r.PlainMoney(*b.CostMicrosPerDay)
		}
	}
	return views.Form{ID: id, Action: action, CSRF: csrf(c), Submit: "Save", Grid: true, Fields: []views.Field{
		{Name: "calls_per_day", Label: "Calls of models", Value: calls, InputMode: "numeric", Max: 15, Autocomplete: "off", Hint: "Such as 200. Empty: no limit."},
		{Name: "cost_micros_per_day", Label: "Cost in " + r.CurrencyName(), Value: cost, InputMode: "decimal", Max: 20, Autocomplete: "off",
			Hint: "Such as " + r.PlainMoney(2_500_000) + ". Empty: no limit."}}}
}

// typedBudget reads the limits of a form; each one that is none is named.
func typedBudget(c echo.Context, user string) (assent.Budget, error) {
	b := assent.Budget{UserID: user, UpdatedBy: person(c).Person.ID}
	var wrong []assent.FieldError
	if typed := strings.TrimSpace(c.FormValue("calls_per_day")); typed != "" {
		n, err := strconv.ParseInt(typed, 10, 64)
		if b.CallsPerDay = &n; err != nil || n < 0 {
			wrong = append(wrong, assent.FieldError{Pointer: "/calls_per_day", Code: "invalid", Message: "This must be a whole number such as 200, or empty for no limit."})
		}
	}
	if typed := strings.TrimSpace(c.FormValue("cost_micros_per_day")); typed != "" {
		n, ok := reader(c).ParseMoney(typed)
		if b.CostMicrosPerDay = &n; !ok {
			wrong = append(wrong, assent.FieldError{Pointer: "/cost_micros_per_day", Code: "invalid", Message: amountWords(reader(c))})
		}
	}
	return b, assent.InvalidFields(wrong)
}

// saveEverybodys sets the budget of everybody who has none of their own.
func (p *Pages) saveEverybodys(c echo.Context) error {
	b, err := typedBudget(c, "")
	if err == nil {
		err = p.Budgets.Save(c.Request().Context(), b)
	}
	if err == nil {
		return done(c, views.AdminBudgetsURL, "Everybody’s budget is saved; it holds for calls that begin from now on.")
	}
	f := p.everybodys(c)
	status, err := refuse(&f, err)
	if err != nil {
		return err
	}
	return p.showBudgets(c, status, f, p.currencyForm(c, p.Budgets.Currency()))
}

func (p *Pages) currencyForm(c echo.Context, chosen assent.Currency) views.Form {
	f := views.Field{Name: "currency", Label: "Currency", Kind: views.FieldSelect, Value: string(chosen),
		Hint: "Nothing is converted: prices, budgets and costs on record keep their numbers. A limit in words (“not over " + p.Budgets.Currency().Sign() + "2”) is understood in it."}
	for _, x := range assent.Currencies() {
		f.Options = append(f.Options, views.Option{Value: string(x), Label: string(x) + ", " + x.Name()})
	}
	return views.Form{ID: "money", Action: views.AdminCurrencyURL, CSRF: csrf(c), Submit: "Save", Fields: []views.Field{f}}
}

// saveCurrency sets what all money is counted in.
func (p *Pages) saveCurrency(c echo.Context) error {
	chosen := assent.Currency(c.FormValue("currency"))
	err := p.Budgets.SetCurrency(c.Request().Context(), chosen, person(c).Person.ID)
	if err == nil {
		return done(c, views.AdminBudgetsURL+"#currency", "Money is counted in "+chosen.Name()+" from now on.")
	}
	f := p.currencyForm(c, chosen)
	status, err := refuse(&f, err)
	if err != nil {
		return err
	}
	return p.showBudgets(c, status, p.everybodys(c), f)
}
