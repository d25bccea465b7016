package english

import (
	"slices"
	"strings"
	"unicode"
)

// Stem cuts the endings that do not change what a word is about, roughly:
// "tasks", "moving", "launched" → "task", "mov", "launch".
func Stem(w string) string {
	w = strings.ToLower(w)
	for _, end := range []string{"ies", "ing", "ations", "ation", "es", "ed", "s", "e"} {
		base, ok := strings.CutSuffix(w, end)
		if !ok || len(base) < 3 || end == "s" && strings.HasSuffix(base, "s") {
			continue
		}
		if end == "ies" {
			base += "y"
		}
		if n := len(base); (end == "ing" || end == "ed") && n > 3 && base[n-1] == base[n-2] && base[n-1] != 'l' && base[n-1] != 's' {
			base = base[:n-1]
		}
		return base
	}
	return w
}

var stop = wordSet(`a an the and or of to in on at for with from by is are be was were it its this that these those our my your their
	we i you they us me as so do does can will would should about into please any some all up out off new project task tasks`)

func wordSet(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

// All reports whether words mean all there is and no single thing.
func All(s string) bool {
	switch strings.ToLower(Squeeze(s)) {
	case "everything", "all", "all of them", "all of it", "anything", "nothing", "all tasks", "all the tasks", "every task", "each task", "the whole thing", "all milestones", "every milestone", "everyone", "the rest", "tasks", "the tasks", "milestones":
		return true
	}
	return false
}

// Stop reports whether w says nothing about the subject of a name.
func Stop(w string) bool { return stop[strings.ToLower(w)] }

// Terms are the words of s that say what it is about, as stems. If all of them
// are stop words, these are the terms.
func Terms(s string) []string {
	var terms, rest []string
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' }) {
		w = strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "'")
		switch {
		case w == "":
		case stop[w]:
			rest = append(rest, Stem(w))
		default:
			terms = append(terms, Stem(w))
		}
	}
	if len(terms) == 0 {
		return rest
	}
	return terms
}

// Alike reports whether any two stems of a and b are one word.
func Alike(a, b []string) bool {
	return slices.ContainsFunc(a, func(x string) bool {
		return slices.ContainsFunc(b, func(y string) bool { return alike(x, y) })
	})
}

// alike reports whether two stems are one word, a slip allowed.
func alike(a, b string) bool {
	if a == b {
		return true
	}
	short := min(len(a), len(b))
	if short >= 4 && len(a)+len(b)-2*short <= 2 && (strings.HasPrefix(a, b) || strings.HasPrefix(b, a)) {
		return true
	}
	return short >= 4 && max(len(a), len(b)) >= 5 && a[0] == b[0] && Distance(a, b) <= 1+bit(short >= 8)
}

// Likeness is how well what a person typed names title: 1 for the same words,
// 0 for none in common. Words missing from typed cost less than foreign ones.
func Likeness(typed, title string) float64 {
	if strings.EqualFold(strings.TrimSpace(typed), strings.TrimSpace(title)) {
		return 1
	}
	want, have := Terms(typed), Terms(title)
	if len(want) == 0 || len(have) == 0 {
		return 0
	}
	found, used := 0, map[int]bool{}
	for _, w := range want {
		for j, h := range have {
			if !used[j] && alike(w, h) {
				found++
				used[j] = true
				break
			}
		}
	}
	precision, recall := float64(found)/float64(len(want)), float64(found)/float64(len(have))
	return 0.98 * (0.7*precision + 0.3*recall)
}

// Unique sorts words and drops repetitions.
func Unique(words []string) []string {
	slices.Sort(words)
	return slices.Compact(words)
}
