package page_test

import (
	"net/http"
	"testing"

	"assent/internal/assent"
)

func TestTheProfileIsSavedAndShownAtOnce(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	ada := s.add("Ada", assent.RoleAdmin)
	s.project(ada, "Office move")
	b := s.as(ada)
	page := b.submit(b.get("/settings").one("form#profile"), "name", "Ada Lovelace", "time_zone", "America/New_York", "locale", "en-US",
		"theme", "dark", "default_mode", "draft_only")
	page.one("[role=status]").says("Saved")
	page.one(".side .me").says("Ada Lovelace")
	if page.one("html").attr("class") != "dark" {
		t.Error("the theme is not applied")
	}
	got, err := s.store.FindPerson(t.Context(), ada.ID)
	if err != nil || got.TimeZone != "America/New_York" || got.DefaultMode != assent.ModeDraftOnly || got.Role != assent.RoleAdmin {
		t.Errorf("stored is %+v, %v", got, err)
	}
	b.get("/projects").one("tbody").says("Mar 31, 2027")
	page = b.submit(b.get("/settings").one("form#profile"), "email", "nonsense", "name", "Still Ada")
	b.want(http.StatusUnprocessableEntity)
	page.one("#profile-email-error").says("no e-mail address")
	if page.one("#profile-name").attr("value") != "Still Ada" {
		t.Error("the name typed is lost")
	}
}

func TestAPasswordChangeSignsOtherBrowsersOut(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	ada := s.add("Ada", assent.RoleAdmin)
	b, other := s.as(ada), s.as(ada)
	page := b.get("/settings/security")
	page.says("This browser")
	if n := len(page.all("section[aria-labelledby=sign-ins] li")); n != 2 {
		t.Errorf("%d sign-ins are listed", n)
	}
	page = b.submit(page.one("form#password"), "old_password", "wrong password", "password", "another good one")
	b.want(http.StatusUnprocessableEntity)
	page.one("#password-old_password-error").says("not your present password")
	b.submit(page.one("form#password"), "old_password", password, "password", "another good one").one("[role=status]").says("Your password is changed")
	if other.get("/settings"); other.at == "/settings" {
		t.Error("the other browser is still signed in")
	}
	third := s.as(ada)
	b.submit(b.get("/settings/security").one("form[action=/settings/sign-out-everywhere]"))
	if third.get("/settings"); third.at == "/settings" {
		t.Error("signing out everywhere left a browser in")
	}
}

func TestATokenIsShownOnceAndEndsWhenDeleted(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	bo := s.add("Bo", assent.RoleMember)
	b := s.as(bo)
	page := b.get("/settings/tokens")
	page.says("No token yet")
	if page.has("#token-scope-admin") {
		t.Error("a member is offered the scope admin")
	}
	page = b.submit(page.one("form#token"), "name", "ci")
	b.want(http.StatusCreated)
	secret := page.one("#secret").attr("value")
	pr, err := s.accounts.Authenticate(t.Context(), secret)
	if err != nil || !pr.May(assent.ScopeChat) || pr.May(assent.ScopeApprove) {
		t.Fatalf("the token stands for %+v, %v", pr, err)
	}
	page = b.get("/settings/tokens")
	page.says("ci", "Read and chat", "last used 21 Nov 2026")
	page.silent(secret)
	page = b.get(page.one(".rows a.btn").attr("href"))
	page.one("main h1").says("Delete the token “ci”?")
	b.submit(page.one("form#f"))
	if _, err := s.accounts.Authenticate(t.Context(), secret); assent.ErrorCode(err) != assent.CodeUnauthenticated {
		t.Errorf("the deleted token gives %v", err)
	}
	b.post("/settings/tokens", "name", "greedy", "scopes", "admin")
	b.want(http.StatusForbidden)
	page = b.post("/settings/tokens", "name", "", "expires_at", "2020-01-01")
	b.want(http.StatusUnprocessableEntity)
	page.says("No token was created", "Choose at least one scope")
}
