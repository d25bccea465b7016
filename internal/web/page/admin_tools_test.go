package page_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestToolsAreGovernedByPage(t *testing.T) {
	t.Parallel()
	s, b := admin(t)
	b.get("/admin/tools").says("Create a project", "create_project", "Built in")
	form := b.get("/admin/tools/create_project").one("form#tool")
	if form.one("select#tool-effect").text() != "Write Destructive External" {
		t.Errorf("the effects on offer are %s", form.one("select#tool-effect").text())
	}
	page := b.submit(form, "policy", "ask", "effect", "read", "cap", "many")
	b.want(http.StatusUnprocessableEntity)
	page.one("#tool-effect-error").says("may only be made stricter than write")
	page.one("#tool-cap-error").says("0 to 1000")
	if page.one("#tool-cap").attr("value") != "many" || page.one("#tool-policy option[selected]").attr("value") != "ask" {
		t.Error("what was typed is not kept")
	}
	page = b.submit(page.one("form#tool"), "effect", "external", "cap", "7")
	b.want(http.StatusOK)
	page.says("is saved; it holds from now on", "(defined as write)")
	b.get("/admin/tools?policy=ask").one("tbody").says("create_project", "External", "7", "Ask")
	b.get("/admin/tools?policy=deny").says("No such tools")
	form = b.get("/admin/tools/create_project").one("form#tool")
	b.submit(form, "policy", "allow", "effect", "write", "cap", "")
	b.get("/admin/tools?policy=ask").says("No such tools")
	b.get("/admin/tools/nothing")
	b.want(http.StatusNotFound)
	if n := len(s.audited("tool_policy")); n != 2 {
		t.Errorf("%d changes are audited", n)
	}
}

func TestSecretsAreSetAndDeletedByPage(t *testing.T) {
	t.Parallel()
	s, b := admin(t)
	page := b.submit(b.get("/admin/secrets").one("form#secret"), "name", "two words", "value", plantedKey)
	b.want(http.StatusUnprocessableEntity)
	page.one("#secret-name-error").says("letters, digits")
	page.says("Type the value again")
	if page.one("#secret-name").attr("value") != "two words" || strings.Contains(b.body, plantedKey) {
		t.Error("the name is not kept, or the value is sent back")
	}
	b.submit(page.one("form#secret"), "name", "crm", "value", plantedKey).says("The secret crm is set", "secret:crm")
	if strings.Contains(b.body, plantedKey) {
		t.Error("the value is shown")
	}
	page = b.get("/admin/secrets/crm/delete")
	page.says("Delete the secret “crm”?", "What uses secret:crm fails from now on")
	b.submit(page.one("main form")).says("The secret is deleted", "No secret is set")
	b.get("/admin/secrets/crm/delete")
	b.want(http.StatusNotFound)
	if len(s.audited("secret_set")) != 1 || len(s.audited("secret_deleted")) != 1 {
		t.Error("it is not audited")
	}
}
