package workspace

import (
	"context"
	"encoding/json"

	"assent/internal/assent"
)

// deletes previews a deletion: the entity and what goes with it. What a
// reference or an unknown id stands for is left open.
func (b builtin) deletes(k assent.Kind) func(string, json.RawMessage) assent.Preview {
	key := string(k) + "_id"
	return func(by string, args json.RawMessage) assent.Preview {
		id, known := literalsOf(args).text(key)
		if !known {
			return open(previewOf(nil, nil, one(k)))
		}
		changed, gone, err := b.consequences(by, k, id)
		if err != nil {
			return open(previewOf(nil, nil, one(k)))
		}
		return previewOf(nil, changed, gone)
	}
}

// consequences counts what deleting an entity would change and delete.
func (b builtin) consequences(by string, k assent.Kind, id string) (changed, gone map[string]int, err error) {
	ctx := context.Background()
	n, err := b.seen(ctx, by, id)
	if err != nil {
		return nil, nil, err
	}
	changed, gone = map[string]int{}, one(k)
	ids := []string{id}
	if k == assent.KindProject || k == assent.KindMilestone {
		within, err := b.reads.ListProjectEntities(ctx, n.Base().ProjectID)
		if err != nil {
			return nil, nil, err
		}
		for _, w := range within {
			t, isTask := w.(*assent.Task)
			switch e := w.Base(); {
			case k == assent.KindProject && e.Kind != assent.KindRelation:
				gone[string(e.Kind)]++
				ids = append(ids, e.ID)
			case k == assent.KindMilestone && isTask && t.MilestoneID == id:
				changed[string(assent.KindTask)]++
			}
		}
	}
	links, err := b.links(ctx, ids)
	gone[string(assent.KindRelation)] += links
	return changed, gone, err
}

// links counts the relations from or to any of some entities.
func (b builtin) links(ctx context.Context, ids []string) (int, error) {
	seen := map[string]bool{}
	for _, id := range ids {
		rels, err := b.reads.ListRelationsOf(ctx, id)
		if err != nil {
			return 0, err
		}
		for _, r := range rels {
			seen[r.ID] = true
		}
	}
	return len(seen), nil
}
