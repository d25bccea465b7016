package english

import (
	"sort"
	"strconv"
	"strings"
)

var numbers = map[string]int{
	"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17,
	"eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90, "hundred": 100,
}

var ordinals = map[string]int{
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
	"tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16,
	"seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "thirtieth": 30,
}

func numberNames() []string {
	var out []string
	for _, m := range []map[string]int{numbers, ordinals} {
		for w := range m {
			out = append(out, w)
		}
	}
	sort.Strings(out)
	return out
}

// Last is the ordinal of "the last one".
const Last = -1

// Count reads a count at token i ("3", "three", "a couple of", "half a dozen")
// and gives the token after it.
func (t Text) Count(i int) (n, next int, ok bool) {
	if i < 0 || i >= len(t.Tokens) {
		return 0, i, false
	}
	for phrase, v := range map[string]int{"a couple of": 2, "a couple": 2, "couple of": 2, "a few": 3, "few": 3,
		"half a dozen": 6, "a dozen": 12, "dozen": 12, "several": 4, "a handful of": 5, "both": 2} {
		if t.IsPhrase(i, phrase) {
			if size := len(strings.Fields(phrase)); i+size > next {
				n, next, ok = v, i+size, true
			}
		}
	}
	if ok {
		return n, next, true
	}
	tok := t.Tokens[i]
	if v, known := numbers[tok.Word]; known {
		return v, i + 1, true
	}
	v, err := strconv.Atoi(tok.Word)
	if tok.Kind != Number || err != nil || v < 0 {
		return 0, i, false
	}
	return v, i + 1, true
}

// Ordinal reads "second", "2nd", "last" at token i.
func (t Text) Ordinal(i int) (n int, ok bool) {
	if i < 0 || i >= len(t.Tokens) {
		return 0, false
	}
	tok := t.Tokens[i]
	if tok.Word == "last" || tok.Word == "final" {
		return Last, true
	}
	if v, known := ordinals[tok.Word]; known {
		return v, true
	}
	if tok.Kind == Number && len(tok.Word) > 2 {
		digits, suffix := tok.Word[:len(tok.Word)-2], tok.Word[len(tok.Word)-2:]
		v, err := strconv.Atoi(digits)
		if err == nil && v > 0 && (suffix == "st" || suffix == "nd" || suffix == "rd" || suffix == "th") {
			return v, true
		}
	}
	return 0, false
}

// Plural writes "1 task", "3 tasks", "no tasks".
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	many := noun + "s"
	switch {
	case strings.HasSuffix(noun, "y") && !strings.HasSuffix(noun, "ay") && !strings.HasSuffix(noun, "ey"):
		many = noun[:len(noun)-1] + "ies"
	case strings.HasSuffix(noun, "s"), strings.HasSuffix(noun, "x"), strings.HasSuffix(noun, "ch"):
		many = noun + "es"
	}
	if n == 0 {
		return "no " + many
	}
	return strconv.Itoa(n) + " " + many
}

// Join writes "a", "a and b", "a, b and c".
func Join(items []string) string {
	switch len(items) {
	case 0:
		return ""
	case 1:
		return items[0]
	}
	return strings.Join(items[:len(items)-1], ", ") + " and " + items[len(items)-1]
}
