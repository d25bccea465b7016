package workspace_test

import (
	"fmt"
	"strings"
	"testing"

	"assent/internal/assent"
)

func TestDocumentsAreVersioned(t *testing.T) {
	o := open(t)
	o.do("update_document", `{"document_id": "`+documentID+`", "body": "It ends in May."}`)
	out := o.do("publish_document", `{"document_id": "`+documentID+`", "title": "The lease"}`)
	if d := artifact[assent.Document](t, out); d.Revision != 3 || d.Status != "published" || d.Title != "The lease" || d.Type != "note" || out.Summary != "Published the document “The lease”" {
		t.Errorf("%s %+v", out.Summary, d)
	}
	for version, want := range map[string]string{"1": "draft The lease ends in April.", "2": "draft It ends in May.", "3": "published It ends in May."} {
		d := artifact[assent.Document](t, o.do("get_document", `{"document_id": "`+documentID+`", "version": `+version+`}`))
		if got := d.Status + " " + d.Body; got != want {
			t.Errorf("version %s: %q, want %q", version, got, want)
		}
	}
	if err := o.refused(assent.CodeNotFound, "get_document", `{"document_id": "`+documentID+`", "version": 4}`); !strings.Contains(err.Hint, "3") {
		t.Errorf("hint %q does not name the newest version", err.Hint)
	}
	o.refused(assent.CodeStale, "publish_document", `{"document_id": "`+documentID+`", "revision": 1}`)
}

func TestAContextDocumentIsWrittenFromTheProject(t *testing.T) {
	o := open(t)
	p := artifact[madeProject](t, o.do("create_project", `{"name": "New home", "description": "Out of here.", "start_date": "2027-01-01", "due_date": "2027-03-31", "template_id": "relocation"}`))
	d := artifact[assent.Document](t, o.do("publish_document", `{"project_id": "`+p.ID+`"}`))
	for _, want := range []string{"# New home\n\nOut of here.\n\nFrom 2027-01-01 to 2027-03-31.\n\n## Goals\n\n- ", "\n## Milestones\n\n- Needs and budget agreed (2027-01-12)\n", "\n## Risks\n\n- ", "\n## Why we move\n"} {
		if !strings.Contains(d.Body, want) {
			t.Errorf("body lacks %q:\n%s", want, d.Body)
		}
	}
	empty := artifact[assent.Document](t, o.do("publish_document", `{"project_id": "`+p.ID+`", "body": "", "type": "note", "title": "Blank"}`))
	if empty.Body != "" || empty.Type != "note" || empty.Title != "Blank" {
		t.Errorf("%+v", empty)
	}
}

func TestSearchFindsByWordsAndFallsBackToSome(t *testing.T) {
	o := open(t)
	o.do("create_document", `{"project_id": "`+projectID+`", "title": "Deposit", "body": "The deposit is three rents. The landlord keeps it."}`)
	for _, tc := range []struct {
		tool, args string
		want       []string
	}{
		{"search", `{"query": "lease"}`, []string{"document Lease", "milestone Lease signed", "project Office move", "task Sign the lease"}},
		{"search", `{"query": "lease", "kinds": ["task", "milestone"]}`, []string{"milestone Lease signed", "task Sign the lease"}},
		{"search", `{"query": "dep"}`, []string{"document Deposit"}},
		{"search", `{"query": "what about the landlord and the elephants"}`, []string{"document Deposit"}},
		{"search", `{"query": "\"*( %-"}`, nil},
		{"search", `{"query": "nails"}`, nil},
		{"search", `{"query": "lease", "kinds": ["session"]}`, nil},
		{"search_documents", `{"query": "landlord rents"}`, []string{"document Deposit"}},
		{"search_documents", `{"query": "lease deposit"}`, []string{"document Deposit", "document Lease"}},
		{"search_documents", `{"query": "lease", "project_id": "` + projectID + `"}`, []string{"document Lease"}},
		{"search_documents", `{"query": "view"}`, nil},
	} {
		l := artifact[list](t, o.do(tc.tool, tc.args))
		got := map[string]bool{}
		for _, h := range l.Hits {
			got[h.Kind+" "+h.Title] = true
		}
		for _, d := range l.Documents {
			got["document "+d.Title] = true
		}
		if len(got) != len(tc.want) || l.Total != len(tc.want) {
			t.Errorf("%s %s: %v, want %v", tc.tool, tc.args, got, tc.want)
		}
		for _, w := range tc.want {
			if !got[w] {
				t.Errorf("%s %s: %v lacks %s", tc.tool, tc.args, got, w)
			}
		}
	}
}

// TestLongListsAreCutWithAMark fills a project until its documents do not fit
// into one answer: the list must still come, and say where it was shortened.
func TestLongListsAreCutWithAMark(t *testing.T) {
	o := open(t)
	for i := range 30 {
		o.do("create_document", fmt.Sprintf(`{"project_id": %q, "title": "D%d", "body": %q}`, projectID, i, strings.Repeat("löng ", 4000)))
	}
	l := artifact[list](t, o.do("list_documents", `{"project_id": "`+projectID+`"}`))
	if l.Total != 31 || len(l.Documents) != 31 {
		t.Fatalf("%d of %d", len(l.Documents), l.Total)
	}
	if !strings.HasSuffix(l.Documents[5].Body, "… [shortened here]") || l.Documents[0].Body != "The lease ends in April." {
		t.Errorf("%.60s … %q", l.Documents[5].Body, l.Documents[0].Body)
	}
	whole := artifact[assent.Document](t, o.do("get_document", `{"document_id": "`+l.Documents[5].ID+`"}`))
	if len(whole.Body) != 24000 {
		t.Errorf("get_document gives %d bytes", len(whole.Body))
	}
}

// TestTheLargestDocumentCanBeReadAgain stores a body at the limit, with
// characters that grow in JSON.
func TestTheLargestDocumentCanBeReadAgain(t *testing.T) {
	o := open(t)
	at := strings.Repeat("x\n", 56<<10)
	id := o.do("create_document", fmt.Sprintf(`{"project_id": %q, "title": "Large", "body": %q}`, projectID, at)).ArtifactID
	if d := artifact[assent.Document](t, o.do("get_document", `{"document_id": "`+id+`"}`)); d.Body != at {
		t.Error("the body came back changed")
	}
	o.do("list_documents", `{}`)
	o.refused(assent.CodeInvalid, "update_document", fmt.Sprintf(`{"document_id": %q, "body": %q}`, id, strings.Repeat("<", 100<<10)))
}

func TestRisksDecisionsAndGoals(t *testing.T) {
	o := open(t)
	in := `{"project_id": "` + projectID + `", "title": "x"`
	if r := artifact[assent.Risk](t, o.do("create_risk", in+`}`)); r.Likelihood != "medium" || r.Impact != "medium" || r.Status != "open" {
		t.Errorf("%+v", r)
	}
	if d := artifact[assent.Decision](t, o.do("create_decision", in+`}`)); d.Status != "decided" || d.DecidedOn != "2026-11-21" {
		t.Errorf("%+v", d)
	}
	proposed := artifact[assent.Decision](t, o.do("create_decision", in+`, "status": "proposed"}`))
	if proposed.DecidedOn != "" {
		t.Errorf("%+v", proposed)
	}
	if d := artifact[assent.Decision](t, o.do("update_decision", `{"decision_id": "`+proposed.ID+`", "status": "decided"}`)); d.DecidedOn != "2026-11-21" {
		t.Errorf("%+v", d)
	}
	if g := artifact[assent.Goal](t, o.do("create_goal", in+`, "description": "y"}`)); g.Status != "open" || g.Description != "y" {
		t.Errorf("%+v", g)
	}
	for tool, want := range map[string]int{"list_goals": 2, "list_risks": 2, "list_decisions": 3, "list_milestones": 1} {
		if l := artifact[list](t, o.do(tool, `{"project_id": "`+projectID+`"}`)); l.Total != want {
			t.Errorf("%s: %d, want %d", tool, l.Total, want)
		}
	}
	if l := artifact[list](t, o.do("list_risks", `{"status": "closed"}`)); l.Total != 0 || l.Risks == nil {
		t.Errorf("%+v", l)
	}
}
