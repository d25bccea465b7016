package workspace

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/internal/tool"
)

type listTemplatesArgs struct {
	Query string `json:"query,omitempty" jsonschema:"maxLength=200" jsonschema_description:"What the new project is about, in a few words."`
	limitArg
}

type templateList struct {
	Templates []assent.Template `json:"templates"`
	Total     int               `json:"total"`
}

func (b builtin) listTemplates() *tool.Tool {
	return tool.New(tool.Def{Name: "list_templates", Title: "Find templates", Effect: assent.EffectRead,
		Description: "Lists templates for new projects, the best match for the query first; a query that fits none gives all, by name only. " +
			"Returns templates with id, slug, name and keywords, the first five that fit also with goals, milestones with their tasks, risks and the outline of a context document; get_template gives the rest of one.",
		Example: `{"query": "office move"}`,
	}, func(ctx context.Context, c tool.Call, a listTemplatesArgs) (tool.Result[templateList], error) {
		every, err := b.shelf.list(ctx, b.reads, c.Scope.Person.ID)
		if err != nil {
			return tool.Result[templateList]{}, err
		}
		found := matching(every, a.Query, func(s shelved) []field { return s.fields })
		summary := "Found " + count(len(found), "template")
		whole := shownWhole
		if len(found) == 0 {
			found, summary, whole = every, fmt.Sprintf("No template fits “%s”; these are all %d", oneLine(a.Query), len(every)), 0
		}
		list := templateList{Templates: []assent.Template{}, Total: len(found)}
		for i, s := range first(found, a.or(20)) {
			if i >= whole {
				s.Template = head(s.Template)
			}
			list.Templates = append(list.Templates, s.Template)
		}
		return tool.Result[templateList]{Artifact: list, Summary: summary}, nil
	})
}

// shownWhole is how many templates of a list are given whole: a model reads all
// of it, and pays for it.
const shownWhole = 5

// head leaves of a template what tells it from others.
func head(t assent.Template) assent.Template {
	t.Goals, t.Milestones, t.Risks, t.DocumentBody = []string{}, []assent.TemplateMilestone{}, []string{}, ""
	return t
}

type templateArgs struct {
	TemplateID string `json:"template_id" jsonschema:"minLength=1,maxLength=100" jsonschema_description:"Id or slug of the template."`
}

func (b builtin) getTemplate() *tool.Tool {
	return tool.New(tool.Def{Name: "get_template", Title: "Read a template", Effect: assent.EffectRead,
		Description: "Reads one template by id or slug. Returns the template with goals, milestones, tasks, risks and the outline of its context document.",
		Example:     `{"template_id": "relocation"}`,
	}, func(ctx context.Context, c tool.Call, a templateArgs) (tool.Result[assent.Template], error) {
		t, err := findTemplate(ctx, b.reads, c.Scope.Person, a.TemplateID)
		return tool.Result[assent.Template]{ArtifactID: t.ID, Artifact: t, Summary: "Read the template “" + t.Name + "”"}, err
	})
}

// findTemplate gives a template by id or slug: one that shipped, an admin's or
// the person's own. A member's is for nobody else, since what it holds becomes
// other people's plans; admins get it by its id alone.
func findTemplate(ctx context.Context, r store.Reads, by assent.Person, id string) (assent.Template, error) {
	every, err := all[assent.Template](ctx, r, store.Filter{UserID: by.ID})
	if err != nil {
		return assent.Template{}, err
	}
	for _, t := range every {
		if t.ID == id || strings.EqualFold(t.Slug, id) {
			return t, nil
		}
	}
	if by.Role == assent.RoleAdmin {
		if t, err := store.Find[assent.Template](ctx, r, id); assent.ErrorCode(err) != assent.CodeNotFound {
			return t, err
		}
	}
	return assent.Template{}, &assent.Error{Code: assent.CodeNotFound, Message: fmt.Sprintf("There is no template “%s”.", clip(id, 100)), Hint: "Use list_templates to see which there are."}
}

type deleteTemplateArgs struct {
	templateArgs
	revisionArg
}

func (b builtin) deleteTemplate() *tool.Tool {
	return tool.NewWrite(tool.Def{Name: "delete_template", Title: "Delete a template", Effect: assent.EffectDestructive,
		Description: "Deletes a template; projects made from it stay. Only the person who made it and admins may, and only admins a shipped one. Returns the template as it was.",
		Preview: func(by string, args json.RawMessage) assent.Preview {
			if _, known := literalsOf(args).text("template_id"); !known {
				return open(previewOf(nil, nil, one(assent.KindTemplate)))
			}
			return previewOf(nil, nil, one(assent.KindTemplate))
		},
		Target:  b.templateName("template_id"),
		Example: `{"template_id": "0192f000-0000-7000-8000-000000000009"}`,
	}, func(ctx context.Context, tx *store.Tx, c tool.Call, a deleteTemplateArgs) (tool.Result[assent.Template], error) {
		t, err := findTemplate(ctx, tx.Reads, c.Scope.Person, a.TemplateID)
		if err != nil {
			return tool.Result[assent.Template]{}, err
		}
		if err := mayChangeTemplate(c.Scope, t); err != nil {
			return tool.Result[assent.Template]{}, err
		}
		return remove[assent.Template](ctx, tx, c, t.ID, a.Revision)
	})
}

func mayChangeTemplate(s assent.Scope, t assent.Template) error {
	switch {
	case mayAdminister(s) || t.CreatedBy != "" && t.CreatedBy == s.Person.ID:
		return nil
	case t.CreatedBy == "":
		return assent.Errorf(assent.CodeForbidden, "The template “%s” came with Assent; only an admin can delete it.", t.Name)
	}
	return assent.Errorf(assent.CodeForbidden, "The template “%s” was made by someone else; only they or an admin can delete it.", t.Name)
}

// templateName gives a target by a template's id or slug.
func (b builtin) templateName(key string) func(string, json.RawMessage) string {
	return func(by string, args json.RawMessage) string {
		id, known := literalsOf(args).text(key)
		if !known {
			return ""
		}
		t, err := findTemplate(context.Background(), b.reads, assent.Person{ID: by}, id)
		if err != nil {
			return ""
		}
		return quoted(&t)
	}
}
