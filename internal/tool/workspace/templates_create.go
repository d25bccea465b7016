package workspace

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/internal/tool"
)

type createTemplateArgs struct {
	Name         string                 `json:"name" jsonschema:"minLength=1,maxLength=200,pattern=\\S" jsonschema_description:"What kind of project it is for."`
	Description  string                 `json:"description,omitempty" jsonschema:"maxLength=10240" jsonschema_description:"When to use it, in a sentence or two."`
	Keywords     []string               `json:"keywords,omitempty" jsonschema:"maxItems=60,maxLength=100" jsonschema_description:"Words and synonyms by which it is found."`
	Goals        []string               `json:"goals,omitempty" jsonschema:"maxItems=20,maxLength=200" jsonschema_description:"Goals of a project of this kind."`
	Milestones   []templateMilestoneArg `json:"milestones,omitempty" jsonschema:"maxItems=30" jsonschema_description:"Milestones in their order."`
	Risks        []string               `json:"risks,omitempty" jsonschema:"maxItems=30,maxLength=200" jsonschema_description:"What may go wrong in such a project."`
	DocumentBody string                 `json:"document_body,omitempty" jsonschema:"maxLength=20000" jsonschema_description:"Outline of the context document, in Markdown."`
}

type templateMilestoneArg struct {
	Title string   `json:"title" jsonschema:"minLength=1,maxLength=200,pattern=\\S" jsonschema_description:"What is reached."`
	At    *float64 `json:"at,omitempty" jsonschema:"minimum=0,maximum=1" jsonschema_description:"Where it lies between start (0) and due date (1); evenly spread if left out."`
	Tasks []string `json:"tasks,omitempty" jsonschema:"maxItems=30,maxLength=200" jsonschema_description:"Titles of the tasks that lead to it."`
}

func (b builtin) createTemplate() *tool.Tool {
	return tool.NewWrite(tool.Def{Name: "create_template", Title: "Create a template", Effect: assent.EffectWrite,
		Description: "Creates a template for new projects from goals, milestones with tasks, risks and a document outline; everyone can use it. Returns the template with its id and slug.",
		Preview:     creates(assent.KindTemplate), Target: namedIn("name"),
		Example: `{"name": "Studio move", "keywords": ["studio"], "milestones": [{"title": "Studio found", "at": 0.4, "tasks": ["Visit three studios"]}, {"title": "Moved", "at": 1}], "risks": ["The lift is too small"]}`,
	}, func(ctx context.Context, tx *store.Tx, c tool.Call, a createTemplateArgs) (tool.Result[assent.Template], error) {
		name, err := named("/name", a.Name)
		if err != nil {
			return tool.Result[assent.Template]{}, err
		}
		slug, err := freeSlug(ctx, tx.Reads, c.Scope.Person.ID, name)
		if err != nil {
			return tool.Result[assent.Template]{}, err
		}
		t := assent.Template{Entity: base(assent.KindTemplate, ""), Slug: slug, Name: name, Description: a.Description, Keywords: titles(a.Keywords),
			Goals: titles(a.Goals), Milestones: templateMilestones(a.Milestones), Risks: titles(a.Risks), DocumentBody: a.DocumentBody}
		return create(tx, c, t)
	})
}

func templateMilestones(args []templateMilestoneArg) []assent.TemplateMilestone {
	out := make([]assent.TemplateMilestone, len(args))
	for i, m := range args {
		out[i] = assent.TemplateMilestone{Title: oneLine(m.Title), At: float64(i+1) / float64(len(args)), Tasks: titles(m.Tasks)}
		if m.At != nil {
			out[i].At = *m.At
		}
	}
	return out
}

// freeSlug makes a slug of a name that no template has yet.
func freeSlug(ctx context.Context, r store.Reads, by, name string) (string, error) {
	every, err := all[assent.Template](ctx, r, store.Filter{UserID: by})
	if err != nil {
		return "", err
	}
	taken := map[string]bool{}
	for _, t := range every {
		taken[t.Slug] = true
	}
	base := slugOf(name)
	slug := base
	for i := 2; taken[slug]; i++ {
		slug = fmt.Sprintf("%s-%d", base, i)
	}
	return slug, nil
}

// slugOf is a name in lower-case letters, digits and hyphens, at most 60 long.
func slugOf(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	slug := []rune(strings.Join(words, "-"))
	return or(strings.Trim(string(slug[:min(len(slug), 60)]), "-"), "template")
}
