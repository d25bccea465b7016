package views

import (
	"strconv"
	"strings"
)

// maxMoney is the largest amount that a form takes, in the currency.
const maxMoney = 10_000

// CurrencyName is what money is counted in: "US dollars".
func (r Reader) CurrencyName() string { return r.currency.Name() }

// PlainMoney is an amount in micros as a form holds it: "0.15".
func (r Reader) PlainMoney(micros int64) string {
	whole, part := micros/1e6, strings.TrimRight(strconv.FormatInt(1e6+micros%1e6, 10)[1:], "0")
	if len(part) < 2 {
		part = (part + "00")[:2]
	}
	return strconv.FormatInt(whole, 10) + r.point() + part
}

// ParseMoney reads what somebody typed as an amount of the currency: "0.15",
// "$2", "0,15" where that is how numbers are written. ok is false for anything
// else, for more than six places and for more than 10,000.
func (r Reader) ParseMoney(typed string) (micros int64, ok bool) {
	typed = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(typed), strings.TrimSpace(r.currency.Sign())))
	whole, part, fraction := strings.Cut(typed, r.point())
	if !fraction {
		whole, part, fraction = strings.Cut(typed, ".")
	}
	if !digits(whole) || fraction && !digits(part) || len(whole) > 5 || len(part) > 6 {
		return 0, false
	}
	n, err := strconv.ParseInt(whole+(part + "000000")[:6], 10, 64)
	return n, err == nil && n <= maxMoney*1e6
}

// point is the decimal mark of the reader's numbers.
func (r Reader) point() string {
	if strings.Contains(r.decimal(1.5, 1), ",") {
		return ","
	}
	return "."
}

func digits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
