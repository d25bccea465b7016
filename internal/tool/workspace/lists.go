package workspace

import (
	"context"
	"encoding/json"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/internal/tool"
)

// maxScan bounds how many entities a list looks at; maxList how many bytes of
// JSON it may have, below what the executor lets through.
const (
	maxScan      = 5000
	maxList      = 200 << 10
	defaultLimit = 50
)

// all gives every entity of type T within a filter, page by page; for kinds that
// belong to no project, and for projects themselves.
func all[T any, P entity[T]](ctx context.Context, r store.Reads, f store.Filter) ([]T, error) {
	f.Page = store.Page{Limit: 200}
	out := []T{}
	for len(out) < maxScan {
		page, next, err := store.List[T, P](ctx, r, f)
		if err != nil {
			return nil, err
		}
		out = append(out, page...)
		if next == "" {
			break
		}
		f.Cursor = next
	}
	return out, nil
}

// inProjects gives every entity of type T in a project, or, if none is named, in
// all that the caller may see, one project after the other in the order in which
// they were made. The caller may see the project that is named.
func inProjects[T any, P entity[T]](ctx context.Context, r store.Reads, c tool.Call, projectID string) ([]T, error) {
	ids := []string{projectID}
	if projectID == "" {
		projects, err := all[assent.Project](ctx, r, store.Filter{UserID: c.Scope.Person.ID})
		if err != nil {
			return nil, err
		}
		ids = nil
		for _, p := range projects {
			ids = append(ids, p.ID)
		}
	}
	out := []T{}
	for _, id := range ids {
		nouns, err := r.ListProjectEntities(ctx, id)
		if err != nil {
			return nil, err
		}
		for _, n := range nouns {
			if e, ok := n.(P); ok && len(out) < maxScan {
				out = append(out, *e)
			}
		}
	}
	return out, nil
}

// first gives at most limit items that together fit into an answer.
func first[T any, P entity[T]](items []T, limit int) []T {
	return squeezed[T, P](items[:min(limit, len(items))], maxList)
}

// squeezed makes items fit into so many bytes: long texts are cut, and if that
// does not do, the last items are left out.
func squeezed[T any, P entity[T]](items []T, size int) []T {
	for _, keep := range []int{4000, 1000, 200} {
		if fits(items, size) {
			return items
		}
		for i := range items {
			cut(P(&items[i]), keep)
		}
	}
	for len(items) > 1 && !fits(items, size) {
		items = items[:len(items)*3/4]
	}
	return items
}

// fits reports whether the JSON of items is within size.
func fits[T any](items []T, size int) bool {
	b, err := json.Marshal(items)
	return err == nil && len(b) <= size
}

// longTexts are the texts of an entity that may be long.
func longTexts(n store.Noun) []*string {
	switch e := n.(type) {
	case *assent.Project:
		return []*string{&e.Description}
	case *assent.Goal:
		return []*string{&e.Description}
	case *assent.Milestone:
		return []*string{&e.Description}
	case *assent.Task:
		return []*string{&e.Description, &e.Blocker}
	case *assent.Document:
		return []*string{&e.Body}
	case *assent.Risk:
		return []*string{&e.Description, &e.Mitigation}
	case *assent.Decision:
		return []*string{&e.Rationale}
	case *assent.Relation:
		return []*string{&e.Note}
	case *assent.Template:
		return []*string{&e.Description, &e.DocumentBody}
	}
	return nil
}

// cut shortens the long texts of an entity to so many characters, with a mark.
func cut(n store.Noun, keep int) {
	for _, t := range longTexts(n) {
		*t = clip(*t, keep)
	}
}

// cutMark ends a text that was shortened, so that nobody takes it for the whole.
const cutMark = "… [shortened here]"

func clip(s string, keep int) string {
	if len(s) <= keep+len(cutMark) {
		return s
	}
	for i := range s { // i is the start of a character
		if i >= keep {
			return s[:i] + cutMark
		}
	}
	return s
}

// weight is how many bytes a text has as JSON.
func weight(s string) int {
	n := 0
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\' || c == '\n' || c == '\t' || c == '\r':
			n += 2
		case c < 0x20 || c == '<' || c == '>' || c == '&':
			n += 6
		default:
			n++
		}
	}
	return n
}
