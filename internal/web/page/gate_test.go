package page_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"assent/internal/assent"
)

func TestTheFirstVisitorMakesTheFirstAccount(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	b := s.browser()
	page := b.get("/login")
	if b.at != "/setup" {
		t.Fatalf("without an account, sign-in leads to %s", b.at)
	}
	page.says("Welcome to Assent")
	page = b.submit(page.one("form"), "name", "Ada", "email", "no address", "password", "short")
	b.want(http.StatusUnprocessableEntity)
	page.says("Please look at these fields again", "This is no e-mail address", "A password needs at least 10 characters")
	if got := page.one("#setup-name").attr("value"); got != "Ada" {
		t.Errorf("the name typed became %q", got)
	}
	if page.one("#setup-password").attr("value") != "" {
		t.Error("the password came back")
	}
	b.submit(page.one("form"), "email", "ada@example.org", "password", password, "time_zone", "Europe/London")
	people, err := s.store.ListPeople(t.Context())
	if err != nil || len(people) != 1 || people[0].Role != assent.RoleAdmin || people[0].TimeZone != "Europe/London" {
		t.Fatalf("people are %+v, %v", people, err)
	}
	b.get("/settings")
	b.want(http.StatusOK)
	second := s.browser()
	second.get("/setup")
	if second.at != "/login" {
		t.Errorf("a second visitor is at %s", second.at)
	}
}

func TestSetUpAsksForTheCodeWhereOneIsRequired(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	code, err := s.accounts.RequireCode(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	b := s.browser()
	page := b.submit(b.get("/setup").one("form"), "code", "WRONG", "name", "Ada", "email", "ada@example.org", "password", password)
	b.want(http.StatusUnprocessableEntity)
	page.one(".field-error").says("not the code that the server printed")
	b.submit(page.one("form"), "code", strings.ToLower(code), "password", password)
	b.get("/settings")
	b.want(http.StatusOK)
}

func TestSignInLeadsBackToWhereOneWanted(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	s.add("Ada", assent.RoleAdmin)
	b := s.browser()
	page := b.get("/settings/tokens")
	if !strings.HasPrefix(b.at, "/login?back=") {
		t.Fatalf("somebody unknown is at %s", b.at)
	}
	page = b.submit(page.one("form"), "email", "ada@example.org", "password", "wrong password")
	b.want(http.StatusUnauthorized)
	page.one("[role=alert]").says("do not fit together")
	if page.one("#login-email").attr("value") != "ada@example.org" {
		t.Error("the address typed is lost")
	}
	b.submit(page.one("form"), "password", password)
	if b.at != "/settings/tokens" || b.status != http.StatusOK {
		t.Errorf("signed in at %s with %d", b.at, b.status)
	}
}

func TestSignInNeverLeadsAway(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	s.add("Ada", assent.RoleAdmin)
	for _, back := range []string{"https://evil.example/", "//evil.example/", `/\evil.example/`, "settings"} {
		b := s.browser()
		b.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		b.post("/login", "email", "ada@example.org", "password", password, "back", back)
		if to := b.header.Get("Location"); to != "/" {
			t.Errorf("back=%q leads to %q", back, to)
		}
	}
}

func TestTooManyFailuresSayHowLongToWait(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	s.add("Ada", assent.RoleAdmin)
	b := s.browser()
	for range 6 {
		b.post("/login", "email", "ada@example.org", "password", "wrong password")
	}
	page := b.post("/login", "email", "ada@example.org", "password", password)
	b.want(http.StatusTooManyRequests)
	page.one("[role=alert]").says("too many failed attempts", "Try again in")
	if b.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	s.wait(20 * time.Minute)
	b.post("/login", "email", "ada@example.org", "password", password)
	b.get("/settings")
	b.want(http.StatusOK)
}

func TestSignUpOnlyWhereItIsOpen(t *testing.T) {
	t.Parallel()
	closed := newSite(t, false)
	closed.add("Ada", assent.RoleAdmin)
	b := closed.browser()
	if b.get("/login").silent("Create an account"); b.get("/signup").Node != nil {
		b.want(http.StatusForbidden)
	}
	open := newSite(t, true)
	open.add("Ada", assent.RoleAdmin)
	b = open.browser()
	b.get("/login").says("Create an account")
	b.submit(b.get("/signup").one("form"), "name", "Bo", "email", "bo@example.org", "password", password)
	b.get("/settings")
	b.want(http.StatusOK)
	b.get("/admin/usage")
	b.want(http.StatusForbidden)
}

func TestAPasswordSetByAnotherHasToBeChangedFirst(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	s.add("Ada", assent.RoleAdmin)
	bo := s.add("Bo", assent.RoleMember)
	oneTime, err := s.accounts.ResetPassword(t.Context(), "", bo.ID)
	if err != nil {
		t.Fatal(err)
	}
	b := s.browser()
	page := b.post("/login", "email", "bo@example.org", "password", oneTime)
	for _, path := range []string{"/projects", "/settings", "/search"} {
		if page = b.get(path); b.at != "/password" {
			t.Fatalf("%s shows %s", path, b.at)
		}
	}
	page = b.submit(page.one("form"), "old_password", "something else", "password", password)
	b.want(http.StatusUnprocessableEntity)
	page.one("#password-old_password-error").says("not your present password")
	b.submit(page.one("form"), "old_password", oneTime, "password", password)
	b.get("/projects")
	if b.at != "/projects" {
		t.Errorf("after the change, projects are at %s", b.at)
	}
}

func TestSignOutEndsTheSession(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	b := s.as(s.add("Ada", assent.RoleAdmin))
	page := b.submit(b.get("/settings").one("form[action=/logout]"))
	page.one("[role=status]").says("You are signed out")
	b.get("/settings")
	if !strings.HasPrefix(b.at, "/login") {
		t.Errorf("signed out, settings are at %s", b.at)
	}
}
