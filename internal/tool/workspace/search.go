package workspace

import (
	"context"
	"fmt"
	"slices"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/internal/tool"
)

type searchArgs struct {
	Query string   `json:"query" jsonschema:"minLength=1,maxLength=200,pattern=\\S" jsonschema_description:"Words to look for; the beginning of a word is enough."`
	Kinds []string `json:"kinds,omitempty" jsonschema:"enum=project,enum=goal,enum=milestone,enum=task,enum=document,enum=risk,enum=decision,enum=template,enum=session" jsonschema_description:"Only these kinds; everything but conversations (session) if left out."`
	limitArg
}

type hitList struct {
	Hits  []assent.SearchHit `json:"hits"`
	Total int                `json:"total"`
}

func (b builtin) search() *tool.Tool {
	return tool.New(tool.Def{Name: "search", Title: "Search the workspace", Effect: assent.EffectRead,
		Description: "Searches titles and texts of everything the person may see: projects, goals, milestones, tasks, documents, risks, decisions and templates. " +
			"Returns hits with kind, id, project_id, title and a snippet, best match first.",
		Example: `{"query": "lease", "kinds": ["task", "document"], "limit": 10}`,
	}, func(ctx context.Context, c tool.Call, a searchArgs) (tool.Result[hitList], error) {
		hits, err := lookUp(ctx, b.reads, c, a.Query, "", entityKinds(a.Kinds), a.or(20))
		if err != nil {
			return tool.Result[hitList]{}, err
		}
		if slices.Contains(a.Kinds, "session") {
			said, err := b.reads.SearchSessions(ctx, c.Scope.Person.ID, a.Query, a.or(20))
			if err != nil {
				return tool.Result[hitList]{}, err
			}
			hits = append(hits, said...)
			hits = hits[:min(len(hits), a.or(20))]
		}
		return tool.Result[hitList]{Artifact: hitList{Hits: hits, Total: len(hits)},
			Summary: fmt.Sprintf("Found %s for “%s”", count(len(hits), "match"), oneLine(a.Query))}, nil
	})
}

// entityKinds are the kinds of entities to search; only conversations asked for
// means none.
func entityKinds(kinds []string) []string {
	out := slices.DeleteFunc(slices.Clone(kinds), func(k string) bool { return k == "session" })
	if len(out) == 0 && len(kinds) > 0 {
		return []string{"session"}
	}
	return out
}

// lookUp searches and puts templates, which are everyone's, behind what is the
// person's own.
func lookUp(ctx context.Context, r store.Reads, c tool.Call, query, projectID string, kinds []string, limit int) ([]assent.SearchHit, error) {
	hits, err := lookUpAll(ctx, r, c, query, projectID, kinds, 2*limit)
	slices.SortStableFunc(hits, func(a, b assent.SearchHit) int { return last(a) - last(b) })
	return hits[:min(len(hits), limit)], err
}

func last(h assent.SearchHit) int {
	if h.Kind == string(assent.KindTemplate) {
		return 1
	}
	return 0
}

// lookUpAll searches for all words; where nothing has them all, for each word
// alone, those first that have most of them.
func lookUpAll(ctx context.Context, r store.Reads, c tool.Call, query, projectID string, kinds []string, limit int) ([]assent.SearchHit, error) {
	hits, err := r.Search(ctx, c.Scope.Person.ID, query, projectID, kinds, limit)
	if err != nil || len(hits) > 0 {
		return hits, err
	}
	words := meaningful(query)
	if len(words) < 2 && (len(words) == 0 || words[0] == oneLine(query)) {
		return hits, nil
	}
	found := map[string]int{}
	for _, w := range words[:min(len(words), 8)] {
		some, err := r.Search(ctx, c.Scope.Person.ID, w, projectID, kinds, limit)
		if err != nil {
			return nil, err
		}
		for _, h := range some {
			if found[h.ID] == 0 {
				hits = append(hits, h)
			}
			found[h.ID]++
		}
	}
	slices.SortStableFunc(hits, func(a, b assent.SearchHit) int { return found[b.ID] - found[a.ID] })
	return hits, nil
}
