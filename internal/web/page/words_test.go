package page_test

import (
	"net/http"
	"strings"
	"testing"

	"assent/internal/assent"
)

// TestFormsSayWhatIsWrongInTheirOwnWords: no names of arguments, values of
// programs or patterns.
func TestFormsSayWhatIsWrongInTheirOwnWords(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	ada := s.add("Ada", assent.RoleAdmin)
	w := s.project(ada, "Office move")
	b := s.as(ada)
	form := b.get("/tasks/" + w.task).one("form#f")
	for name, tc := range map[string]struct{ field, value, says string }{
		"an empty title":     {"title", "   ", "Title must not be blank."},
		"a long title":       {"title", strings.Repeat("é", 201), "Title may have 200 characters at most; this has 201."},
		"a long description": {"description", strings.Repeat("x", 10241), "Description must have at most 10240 characters, not 10241."},
		"no such status":     {"status", "flying", "Choose one of: To do, In progress, Blocked, Done, Cancelled."},
		"no date":            {"due_date", "soon", "“soon” is no date. Write it like 2027-03-31."},
	} {
		page := b.submit(form, tc.field, tc.value)
		b.want(http.StatusUnprocessableEntity)
		got := page.one("#f-" + tc.field + "-error")
		got.says(tc.says)
		if strings.ContainsAny(got.text(), `"\`) {
			t.Errorf("%s: %s", name, got.text())
		}
	}
	b.post("/tasks/"+w.task+"/status", "status", "flying", "revision", "1").one("[role=alert]").says("Choose one of: To do")
	b.post("/tasks/"+w.task+"/depends", "to_id", "").one("[role=alert]").silent(`"to_id"`, "create_relation")
}
