package assent

import (
	"fmt"
	"slices"
	"strings"
)

// Currency is an ISO 4217 code. An installation counts all its money in one,
// which its admins set; "micros" are millionths of its unit.
type Currency string

// DefaultCurrency holds until admins set another one.
const DefaultCurrency Currency = "USD"

// Currencies lists those that may be set: the ones whose names and signs the
// reading of a limit of cost knows.
func Currencies() []Currency { return []Currency{"USD", "EUR", "GBP", "CHF", "JPY", "CNY", "PLN"} }

// CheckCurrency refuses, at a pointer, what is none of Currencies.
func CheckCurrency(pointer string, c Currency) error {
	if slices.Contains(Currencies(), c) {
		return nil
	}
	names := make([]string, 0, len(Currencies()))
	for _, c := range Currencies() {
		names = append(names, string(c))
	}
	return Invalid(pointer, "invalid", "Must be one of "+strings.Join(names, ", ")+".")
}

// Sign is what stands before an amount: "$", "CHF ".
func (c Currency) Sign() string {
	switch c {
	case "USD", "":
		return "$"
	case "EUR":
		return "€"
	case "GBP":
		return "£"
	case "JPY":
		return "¥"
	case "CNY":
		return "CN¥"
	}
	return string(c) + " "
}

// Name is the currency in a sentence: "dollars".
func (c Currency) Name() string {
	switch c {
	case "USD", "":
		return "US dollars"
	case "EUR":
		return "euros"
	case "GBP":
		return "pounds"
	case "CHF":
		return "Swiss francs"
	case "JPY":
		return "yen"
	case "CNY":
		return "yuan"
	case "PLN":
		return "zloty"
	}
	return string(c)
}

// Amount is an amount in micros in words that need no locale: "$1.50".
func (c Currency) Amount(micros int64) string {
	part := strings.TrimRight(fmt.Sprintf("%06d", micros%1_000_000), "0")
	return fmt.Sprintf("%s%d.%s%s", c.Sign(), micros/1_000_000, part, strings.Repeat("0", max(0, 2-len(part))))
}
