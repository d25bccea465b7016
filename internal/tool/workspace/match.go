package workspace

import (
	"slices"
	"strings"
	"unicode"
)

// meaningful are the words in free text that carry meaning, in lower case.
func meaningful(text string) []string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return slices.DeleteFunc(words, stopWord)
}

// term is a meaningful word with its stem.
type term struct{ word, stem string }

func terms(text string) []term {
	words := meaningful(text)
	out := make([]term, len(words))
	for i, w := range words {
		out[i] = term{w, stem(w)}
	}
	return out
}

// stopWord reports words that tell nothing about what is looked for.
func stopWord(w string) bool {
	switch w {
	case "a", "an", "the", "and", "or", "of", "for", "to", "in", "on", "at", "by", "with", "from", "into", "our", "my", "your", "we", "us", "i", "it", "is", "are",
		"be", "do", "get", "getting", "among", "between", "can", "could", "how", "what", "new", "some", "any", "all", "about", "please", "need", "want", "project", "projects", "template", "templates", "that", "this", "which", "s":
		return true
	}
	return false
}

// stem cuts English endings so that "relocating", "relocate" and "relocation"
// are one. It need not give words, only the same letters for the same word.
func stem(w string) string {
	for _, suffix := range []string{"isation", "ization", "ations", "ation", "ments", "ment", "ions", "ion", "ings", "ing", "ers", "er", "ed", "es", "s", "e"} {
		root, ok := strings.CutSuffix(w, suffix)
		if !ok || len(root) < 3 || suffix == "s" && strings.HasSuffix(root, "s") {
			continue
		}
		if n := len(root); root[n-1] == root[n-2] && !strings.ContainsRune("lsz", rune(root[n-1])) {
			root = root[:n-1] // "planning", "wedding"
		}
		if r, ok := strings.CutSuffix(root, "e"); ok && len(r) >= 3 {
			root = r
		}
		if r, ok := strings.CutSuffix(root, "at"); ok && len(r) >= 4 {
			root = r // "relocate" beside "relocation"
		}
		return strings.TrimSuffix(root, "i")
	}
	return strings.TrimSuffix(w, "y")
}

// slip reports whether two words are the same but for one slip: a letter too
// many, missing, wrong or swapped with its neighbour. Short words must be equal.
func slip(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) < 5 || len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		return a[i:] == b[i+1:]
	}
	swapped := i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
	return i == len(a) || a[i+1:] == b[i+1:] || swapped
}

// likeness is how much two terms are the same: 1, a half for a slip, or 0.
func likeness(a, b term) float64 {
	switch {
	case a.stem == b.stem:
		return 1
	case slip(a.word, b.word):
		return 0.5
	}
	return 0
}

// field is a text to match against with what a hit in it is worth. A phrase is
// worth that only where all its words occur, and less the more are missing.
type field struct {
	terms  []term
	weight float64
	phrase bool
}

func in(text string, weight float64) field { return field{terms: terms(text), weight: weight} }
func inPhrase(text string, weight float64) field {
	return field{terms: terms(text), weight: weight, phrase: true}
}

// score sums what each wanted term is worth: the best field in which it occurs.
// hits is how many terms occur at all.
func score(wanted []term, fields []field) (sum float64, hits int) {
	best := make([]float64, len(wanted))
	for _, f := range fields {
		for i, worth := range f.worth(wanted) {
			best[i] = max(best[i], worth)
		}
	}
	for _, w := range best {
		sum += w
		if w > 0 {
			hits++
		}
	}
	return sum, hits
}

// worth gives what the field is worth for each wanted term.
func (f field) worth(wanted []term) []float64 {
	out := make([]float64, len(wanted))
	matched := 0
	for _, t := range f.terms {
		any := false
		for i, want := range wanted {
			if l := likeness(t, want); l > 0 {
				out[i], any = max(out[i], l*f.weight), true
			}
		}
		if any {
			matched++
		}
	}
	if f.phrase && len(f.terms) > 0 {
		for i := range out {
			out[i] *= float64(matched) / float64(len(f.terms))
		}
	}
	return out
}

// matching gives the items that fit free words, best first: those in which all
// words occur if there are any, else those in which some do. Words that carry
// no meaning match everything.
func matching[T any](items []T, query string, fieldsOf func(T) []field) []T {
	wanted := terms(query)
	if len(wanted) == 0 {
		return items
	}
	type hit struct {
		item  T
		score float64
		terms int
	}
	var hits []hit
	most := 0
	for _, it := range items {
		if s, n := score(wanted, fieldsOf(it)); n > 0 {
			hits = append(hits, hit{it, s, n})
			most = max(most, n)
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return 0
	})
	out := []T{}
	for _, h := range hits {
		if most < len(wanted) || h.terms == most {
			out = append(out, h.item)
		}
	}
	return out
}
