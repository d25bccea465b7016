package workspace_test

import (
	"encoding/json"
	"strings"
	"testing"

	"assent/internal/assent"
	"assent/internal/store"
)

// TestSomeoneElsesThingsDoNotExist calls every tool that takes an id with the id
// of something that is not the caller's: each answers not_found, and nothing of
// it is in the message.
func TestSomeoneElsesThingsDoNotExist(t *testing.T) {
	o := open(t)
	ids := strings.NewReplacer("PROJECT", projectID, "GOAL", goalID, "MILESTONE", milestoneID, "TASK", taskID, "DOCUMENT", documentID, "RISK", riskID,
		"DECISION", decisionID, "RELATION", relationID, "MINE", bobsProject, "BOBS", bobsTask)
	covered := map[string]bool{}
	for _, tc := range []struct{ tool, args string }{
		{"get_project", `{"project_id": "PROJECT"}`},
		{"project_health", `{"project_id": "PROJECT"}`},
		{"list_goals", `{"project_id": "PROJECT"}`},
		{"list_milestones", `{"project_id": "PROJECT"}`},
		{"list_risks", `{"project_id": "PROJECT"}`},
		{"list_decisions", `{"project_id": "PROJECT"}`},
		{"list_tasks", `{"project_id": "PROJECT"}`},
		{"list_tasks", `{"milestone_id": "MILESTONE"}`},
		{"list_documents", `{"project_id": "PROJECT"}`},
		{"list_relations", `{"project_id": "PROJECT"}`},
		{"list_relations", `{"entity_id": "TASK"}`},
		{"search_documents", `{"project_id": "PROJECT", "query": "lease"}`},
		{"blocked_tasks", `{"project_id": "PROJECT"}`},
		{"overdue_tasks", `{"project_id": "PROJECT"}`},
		{"task_dependencies", `{"project_id": "PROJECT"}`},
		{"task_dependencies", `{"task_id": "TASK"}`},
		{"get_task", `{"task_id": "TASK"}`},
		{"get_document", `{"document_id": "DOCUMENT"}`},
		{"get_document", `{"document_id": "DOCUMENT", "version": 1}`},
		{"update_project", `{"project_id": "PROJECT", "name": "x"}`},
		{"update_goal", `{"goal_id": "GOAL", "title": "x"}`},
		{"update_milestone", `{"milestone_id": "MILESTONE", "title": "x"}`},
		{"update_task", `{"task_id": "TASK", "title": "x"}`},
		{"update_task", `{"task_id": "BOBS", "milestone_id": "MILESTONE"}`},
		{"complete_task", `{"task_id": "TASK"}`},
		{"update_document", `{"document_id": "DOCUMENT", "title": "x"}`},
		{"publish_document", `{"document_id": "DOCUMENT"}`},
		{"publish_document", `{"project_id": "PROJECT"}`},
		{"publish_document", `{"project_id": "MINE", "document_id": "DOCUMENT"}`},
		{"update_risk", `{"risk_id": "RISK", "title": "x"}`},
		{"update_decision", `{"decision_id": "DECISION", "title": "x"}`},
		{"create_goal", `{"project_id": "PROJECT", "title": "x"}`},
		{"create_milestone", `{"project_id": "PROJECT", "title": "x"}`},
		{"create_milestones", `{"project_id": "PROJECT", "milestones": [{"title": "x"}]}`},
		{"create_task", `{"project_id": "PROJECT", "title": "x"}`},
		{"create_task", `{"project_id": "MINE", "title": "x", "milestone_id": "MILESTONE"}`},
		{"create_task", `{"project_id": "MINE", "title": "x", "depends_on": ["TASK"]}`},
		{"create_tasks", `{"project_id": "PROJECT", "tasks": [{"title": "x"}]}`},
		{"create_tasks", `{"project_id": "MINE", "milestone_id": "MILESTONE", "tasks": [{"title": "x"}]}`},
		{"create_document", `{"project_id": "PROJECT", "title": "x"}`},
		{"create_risk", `{"project_id": "PROJECT", "title": "x"}`},
		{"create_decision", `{"project_id": "PROJECT", "title": "x"}`},
		{"create_relation", `{"from_id": "BOBS", "to_id": "TASK"}`},
		{"create_relation", `{"from_id": "TASK", "to_id": "BOBS"}`},
		{"delete_project", `{"project_id": "PROJECT"}`},
		{"delete_goal", `{"goal_id": "GOAL"}`},
		{"delete_milestone", `{"milestone_id": "MILESTONE"}`},
		{"delete_task", `{"task_id": "TASK"}`},
		{"delete_document", `{"document_id": "DOCUMENT"}`},
		{"delete_risk", `{"risk_id": "RISK"}`},
		{"delete_decision", `{"decision_id": "DECISION"}`},
		{"delete_relation", `{"relation_id": "RELATION"}`},
	} {
		covered[tc.tool] = true
		args := ids.Replace(tc.args)
		theirs := o.as(scopeOf(bobID), tc.tool, args)
		absent := o.as(scopeOf(bobID), tc.tool, strings.NewReplacer(projectID, "no", goalID, "no", milestoneID, "no", taskID, "no", documentID, "no", riskID, "no", decisionID, "no", relationID, "no").Replace(args))
		if theirs.Err == nil || theirs.Err.Code != assent.CodeNotFound {
			t.Errorf("%s %s: %v, want not_found", tc.tool, tc.args, theirs.Err)
			continue
		}
		if absent.Err == nil || absent.Err.Error() != theirs.Err.Error() || absent.Err.Hint != theirs.Err.Hint {
			t.Errorf("%s %s: one can tell someone else's (%v) from absent (%v)", tc.tool, tc.args, theirs.Err, absent.Err)
		}
	}
	for _, s := range o.tools.Specs() {
		var in struct {
			Properties map[string]json.RawMessage `json:"properties"`
		}
		if err := json.Unmarshal(s.InputSchema, &in); err != nil {
			t.Fatal(err)
		}
		for p := range in.Properties {
			if strings.HasSuffix(p, "_id") && p != "template_id" && !covered[s.Name] {
				t.Errorf("%s takes %s and is missing in the table above", s.Name, p)
			}
		}
	}
	if n := o.revisionsOf("update_task"); len(n["update"]) > 0 {
		t.Errorf("something was written: %v", n)
	}
}

// TestListsShowOwnThingsOnly calls every list without a project as Bob.
func TestListsShowOwnThingsOnly(t *testing.T) {
	o := open(t)
	for _, tc := range []struct{ tool, args string }{
		{"list_projects", `{}`}, {"list_projects", `{"query": "office"}`}, {"list_goals", `{}`}, {"list_milestones", `{}`}, {"list_tasks", `{}`}, {"list_documents", `{}`},
		{"list_risks", `{}`}, {"list_decisions", `{}`}, {"list_relations", `{}`}, {"search_documents", `{"query": "lease"}`}, {"search", `{"query": "lease"}`},
		{"search", `{"query": "office view lease fit-out"}`}, {"blocked_tasks", `{}`}, {"overdue_tasks", `{}`}, {"task_dependencies", `{}`},
	} {
		out := o.must(o.as(scopeOf(bobID), tc.tool, tc.args), tc.tool, tc.args)
		for _, id := range []string{projectID, goalID, milestoneID, taskID, otherTaskID, documentID, riskID, decisionID, relationID} {
			if strings.Contains(string(out.Artifact), id) {
				t.Errorf("%s %s shows Bob what is Ada's: %s", tc.tool, tc.args, out.Artifact)
			}
		}
	}
}

func TestMembersSeeAndChangeButDoNotDeleteTheProject(t *testing.T) {
	o := open(t)
	o.write(func(tx *store.Tx) error { return tx.AddMember(projectID, bobID) })
	o.must(o.as(scopeOf(bobID), "complete_task", `{"task_id": "`+taskID+`"}`), "complete_task", "")
	if r := o.as(scopeOf(bobID), "delete_project", `{"project_id": "`+projectID+`"}`); assent.ErrorCode(r.Err) != assent.CodeForbidden {
		t.Errorf("a member deleting the project: %v", r.Err)
	}
	for who, want := range map[string]string{"me": adaID, adaID: adaID, bobID: bobID, "Bob@example.org": bobID} {
		out := artifact[assent.Task](t, o.do("update_task", `{"task_id": "`+taskID+`", "assignee_id": "`+who+`"}`))
		if out.AssigneeID != want {
			t.Errorf("assigning %s gives %s", who, out.AssigneeID)
		}
	}
	o.refused(assent.CodeInvalid, "update_task", `{"task_id": "`+taskID+`", "assignee_id": "carol"}`)
	if out := artifact[assent.Task](t, o.do("update_task", `{"task_id": "`+taskID+`", "assignee_id": ""}`)); out.AssigneeID != "" {
		t.Errorf("still assigned to %s", out.AssigneeID)
	}
}

// What a template holds becomes plans: a member's is for nobody else.
func TestTemplatesAreForTheirMakerAndDeletedByThemAndAdmins(t *testing.T) {
	o := open(t)
	admin := scopeOf(bobID)
	admin.Person.Role = assent.RoleAdmin
	token := admin
	token.Principal = assent.Principal{Person: admin.Person, TokenID: "t", Scopes: []assent.TokenScope{assent.ScopeApprove}}
	for _, tc := range []struct {
		name  string
		scope assent.Scope
		id    string
		want  assent.Code
	}{
		{"a shipped one by a member", scopeOf(adaID), "relocation", assent.CodeForbidden},
		{"someone else's by a member", scopeOf(bobID), "ada", assent.CodeNotFound},
		{"someone else's by an admin's token without the scope", token, templateID, assent.CodeForbidden},
		{"one's own", scopeOf(adaID), "ada", ""},
		{"a shipped one by an admin", admin, "tpl-relocation", ""},
		{"an unknown one", admin, "tpl-relocation", assent.CodeNotFound},
	} {
		if r := o.as(tc.scope, "get_template", `{"template_id": "`+tc.id+`"}`); (r.Err == nil) != (tc.want != assent.CodeNotFound) {
			t.Errorf("%s: reading gives %v", tc.name, r.Err)
		}
		r := o.as(tc.scope, "delete_template", `{"template_id": "`+tc.id+`"}`)
		if got := codeOf(r); got != tc.want {
			t.Errorf("%s: %v, want %q", tc.name, r.Err, tc.want)
		}
	}
}

func codeOf(r assent.ToolResult) assent.Code {
	if r.Err == nil {
		return ""
	}
	return r.Err.Code
}

// TestTheConversationsProjectIsTheDefault holds that inside a project lists are
// about it, also from a conversation about one of its tasks.
func TestTheConversationsProjectIsTheDefault(t *testing.T) {
	o := open(t)
	o.do("create_project", `{"name": "Another", "tasks": ["Elsewhere"]}`)
	for _, tc := range []struct {
		name    string
		context assent.ContextType
		entity  string
		want    int
	}{
		{"general", assent.ContextGeneral, projectID, 3},
		{"project", assent.ContextProject, projectID, 2},
		{"audit", assent.ContextProjectAudit, projectID, 2},
		{"task", assent.ContextTask, otherTaskID, 2},
		{"project without one", assent.ContextProject, "", 3},
		{"a project that is gone", assent.ContextProject, "gone", 3},
		{"someone else's project", assent.ContextProject, bobsProject, 3},
	} {
		s := scopeOf(adaID)
		s.ContextType, s.EntityID = tc.context, tc.entity
		got := artifact[list](t, o.must(o.as(s, "list_tasks", `{}`), "list_tasks", "{}"))
		if got.Total != tc.want {
			t.Errorf("%s: %d tasks, want %d", tc.name, got.Total, tc.want)
		}
	}
	s := scopeOf(adaID)
	s.ContextType, s.EntityID = assent.ContextTask, taskID
	doc := artifact[assent.Document](t, o.must(o.as(s, "publish_document", `{"body": "x"}`), "publish_document", ""))
	if doc.ProjectID != projectID || doc.Title != "Context" || doc.Type != "context" || doc.Status != "published" {
		t.Errorf("published %+v", doc)
	}
	o.refused(assent.CodeInvalid, "publish_document", `{"body": "x"}`)
}
