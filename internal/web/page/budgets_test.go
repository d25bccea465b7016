package page_test

import (
	"net/http"
	"testing"

	"assent/internal/assent"
	"assent/internal/store"
)

// use records calls of today: priced ones, and one that has no price.
func (s *site) use(who assent.Person, costs ...*int64) {
	s.t.Helper()
	ledger := s.store.Ledger()
	for _, cost := range costs {
		u := assent.CallUsage{ID: s.store.NewID(), At: s.store.Now(), UserID: who.ID, Provider: "gemini", Status: assent.CallOpen}
		if err := ledger.Open(s.t.Context(), u); err != nil {
			s.t.Fatal(err)
		}
		u.Status, u.CostMicros = assent.CallOK, cost
		if err := ledger.Close(s.t.Context(), u); err != nil {
			s.t.Fatal(err)
		}
	}
	s.write(func(*store.Tx) error { return nil }) // writes are in order: the ledger's are done
}

func TestBudgetsAreOffAtFirst(t *testing.T) {
	t.Parallel()
	_, b := admin(t)
	page := b.get("/admin/budgets")
	page.says("No budget is set", "The turn ends and says so", "the person’s words are kept", "nobody has used a model today")
	page.one("nav a[aria-current=page][href=/admin/budgets]")
	if page.one("#everybody-calls_per_day").attr("value") != "" || page.one("#everybody-cost_micros_per_day").attr("value") != "" {
		t.Error("a budget is filled in")
	}
	b.get("/admin/usage")
	b.want(http.StatusOK)
}

func TestEverybodysBudgetIsSetByPage(t *testing.T) {
	t.Parallel()
	s, b := admin(t)
	bo := s.add("Bo", assent.RoleMember)
	s.use(bo, micros(1_200_000), nil)
	page := b.submit(b.get("/admin/budgets").one("form#everybody"), "calls_per_day", "many", "cost_micros_per_day", "-1")
	b.want(http.StatusUnprocessableEntity)
	page.one("#everybody-calls_per_day-error").says("must be a whole number such as 200")
	page.one("#everybody-cost_micros_per_day-error").says("must be an amount of US dollars")
	if page.one("#everybody-calls_per_day").attr("value") != "many" || page.one("#everybody-cost_micros_per_day").attr("value") != "-1" {
		t.Error("what was typed is not kept")
	}
	page = b.submit(page.one("form#everybody"), "calls_per_day", "10", "cost_micros_per_day", "$2.50")
	b.want(http.StatusOK)
	page.says("Everybody’s budget is saved")
	page.silent("No budget is set")
	page.one("section[aria-labelledby=people] tbody tr").says("Bo", "Everybody’s", "2 of 10", "8 left", "$1.20 of $2.50", "$1.30 left")
	b.get("/admin/usage").one("section[aria-labelledby=by-person] a[href=/admin/budgets]")
	b.submit(b.get("/admin/budgets").one("form#everybody"), "calls_per_day", "", "cost_micros_per_day", "1.2").one("section[aria-labelledby=people] tbody").says("no limit", "$0.00 left", "Used up")
	if n := len(s.audited("budget")); n != 2 {
		t.Errorf("%d changes are audited", n)
	}
}

func TestAPersonGetsABudgetOfTheirOwn(t *testing.T) {
	t.Parallel()
	s, b := admin(t)
	bo := s.add("Bo", assent.RoleMember)
	page := b.submit(b.get("/admin/budgets/new").one("form#budget"), "email", "nobody@example.org", "calls_per_day", "1.5", "cost_micros_per_day", "2")
	b.want(http.StatusUnprocessableEntity)
	page.one("#budget-email-error").says("Nobody with this address")
	page.one("#budget-calls_per_day-error").says("whole number")
	if page.one("#budget-email").attr("value") != "nobody@example.org" || page.one("#budget-cost_micros_per_day").attr("value") != "2" {
		t.Error("what was typed is not kept")
	}
	page = b.submit(page.one("form#budget"), "email", bo.Email, "calls_per_day", "0", "cost_micros_per_day", "2")
	page.one("section[aria-labelledby=people] tbody tr").says("Bo", "Own", "0 of 0", "0 left", "$0.00 of $2.00", "Used up")
	form := b.get("/admin/budgets/people/" + bo.ID).one("form#budget")
	if form.one("#budget-calls_per_day").attr("value") != "0" || form.one("#budget-cost_micros_per_day").attr("value") != "2.00" {
		t.Error("what is set is not filled in")
	}
	page = b.submit(form, "calls_per_day", "-1", "cost_micros_per_day", "3")
	b.want(http.StatusUnprocessableEntity)
	page.one("#budget-calls_per_day-error")
	if page.one("#budget-cost_micros_per_day").attr("value") != "3" {
		t.Error("what was typed is not kept")
	}
	b.submit(page.one("form#budget"), "calls_per_day", "5", "cost_micros_per_day", "").one("section[aria-labelledby=people] tbody").says("0 of 5")
	b.get("/admin/people/" + bo.ID).one("a[href=/admin/budgets/people/" + bo.ID + "]")
	b.submit(b.get("/admin/budgets/people/"+bo.ID).one("form#remove")).says("Everybody’s budget holds for Bo again", "No budget is set")
	b.get("/admin/budgets/people/" + bo.ID).says("Everybody’s budget holds for Bo now")
	b.get("/admin/budgets/people/nobody")
	b.want(http.StatusNotFound)
}

func TestTheCurrencyIsShownWhereverMoneyIs(t *testing.T) {
	t.Parallel()
	s, b := admin(t)
	s.spend(s.add("Bo", assent.RoleMember))
	form := b.get("/admin/budgets").one("form#money")
	b.post("/admin/budgets/currency", "currency", "XXX").one("#money-currency-error").says("Must be one of USD, EUR")
	b.want(http.StatusUnprocessableEntity)
	b.submit(form, "currency", "EUR").says("Money is counted in euros from now on", "Cost in euros")
	b.get("/admin/usage").one("dl.cards").says("€2.00")
	b.get("/admin/models").says("Prices in euros per million tokens")
	page := b.get("/admin/models/prices")
	page.says("In, euros a million tokens", "In euros.")
	b.submit(page.one("form#price"), "model", "m1", "in", "$1", "out", "€2").one("#price-in-error").says("must be an amount of euros")
}

func TestBudgetsAreForAdmins(t *testing.T) {
	t.Parallel()
	s, _ := admin(t)
	bo := s.add("Bo", assent.RoleMember)
	b := s.as(bo)
	for _, path := range []string{"/admin/budgets", "/admin/budgets/new", "/admin/budgets/people/" + bo.ID} {
		b.get(path)
		b.want(http.StatusForbidden)
		b.post(path, "calls_per_day", "")
		b.want(http.StatusForbidden)
	}
	b.post("/admin/budgets/currency", "currency", "EUR")
	b.want(http.StatusForbidden)
}
