package workspace

import (
	"context"
	"encoding/json"
	"errors"

	"assent/internal/assent"
	"assent/internal/store"
)

// Targets name what a call acts on beside the model's own label, so that a
// person approves the thing and not a description of it. What that person may
// not see is not named.

// namedIn gives a target from a literal name or title in the arguments.
func namedIn(key string) func(string, json.RawMessage) string {
	return func(by string, args json.RawMessage) string {
		s, known := literalsOf(args).text(key)
		if !known {
			return ""
		}
		return "“" + oneLine(clip(s, 200)) + "”"
	}
}

// titled gives a target by the id in the arguments: the title it has now.
func (b builtin) titled(key string) func(string, json.RawMessage) string {
	return func(by string, args json.RawMessage) string {
		id, known := literalsOf(args).text(key)
		if !known {
			return ""
		}
		return b.titleOf(by, id)
	}
}

func (b builtin) titleOf(by, id string) string {
	n, err := b.seen(context.Background(), by, id)
	if err != nil {
		return ""
	}
	if r, ok := n.(*assent.Relation); ok {
		return b.titleOf(by, r.FromID) + " " + inWords(r.Type) + " " + b.titleOf(by, r.ToID)
	}
	return quoted(n)
}

// seen gives an entity if the person may see it.
func (b builtin) seen(ctx context.Context, by, id string) (store.Noun, error) {
	n, err := b.reads.FindAny(ctx, id)
	if err != nil || n.Base().Kind == assent.KindTemplate {
		return n, err
	}
	if ok, err := b.reads.MaySee(ctx, by, n.Base().ProjectID); err != nil || !ok {
		return nil, errors.Join(assent.NotFound(string(n.Base().Kind)), err)
	}
	return n, nil
}

// titledAll gives a target from the titles in a list of objects.
func titledAll(key string) func(string, json.RawMessage) string {
	return func(by string, args json.RawMessage) string {
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
