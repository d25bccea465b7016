package offline

import (
	"encoding/json"
	"strings"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// milestonesOf reads the milestones in a step's arguments.
func milestonesOf(a args) []milestone {
	var out []milestone
	if json.Unmarshal(encode(a["milestones"]), &out) != nil {
		return nil
	}
	return out
}

// stepNamed finds the step that words name by its number ("step 3", "the second
// one", "the last step").
func stepNamed(t english.Text, steps []assent.Step) (int, bool) {
	all := stepsNumbered(t, len(steps))
	if len(all) > 0 {
		return all[0], true
	}
	return 0, false
}

// stepsNumbered are the steps that words name by number, as indices.
func stepsNumbered(t english.Text, count int) []int {
	var out []int
	add := func(n int) {
		if n == english.Last {
			n = count
		}
		if n >= 1 && n <= count {
			out = append(out, n-1)
		}
	}
	for i := range t.Tokens {
		switch {
		case t.Is(i, "step", "steps", "number", "item", "point", "nr", "no") && i+1 < t.Len():
			out = append(out, numbersFrom(t, i+1, count)...)
		case t.Is(i+1, "step", "one", "item", "point") && !t.Is(i+2, "milestone", "task", "week", "of"):
			if n, ok := t.Ordinal(i); ok {
				add(n)
			}
		case i+1 == t.Len() && i > 0 && !t.Is(i-1, "only", "just", "to", "by") || t.Is(i+1, "and", ",", ".", "then", "please", "but", "!") && t.Is(i-1, "out", "drop", "skip", "remove", "without", "the", "delete", "cut", "omit", "number"):
			if n, ok := t.Ordinal(i); ok {
				add(n)
			} else if n, _, ok := t.Count(i); ok && t.Tokens[i].Kind == english.Number {
				add(n)
			}
		}
	}
	return uniqueInts(out)
}

// numbersFrom reads "3", "2 and 4", "2, 3 and 5", "2-4".
func numbersFrom(t english.Text, i, count int) []int {
	var out []int
	for i < t.Len() {
		n, next, ok := t.Count(i)
		if !ok {
			if n, ok = t.Ordinal(i); !ok {
				break
			}
			next = i + 1
		}
		if n == english.Last {
			n = count
		}
		if n >= 1 && n <= count {
			out = append(out, n-1)
		}
		i = next
		if t.Is(i, "to", "-", "–", "through") {
			if last, after, ok := t.Count(i + 1); ok {
				for k := n + 1; k <= min(last, count); k++ {
					out = append(out, k-1)
				}
				i = after
			}
		}
		for t.Is(i, "and", ",", "&", "or") {
			i++
		}
	}
	return out
}

func uniqueInts(all []int) []int {
	var out []int
	seen := map[int]bool{}
	for _, n := range all {
		if !seen[n] {
			seen[n] = true
			out = append(out, n)
		}
	}
	return out
}

// stepLike finds the step that words name by its label, tool or title: "the
// invitations", "the document", "the risk".
func stepLike(words string, steps []assent.Step) (int, bool) {
	best, top := -1, 0.0
	terms := english.Terms(words)
	for i, st := range steps {
		a := argsOf(st.Arguments)
		text := strings.Join([]string{st.Label, strings.ReplaceAll(st.Tool, "_", " "), a.text("title"), a.text("name"), st.ID}, " ")
		have := map[string]bool{}
		for _, term := range english.Terms(text) {
			have[term] = true
		}
		n := 0
		for _, term := range terms {
			if have[term] {
				n++
			}
		}
		if score := float64(n) / float64(max(1, len(terms))); score > top {
			best, top = i, score
		}
	}
	return best, top >= 0.5
}
