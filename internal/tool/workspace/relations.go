package workspace

import (
	"context"
	"encoding/json"
	"strings"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/internal/tool"
)

type listRelationsArgs struct {
	inProjectArgs
	EntityID string `json:"entity_id,omitempty" jsonschema:"maxLength=100" jsonschema_description:"Only relations from or to this thing."`
}

type relationList struct {
	Relations []assent.Relation `json:"relations"`
	Total     int               `json:"total"`
}

func (b builtin) listRelations() *tool.Tool {
	return tool.New(tool.Def{Name: "list_relations", Title: "List relations", Effect: assent.EffectRead,
		Description: "Lists typed relations in a project or of one thing: depends_on, blocks, relates_to, mitigates, supports, documents. Returns relations with the ids and kinds of both ends.",
		Example:     `{"entity_id": "0192f000-0000-7000-8000-000000000004"}`,
	}, func(ctx context.Context, c tool.Call, a listRelationsArgs) (tool.Result[relationList], error) {
		found, err := b.relations(ctx, c, a)
		return tool.Result[relationList]{Artifact: relationList{Relations: first(found, 200), Total: len(found)}, Summary: "Found " + count(len(found), "relation")}, err
	})
}

func (b builtin) relations(ctx context.Context, c tool.Call, a listRelationsArgs) ([]assent.Relation, error) {
	if a.EntityID == "" {
		return within[assent.Relation](ctx, b.reads, c, a.ProjectID)
	}
	if _, err := findAny(ctx, b.reads, c, a.EntityID); err != nil {
		return nil, err
	}
	if _, err := projectOf(ctx, b.reads, c, a.ProjectID); err != nil {
		return nil, err
	}
	rels, err := b.reads.ListRelationsOf(ctx, a.EntityID)
	if err != nil {
		return nil, err
	}
	out := []assent.Relation{}
	for _, r := range rels {
		err := visible(ctx, b.reads, c, &r)
		if err == nil && (a.ProjectID == "" || r.ProjectID == a.ProjectID) {
			out = append(out, r)
		}
		if err != nil && assent.ErrorCode(err) != assent.CodeNotFound {
			return nil, err
		}
	}
	return out, nil
}

type createRelationArgs struct {
	Type   string `json:"type,omitempty" jsonschema:"enum=depends_on,enum=blocks,enum=relates_to,enum=mitigates,enum=supports,enum=documents" jsonschema_description:"What from is to the other: from depends_on to means that to must be finished first. depends_on if left out."`
	FromID string `json:"from_id" jsonschema:"minLength=1,maxLength=100" jsonschema_description:"Id of the thing that depends, blocks, mitigates and so on."`
	ToID   string `json:"to_id" jsonschema:"minLength=1,maxLength=100" jsonschema_description:"Id of the thing at the other end."`
	Note   string `json:"note,omitempty" jsonschema:"maxLength=1000" jsonschema_description:"Why, in words."`
}

func (b builtin) createRelation() *tool.Tool {
	return tool.NewWrite(tool.Def{Name: "create_relation", Title: "Relate two things", Effect: assent.EffectWrite, Aliases: []string{"add_dependency"},
		Description: "Relates two things of the workspace, by default from depends_on to; their kinds are looked up. A dependency that closes a circle and one that is there already are refused. Returns the relation.",
		Preview:     creates(assent.KindRelation),
		Target: func(by string, args json.RawMessage) string {
			from, to := b.titled("from_id")(by, args), b.titled("to_id")(by, args)
			if from == "" || to == "" {
				return ""
			}
			kind, _ := literalsOf(args).text("type")
			return from + " " + inWords(or(kind, "depends_on")) + " " + to
		},
		Example: `{"type": "depends_on", "from_id": "0192f000-0000-7000-8000-00000000000a", "to_id": "0192f000-0000-7000-8000-000000000004"}`,
	}, func(ctx context.Context, tx *store.Tx, c tool.Call, a createRelationArgs) (tool.Result[assent.Relation], error) {
		return relate(ctx, tx, c, or(a.Type, "depends_on"), a.FromID, a.ToID, oneLine(a.Note))
	})
}

// inWords is a relation's type in a sentence: "depends on".
func inWords(relation string) string { return strings.ReplaceAll(relation, "_", " ") }

type deleteRelationArgs struct {
	RelationID string `json:"relation_id" jsonschema:"minLength=1,maxLength=100" jsonschema_description:"Id of the relation."`
	revisionArg
}

func (b builtin) deleteRelation() *tool.Tool {
	return tool.NewWrite(tool.Def{Name: "delete_relation", Title: "Delete a relation", Effect: assent.EffectDestructive,
		Description: "Deletes a relation, for instance a dependency; the things at both ends stay. Returns the relation as it was.",
		Preview:     b.deletes(assent.KindRelation), Target: b.titled("relation_id"),
		Example: `{"relation_id": "0192f000-0000-7000-8000-000000000008"}`,
	}, func(ctx context.Context, tx *store.Tx, c tool.Call, a deleteRelationArgs) (tool.Result[assent.Relation], error) {
		r, err := remove[assent.Relation](ctx, tx, c, a.RelationID, a.Revision)
		if err == nil {
			r.Summary = "Deleted a relation of the type " + inWords(r.Artifact.Type)
		}
		return r, err
	})
}
