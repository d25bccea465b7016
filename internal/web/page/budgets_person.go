package page

import (
	"net/http"
	"strings"

	"assent/internal/assent"
	"assent/views"

	"github.com/labstack/echo/v4"
)

// newBudget asks for a person and the budget of their own.
func (p *Pages) newBudget(c echo.Context) error {
	return p.showNewBudget(c, http.StatusOK, newBudgetForm(c, ""))
}

func newBudgetForm(c echo.Context, email string) views.Form {
	f := budgetForm(c, "budget", views.AdminNewBudgetURL, assent.Budget{})
	who := emailField(email)
	who.Autocomplete, who.Wide, who.Hint = "off", true, "Somebody with an account here."
	f.Fields, f.Cancel = append([]views.Field{who}, f.Fields...), views.AdminBudgetsURL
	return f
}

func (p *Pages) showNewBudget(c echo.Context, status int, f views.Form) error {
	return p.showAdminForm(c, status, views.AdminBudgetsURL, views.AdminForm{Title: "A person’s own budget", Form: f, Intro: ownWords,
		Crumbs: []views.Link{{URL: views.AdminBudgetsURL, Label: "Budgets"}}})
}

// ownWords say what a budget of one's own means.
const ownWords = "It holds in the place of everybody’s budget. With both fields empty nothing bounds this person."

// createBudget gives somebody a budget of their own.
func (p *Pages) createBudget(c echo.Context) error {
	email := strings.ToLower(strings.TrimSpace(c.FormValue("email")))
	b, wrong := typedBudget(c, "")
	who, err := p.Accounts.FindByEmail(c.Request().Context(), email)
	switch {
	case assent.ErrorCode(err) == assent.CodeNotFound:
		err = alsoWrong(wrong, assent.FieldError{Pointer: "/email", Code: "not_found", Message: "Nobody with this address has an account here."})
	case err == nil && wrong != nil:
		err = wrong
	case err == nil:
		b.UserID = who.ID
		err = p.Budgets.Save(c.Request().Context(), b)
	}
	if err == nil {
		return done(c, views.AdminBudgetsURL+"#people", "The budget of "+who.Name+" is saved; it holds for calls that begin from now on.")
	}
	f := newBudgetForm(c, c.FormValue("email"))
	status, err := refuse(&f, err)
	if err != nil {
		return err
	}
	return p.showNewBudget(c, status, f)
}

// alsoWrong puts one more violation before those that were found.
func alsoWrong(err error, f assent.FieldError) error {
	fields := []assent.FieldError{f}
	if e, ok := err.(*assent.Error); ok {
		fields = append(fields, e.Fields...)
	}
	return &assent.Error{Code: assent.CodeInvalid, Message: f.Message, Fields: fields}
}

// budget shows the budget of a person.
func (p *Pages) budget(c echo.Context) error {
	who, err := p.Accounts.Find(c.Request().Context(), c.Param("id"))
	if err != nil {
		return err
	}
	return p.showBudget(c, http.StatusOK, who, p.personBudget(c, who))
}

// personBudget is filled with the person's own budget, or with everybody's to
// start from.
func (p *Pages) personBudget(c echo.Context, who assent.Person) views.Form {
	all := p.Budgets.All()
	b, own := all[who.ID]
	if !own {
		b = all[""]
	}
	f := budgetForm(c, "budget", views.BudgetURL(who.ID), b)
	f.Cancel = views.AdminBudgetsURL
	return f
}

func (p *Pages) showBudget(c echo.Context, status int, who assent.Person, f views.Form) error {
	a := views.AdminForm{Title: "Budget of " + who.Name, Form: f, Crumbs: []views.Link{{URL: views.AdminBudgetsURL, Label: "Budgets"}}}
	if _, own := p.Budgets.All()[who.ID]; own {
		a.Intro = ownWords
		a.Remove = &views.Form{ID: "remove", Action: views.BudgetRemoveURL(who.ID), CSRF: csrf(c), Submit: "Use everybody’s budget again", Danger: true}
	} else {
		a.Intro = "Everybody’s budget holds for " + who.Name + " now. What you save here is their own. " + ownWords
	}
	return p.showAdminForm(c, status, views.AdminBudgetsURL, a)
}

// saveBudget sets the budget of a person.
func (p *Pages) saveBudget(c echo.Context) error {
	ctx := c.Request().Context()
	who, err := p.Accounts.Find(ctx, c.Param("id"))
	if err != nil {
		return err
	}
	b, err := typedBudget(c, who.ID)
	if err == nil {
		err = p.Budgets.Save(ctx, b)
	}
	if err == nil {
		return done(c, views.AdminBudgetsURL+"#people", "The budget of "+who.Name+" is saved; it holds for calls that begin from now on.")
	}
	f := p.personBudget(c, who)
	status, err := refuse(&f, err)
	if err != nil {
		return err
	}
	return p.showBudget(c, status, who, f)
}

// removeBudget takes a person's own budget away.
func (p *Pages) removeBudget(c echo.Context) error {
	ctx := c.Request().Context()
	who, err := p.Accounts.Find(ctx, c.Param("id"))
	if err != nil {
		return err
	}
	if err := p.Budgets.Delete(ctx, who.ID, person(c).Person.ID); err != nil {
		return err
	}
	return done(c, views.AdminBudgetsURL+"#people", "Everybody’s budget holds for "+who.Name+" again.")
}
