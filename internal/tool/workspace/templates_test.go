package workspace_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/internal/tool/workspace"
)

func TestShippedTemplatesAreWorthHaving(t *testing.T) {
	shipped, err := workspace.Shipped()
	if err != nil {
		t.Fatal(err)
	}
	if len(shipped) < 8 {
		t.Errorf("only %d templates", len(shipped))
	}
	for _, tpl := range shipped {
		if tpl.Name == "" || len(tpl.Description) < 40 || len(tpl.Keywords) < 15 || len(tpl.Goals) < 2 || len(tpl.Risks) < 3 || len(tpl.Milestones) < 5 || len(tpl.DocumentBody) < 200 {
			t.Errorf("%s is thin", tpl.Slug)
		}
		if strings.Contains(tpl.DocumentBody, "{{") {
			t.Errorf("%s: the outline would be read as a plan’s reference", tpl.Slug)
		}
		at, seen := 0.0, map[string]bool{}
		for _, m := range tpl.Milestones {
			if m.At <= at || m.At > 1 || len(m.Tasks) == 0 {
				t.Errorf("%s: milestone %q at %v with %d tasks", tpl.Slug, m.Title, m.At, len(m.Tasks))
			}
			at = m.At
			for _, title := range append([]string{m.Title}, m.Tasks...) {
				if seen[title] || strings.TrimSpace(title) != title || title == "" {
					t.Errorf("%s: %q comes twice or is not clean", tpl.Slug, title)
				}
				seen[title] = true
			}
		}
		if at != 1 {
			t.Errorf("%s does not end at the due date", tpl.Slug)
		}
	}
}

// TestListTemplatesFindsWhatPeopleMean is a table of how people say what they are
// up to; "" means that nothing fits and all are listed.
func TestListTemplatesFindsWhatPeopleMean(t *testing.T) {
	o := open(t)
	shipped, err := workspace.Shipped()
	if err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]string{
		"relocation": "relocation", "office move": "relocation", "we are moving to a new office in Leith": "relocation", "Relocating the studio": "relocation", "new premises": "relocation",
		"moving house": "relocation", "relocaton": "relocation",
		"website": "website-relaunch", "relaunch our website": "website-relaunch", "webiste redesign": "website-relaunch", "new landing page": "website-relaunch", "online shop": "website-relaunch",
		"conference": "event", "a workshop in May": "event", "company offsite": "event", "summer party for the team": "event", "organise a hackathon": "event", "events": "event",
		"product launch": "product-launch", "launching the new app": "product-launch", "go to market": "product-launch", "release of version 2": "product-launch",
		"hire a developer": "hiring", "hiring": "hiring", "recruit two nurses": "hiring", "fill a vacancy": "hiring",
		"build an API": "software-project", "software": "software-project", "an MVP": "software-project", "develop software": "software-project",
		"marketing": "marketing-campaign", "newsletter campaign": "marketing-campaign", "rebranding": "marketing-campaign", "social media": "marketing-campaign",
		"wedding": "wedding", "we are getting married": "wedding", "my grandmother’s birthday": "wedding",
		"user research": "research-study", "master thesis": "research-study", "survey among customers": "research-study",
		"onboarding": "onboarding", "onboard the new colleague": "onboarding", "trainee induction": "onboarding",
		"ISO 27001": "compliance-audit", "GDPR": "compliance-audit", "get certified": "compliance-audit", "audit": "compliance-audit",
		"renovate the kitchen": "renovation", "build a shed": "renovation", "bathroom": "renovation",
		"migrate the CRM": "system-migration", "move to the cloud": "system-migration", "ERP upgrade": "system-migration",
		"first aid training": "training-course", "a course on accounting": "training-course",
		"zebra": "ada",
		"":      "", "the": "", "xylophone quartet": "",
	} {
		l := artifact[list](t, o.do("list_templates", `{"query": "`+query+`"}`))
		if want == "" {
			if len(l.Templates) != len(shipped)+1 || l.Total != len(shipped)+1 {
				t.Errorf("%q: %d templates, want all", query, len(l.Templates))
			}
			continue
		}
		var slugs []string
		for _, tpl := range l.Templates {
			slugs = append(slugs, tpl.Slug)
		}
		if len(slugs) == 0 || slugs[0] != want {
			t.Errorf("%q: %v, want %s first", query, slugs, want)
		}
		if len(slugs) > 8 {
			t.Errorf("%q fits %d templates: %v", query, len(slugs), slugs)
		}
	}
}

func TestEnsureTemplatesKeepsWhatPeopleDid(t *testing.T) {
	o := open(t)
	ctx := context.Background()
	get := func(id string) assent.Template {
		tpl, err := store.Find[assent.Template](ctx, o.store.Reads, id)
		if err != nil {
			t.Fatal(err)
		}
		return tpl
	}
	update := func(id, by, name string) {
		tpl := get(id)
		tpl.Name = name
		o.write(func(tx *store.Tx) error { return tx.UpdateEntity(store.Origin{UserID: by}, &tpl) })
	}
	update("tpl-hiring", "", "What an older version shipped")
	update("tpl-event", bobID, "Edited by Bob")
	admin := scopeOf(bobID)
	admin.Person.Role = assent.RoleAdmin
	o.must(o.as(admin, "delete_template", `{"template_id": "wedding"}`), "", "")
	unchanged := get("tpl-relocation")
	for range 2 {
		if err := workspace.EnsureTemplates(ctx, o.store); err != nil {
			t.Fatal(err)
		}
	}
	if tpl := get("tpl-hiring"); tpl.Name != "Hiring" || tpl.Revision != 3 || tpl.CreatedBy != "" {
		t.Errorf("a shipped change is not there: %q, revision %d", tpl.Name, tpl.Revision)
	}
	if tpl := get("tpl-event"); tpl.Name != "Edited by Bob" {
		t.Errorf("an edit was lost: %q", tpl.Name)
	}
	if tpl := get("tpl-relocation"); tpl.Revision != unchanged.Revision {
		t.Errorf("an unchanged template was written again: revision %d", tpl.Revision)
	}
	if _, err := store.Find[assent.Template](ctx, o.store.Reads, "tpl-wedding"); assent.ErrorCode(err) != assent.CodeNotFound {
		t.Errorf("a deleted template is back: %v", err)
	}
}

func TestCreateTemplate(t *testing.T) {
	o := open(t)
	args := `{"name": " Studio  móve! ", "keywords": ["Studio", "studio", ""], "goals": ["Calm"], "milestones": [{"title": "Found"}, {"title": "Moved", "tasks": ["Pack", "pack"]}], "risks": ["Lift"], "document_body": "Why"}`
	tpl := artifact[assent.Template](t, o.do("create_template", args))
	if tpl.Name != "Studio móve!" || tpl.Slug != "studio-móve" || !slices.Equal(tpl.Keywords, []string{"Studio"}) || tpl.CreatedBy != adaID {
		t.Errorf("%+v", tpl)
	}
	if m := tpl.Milestones; m[0].At != 0.5 || m[1].At != 1 || len(m[1].Tasks) != 1 || m[0].Tasks == nil {
		t.Errorf("%+v", m)
	}
	if again := artifact[assent.Template](t, o.do("create_template", args)); again.Slug != "studio-móve-2" {
		t.Errorf("second slug %s", again.Slug)
	}
	if bare := artifact[assent.Template](t, o.do("create_template", `{"name": "!!!"}`)); bare.Slug != "template" || bare.Milestones == nil {
		t.Errorf("%+v", bare)
	}
	if r := o.as(scopeOf(bobID), "create_project", `{"name": "x", "template_id": "studio-móve"}`); codeOf(r) != assent.CodeNotFound {
		t.Errorf("somebody else's plan is made of it: %v", r.Err)
	}
	if r := o.as(scopeOf(bobID), "list_templates", `{"query": "studio"}`); strings.Contains(string(r.Output), "Studio móve") {
		t.Errorf("somebody else is offered it: %s", r.Output)
	}
	made := artifact[madeProject](t, o.do("create_project", `{"name": "x", "template_id": "studio-móve"}`))
	if made.TemplateID != tpl.ID || len(made.Milestones) != 2 {
		t.Errorf("%+v", made)
	}
}

// A list is as long as it is useful: the first five come whole, and where none
// fits all of them come by name.
func TestListsOfTemplatesAreShort(t *testing.T) {
	o := open(t)
	for query, whole := range map[string]int{"": 5, "xyzzy plugh": 0} {
		var list struct {
			Templates []assent.Template `json:"templates"`
			Total     int               `json:"total"`
		}
		if err := json.Unmarshal(o.do("list_templates", `{"query": "`+query+`"}`).Artifact, &list); err != nil {
			t.Fatal(err)
		}
		if list.Total < 14 || len(list.Templates) != list.Total {
			t.Errorf("%q: %d of %d templates", query, len(list.Templates), list.Total)
		}
		for i, tpl := range list.Templates {
			if tpl.ID == "" || tpl.Name == "" || (len(tpl.Milestones) > 0) != (i < whole) || tpl.Goals == nil || tpl.Risks == nil {
				t.Errorf("%q: template %d is %+v", query, i, tpl)
			}
		}
	}
}
