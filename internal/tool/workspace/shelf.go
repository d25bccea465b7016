package workspace

import (
	"context"
	"encoding/json"
	"strings"
	"sync"

	"assent/internal/assent"
	"assent/internal/store"
)

// shelf keeps templates as they were last read: nearly every new project begins
// with a look at all of them, and they hardly ever change. The stored JSON says
// whether one did. It is safe for concurrent use; what it gives is read only.
type shelf struct {
	mu   sync.Mutex
	byID map[string]shelved
}

// shelved is a template with the words by which it is found.
type shelved struct {
	assent.Template
	data   string
	fields []field
}

// maxShelved bounds how many templates are kept.
const maxShelved = 1000

// list gives every template that a person may use, as all does.
func (s *shelf) list(ctx context.Context, r store.Reads, by string) ([]shelved, error) {
	out := []shelved{}
	f := store.Filter{UserID: by, Page: store.Page{Limit: 200}}
	for len(out) < maxScan {
		_, next, err := store.ListDecoded[assent.Template](ctx, r, f, func(id, data string) (assent.Template, error) {
			t, err := s.take(id, data)
			out = append(out, t)
			return t.Template, err
		})
		if err != nil || next == "" {
			return out, err
		}
		f.Cursor = next
	}
	return out, nil
}

// take gives the template of an id whose stored JSON is data.
func (s *shelf) take(id, data string) (shelved, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t, ok := s.byID[id]; ok && t.data == data {
		return t, nil
	}
	t := shelved{data: data}
	if err := json.Unmarshal([]byte(data), &t.Template); err != nil {
		return t, err
	}
	t.fields = []field{in(t.Name, 7), in(strings.ReplaceAll(t.Slug, "-", " "), 7), in(t.Description, 1)}
	for _, k := range t.Keywords {
		t.fields = append(t.fields, inPhrase(k, 4))
	}
	if len(s.byID) >= maxShelved {
		s.byID = map[string]shelved{}
	}
	s.byID[id] = t
	return t, nil
}
