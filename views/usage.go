package views

import "assent/internal/assent"

// UsageLine is one line of a table of usage.
type UsageLine struct {
	Names      []string // one a column
	Calls      int64
	Failures   int64
	Unpriced   int64
	TokensIn   int64
	TokensOut  int64
	LatencyP95 int64
	CostMicros *int64
}

// UsageTable is usage by one thing.
type UsageTable struct {
	ID, Title string
	Columns   []string // heads of the names
	Lines     []UsageLine
	More      int64 // lines that are not shown
	Link      *Link // to what is about the same thing; nil for none
}

// Usage is the page of what models were used for and what it cost.
type Usage struct {
	Head     AdminHead
	From, To assent.Date // both included
	Ranges   []Link
	Contexts []Option
	Context  string
	CSV      string // address of the same figures as a file
	Total    UsageLine
	TTFTP95  int64
	Before   *int64 // cost of as many days before; nil when unknown
	Days     int64
	Chart    UsageChart
	Tables   []UsageTable
}

// successes is the share of calls that did not fail, and whether there is one.
func (u Usage) successes() (float64, bool) {
	if u.Total.Calls == 0 {
		return 0, false
	}
	return 1 - float64(u.Total.Failures)/float64(u.Total.Calls), true
}

// change compares the cost with that of as many days before: "−12 % on the 30
// days before". Empty when there is nothing to compare with.
func (u Usage) change(r Reader) string {
	if u.Before == nil || *u.Before == 0 || u.Total.CostMicros == nil {
		return ""
	}
	share := float64(*u.Total.CostMicros-*u.Before) / float64(*u.Before)
	sign := "+"
	if share < 0 {
		sign, share = "−", -share
	}
	return sign + r.Percent(share) + " on the " + r.Count(u.Days, "day") + " before"
}

func (l UsageLine) failureShare(r Reader) string {
	if l.Failures == 0 {
		return "0"
	}
	return r.Number(l.Failures) + " (" + r.Percent(float64(l.Failures)/float64(l.Calls)) + ")"
}

// cost says the cost and, where some calls have no price, how many.
func (l UsageLine) cost(r Reader) string {
	switch {
	case l.CostMicros == nil && l.Calls > 0:
		return "no price"
	case l.CostMicros == nil:
		return r.Money(new(int64))
	}
	return r.Money(l.CostMicros)
}
