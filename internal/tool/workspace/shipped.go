package workspace

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"assent/internal/assent"
	"assent/internal/store"
)

//go:embed templates
var shippedFiles embed.FS

// Shipped gives the templates that come with the product, in the order of their
// names. Each is templates/<slug>.json with the outline of its context document
// in <slug>.md beside it.
func Shipped() ([]assent.Template, error) {
	entries, err := shippedFiles.ReadDir("templates")
	if err != nil {
		return nil, err
	}
	var out []assent.Template
	for _, e := range entries {
		slug, ok := strings.CutSuffix(e.Name(), ".json")
		if !ok {
			continue
		}
		t, err := shippedTemplate(slug)
		if err != nil {
			return nil, fmt.Errorf("template %s: %w", slug, err)
		}
		out = append(out, t)
	}
	return out, nil
}

func shippedTemplate(slug string) (assent.Template, error) {
	t := assent.Template{Entity: assent.Entity{ID: "tpl-" + slug, Kind: assent.KindTemplate}, Slug: slug}
	raw, err := shippedFiles.ReadFile(path.Join("templates", slug+".json"))
	if err != nil {
		return t, err
	}
	if err := json.Unmarshal(raw, &t); err != nil {
		return t, err
	}
	outline, err := shippedFiles.ReadFile(path.Join("templates", slug+".md"))
	t.DocumentBody = string(outline)
	return t, err
}

// EnsureTemplates puts the shipped templates into the store, which is done at
// every start. One that changed since is updated; one that somebody edited or
// deleted is left as it is.
func EnsureTemplates(ctx context.Context, s *store.Store) error {
	shipped, err := Shipped()
	if err != nil {
		return err
	}
	return s.Write(ctx, func(tx *store.Tx) error {
		for _, t := range shipped {
			if err := ensure(ctx, tx, t); err != nil {
				return fmt.Errorf("template %s: %w", t.Slug, err)
			}
		}
		return nil
	})
}

func ensure(ctx context.Context, tx *store.Tx, t assent.Template) error {
	origin := store.Origin{Tool: "shipped templates"}
	revs, err := tx.ListRevisions(ctx, t.ID, 0, 1)
	if err != nil {
		return err
	}
	if len(revs) == 0 {
		return tx.CreateEntity(origin, &t)
	}
	if newest := revs[0]; newest.UserID != "" || newest.Op == "delete" {
		return nil
	}
	old, err := store.Find[assent.Template](ctx, tx.Reads, t.ID)
	if err != nil {
		return err
	}
	t.Entity = old.Entity
	if same(old, t) {
		return nil
	}
	return tx.UpdateEntity(origin, &t)
}

func same(a, b assent.Template) bool {
	x, err1 := json.Marshal(a)
	y, err2 := json.Marshal(b)
	return err1 == nil && err2 == nil && string(x) == string(y)
}
