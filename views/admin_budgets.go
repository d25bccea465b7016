package views

import (
	"assent/internal/assent"

	"github.com/a-h/templ"
)

// BudgetsPage is what bounds a day of everybody, and what was used today.
type BudgetsPage struct {
	Head      AdminHead
	Off       bool // no budget is set
	Everybody Form
	Currency  Form
	People    []BudgetLine
	Pager     Pager
}

// BudgetLine is a person with their budget and today's use.
type BudgetLine struct {
	Person    assent.Person
	Own       bool
	Budget    assent.Budget
	Calls     int64
	Cost      *int64 // nil while no call had a price
	Reserved  int64  // what calls may cost whose cost is not known
	CallsLeft *int64 // nil without a limit
	CostLeft  *int64
}

// spent reports whether a limit is used up.
func (l BudgetLine) spent() bool {
	return l.CallsLeft != nil && *l.CallsLeft == 0 || l.CostLeft != nil && *l.CostLeft == 0
}

// callsWords is how much of the calls was used: "12 of 100".
func (l BudgetLine) callsWords(r Reader) string {
	if l.Budget.CallsPerDay == nil {
		return r.Number(l.Calls)
	}
	return r.Number(l.Calls) + " of " + r.Number(*l.Budget.CallsPerDay)
}

// callsLeft is how many calls are left: "88 left".
func (l BudgetLine) callsLeft(r Reader) string {
	if l.CallsLeft == nil {
		return "no limit"
	}
	return r.Number(*l.CallsLeft) + " left"
}

// costWords is how much of the cost was used: "$1.20 of $2.00".
func (l BudgetLine) costWords(r Reader) string {
	if l.Budget.CostMicrosPerDay == nil {
		return r.Money(l.Cost)
	}
	return r.Money(l.Cost) + " of " + r.Money(l.Budget.CostMicrosPerDay)
}

// costLeft is how much cost is left, and what is set aside of it.
func (l BudgetLine) costLeft(r Reader) string {
	out := "no limit"
	if l.CostLeft != nil {
		out = r.Money(l.CostLeft) + " left"
	}
	if l.Reserved > 0 {
		out += ", " + r.Money(&l.Reserved) + " set aside"
	}
	return out
}

// tableLink leads from a table to what is about the same thing.
func tableLink(l *Link) templ.Component {
	if l == nil {
		return nil
	}
	return asideLink(*l)
}
