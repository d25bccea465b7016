package workspace

import (
	"fmt"
	"strings"

	"assent/internal/assent"
	"assent/internal/store"
)

// quoted names an entity for people: “Office move”.
func quoted(n store.Noun) string { return "“" + store.Title(n) + "”" }

// count is a number with its noun: "1 task", "9 tasks".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %s", n, plural(noun))
}

// plural is the English plural of the nouns that the tools use.
func plural(noun string) string {
	switch {
	case strings.HasSuffix(noun, "ch"):
		return noun + "es"
	case strings.HasSuffix(noun, "cy"):
		return strings.TrimSuffix(noun, "y") + "ies"
	}
	return noun + "s"
}

// counted lists what there is some of, in the order of kinds: "4 milestones and 9 tasks".
func counted(n map[string]int) string {
	var parts []string
	for _, k := range assent.Kinds() {
		if n[string(k)] > 0 {
			parts = append(parts, count(n[string(k)], string(k)))
		}
	}
	return listed(parts)
}

// listed joins with commas and a final "and".
func listed(parts []string) string {
	switch len(parts) {
	case 0:
		return ""
	case 1:
		return parts[0]
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}

// examples names the first few of many: “A”, “B” and 3 more.
func examples(names []string, show int) string {
	if len(names) <= show {
		return listed(names)
	}
	return listed(append(append([]string{}, names[:show]...), fmt.Sprintf("%d more", len(names)-show)))
}
