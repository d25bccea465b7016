package workspace

import (
	"context"
	"encoding/json"

	"assent/internal/assent"
)

// Targets name what a call acts on beside the model's own label, so that a
// person approves the thing and not a description of it. They are for the
// session's own person and name things whose id that person's plan holds.

// namedIn gives a target from a literal name or title in the arguments.
func namedIn(key string) func(json.RawMessage) string {
	return func(args json.RawMessage) string {
		s, known := literalsOf(args).text(key)
		if !known {
			return ""
		}
		return "“" + oneLine(clip(s, 200)) + "”"
	}
}

// titled gives a target by the id in the arguments: the title it has now.
func (b builtin) titled(key string) func(json.RawMessage) string {
	return func(args json.RawMessage) string {
		id, known := literalsOf(args).text(key)
		if !known {
			return ""
		}
		return b.titleOf(id)
	}
}

func (b builtin) titleOf(id string) string {
	n, err := b.reads.FindAny(context.Background(), id)
	if err != nil {
		return ""
	}
	if r, ok := n.(*assent.Relation); ok {
		return b.titleOf(r.FromID) + " " + inWords(r.Type) + " " + b.titleOf(r.ToID)
	}
	return quoted(n)
}

// titledAll gives a target from the titles in a list of objects.
func titledAll(key string) func(json.RawMessage) string {
	return func(args json.RawMessage) string {
		var items []literals
		if json.Unmarshal(literalsOf(args)[key], &items) != nil {
			return ""
		}
		var names []string
		for _, it := range items {
			if s, known := it.text("title"); known {
				names = append(names, "“"+oneLine(clip(s, 200))+"”")
			}
		}
		return examples(names, 3)
	}
}
