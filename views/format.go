package views

import (
	"math"
	"strconv"
	"strings"
	"time"

	"assent/internal/assent"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"
)

// Reader is how one person reads times, numbers and money.
type Reader struct {
	zone     *time.Location
	locale   language.Tag
	printer  *message.Printer
	currency assent.Currency // "" is the default one
}

// ReaderOf takes zone and locale from a person; what is unknown is UTC and
// British English.
func ReaderOf(p assent.Person) Reader {
	tag, err := language.Parse(p.Locale)
	if err != nil || tag == language.Und {
		tag = language.BritishEnglish
	}
	return Reader{zone: p.Zone(), locale: tag, printer: message.NewPrinter(tag)}
}

// In is the same reader where money is counted in c.
func (r Reader) In(c assent.Currency) Reader {
	r.currency = c
	return r
}

// american reports whether dates run month, day, year and hours to twelve.
func (r Reader) american() bool {
	region, _ := r.locale.Region()
	return region.String() == "US"
}

// Clock is a time of day: "14:02".
func (r Reader) Clock(t assent.Time) string {
	if t == 0 {
		return ""
	}
	if r.american() {
		return t.Std().In(r.zone).Format("3:04\u00a0PM")
	}
	return t.Std().In(r.zone).Format("15:04")
}

// Day is a calendar day of an instant: "21 Nov 2026".
func (r Reader) Day(t assent.Time) string {
	if t == 0 {
		return ""
	}
	return t.Std().In(r.zone).Format(r.dayLayout("Jan"))
}

// Moment is day and time: "21 Nov 2026, 14:02".
func (r Reader) Moment(t assent.Time) string {
	if t == 0 {
		return ""
	}
	return r.Day(t) + ", " + r.Clock(t)
}

// Date is a date without a zone: "31 March 2027". What is no date stays as it is.
func (r Reader) Date(d assent.Date) string {
	t, err := time.Parse(time.DateOnly, string(d))
	if err != nil {
		return string(d)
	}
	return t.Format(r.dayLayout("January"))
}

func (r Reader) dayLayout(month string) string {
	if r.american() {
		return month + " 2, 2006"
	}
	return "2 " + month + " 2006"
}

// Number groups digits: "9,184".
func (r Reader) Number(n int64) string { return r.printer.Sprint(number.Decimal(n)) }

// Compact shortens large numbers: "18.2 M".
func (r Reader) Compact(n int64) string {
	for _, u := range []struct {
		size int64
		name string
	}{{1e9, "B"}, {1e6, "M"}, {1e4, "k"}} {
		if n >= u.size {
			size := u.size
			if u.name == "k" {
				size = 1e3
			}
			return r.decimal(float64(n)/float64(size), 1) + "\u00a0" + u.name
		}
	}
	return r.Number(n)
}

func (r Reader) decimal(f float64, digits int) string {
	return r.printer.Sprint(number.Decimal(f, number.MaxFractionDigits(digits)))
}

// Money is an amount in micros of the currency: "$41.27", "€0.004", "¥150"; nil
// is "no price".
func (r Reader) Money(micros *int64) string {
	if micros == nil {
		return "no price"
	}
	amount := float64(*micros) / 1e6
	digits, min := 2, 2
	if a := math.Abs(amount); a > 0 && a < 0.1 {
		digits, min = 4, 3
	} else if r.currency == "JPY" { // it has no hundredths
		min = 0
	}
	return r.sign() + r.printer.Sprint(number.Decimal(amount, number.MaxFractionDigits(digits), number.MinFractionDigits(min)))
}

// sign stands before an amount, and does not part from it at the end of a line.
func (r Reader) sign() string { return strings.ReplaceAll(r.currency.Sign(), " ", "\u00a0") }

// Duration is a length of time: "41 ms", "6.2 s", "1 min 12 s".
func (r Reader) Duration(ms int64) string {
	switch {
	case ms < 1000:
		return itoa(max(ms, 0)) + "\u00a0ms"
	case ms < 60_000:
		return r.decimal(float64(ms)/1000, 1) + "\u00a0s"
	case ms < 3_600_000:
		return itoa(ms/60_000) + "\u00a0min " + itoa(ms/1000%60) + "\u00a0s"
	}
	return itoa(ms/3_600_000) + "\u00a0h " + itoa(ms/60_000%60) + "\u00a0min"
}

// Percent is a share of one: "99.4 %".
func (r Reader) Percent(f float64) string { return r.decimal(f*100, 1) + "\u00a0%" }

// Count is a number with its noun: "1 project", "9 tasks".
func (r Reader) Count(n int64, noun string) string { return r.Number(n) + " " + Plural(noun, n) }

// Plural is an English noun for n of it.
func Plural(noun string, n int64) string {
	switch {
	case n == 1:
		return noun
	case strings.HasSuffix(noun, "y") && !strings.HasSuffix(noun, "ay"):
		return strings.TrimSuffix(noun, "y") + "ies"
	}
	return noun + "s"
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
