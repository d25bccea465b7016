package account_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"assent/internal/account"
	"assent/internal/assent"
)

func newcomer(email string) account.NewPerson {
	return account.NewPerson{Email: email, Name: "Somebody", Password: password, Role: assent.RoleMember, TimeZone: "Europe/London", Locale: "en-GB"}
}

func TestTheFirstAccountIsMadeOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if needed, err := w.NeedsSetup(t.Context()); err != nil || !needed {
		t.Fatalf("an empty installation needs set-up: %v, %v", needed, err)
	}
	var made atomic.Int64
	var wg sync.WaitGroup
	for _, email := range []string{"a@example.org", "b@example.org", "c@example.org"} {
		wg.Go(func() {
			switch p, err := w.SetUp(background(), newcomer(email), "", "127.0.0.1"); {
			case err == nil && p.Role == assent.RoleAdmin:
				made.Add(1)
			case assent.ErrorCode(err) != assent.CodeConflict:
				t.Errorf("a second first account: %v", err)
			}
		})
	}
	wg.Wait()
	if made.Load() != 1 {
		t.Errorf("%d first accounts were made", made.Load())
	}
}

func TestTheSetUpCode(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	code, err := w.RequireCode(t.Context(), true)
	w.ok(err)
	if stored, err := w.store.FindSetting(t.Context(), "setup_code"); err != nil || stored == "" || strings.Contains(stored, code) {
		t.Errorf("the code is stored as %q, %v", stored, err)
	}
	for _, wrong := range []string{"", "AAAA-AAAA-AAAA"} {
		_, err = w.SetUp(t.Context(), newcomer("ada@example.org"), wrong, "198.51.100.7")
		w.want(err, assent.CodeInvalid)
	}
	for range 28 {
		_, err = w.SetUp(t.Context(), newcomer("ada@example.org"), "guess", "198.51.100.7")
		w.want(err, assent.CodeInvalid)
	}
	_, err = w.SetUp(t.Context(), newcomer("ada@example.org"), code, "198.51.100.7")
	retryAfter(t, err)
	_, err = w.SetUp(t.Context(), newcomer("ada@example.org"), " "+strings.ToLower(code)+" ", "198.51.100.8")
	w.ok(err)
	if needed, err := w.NeedsCode(t.Context()); err != nil || needed {
		t.Errorf("the code is used up: %v, %v", needed, err)
	}
}

func TestSignUpOnlyWhereItIsOpen(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, err := w.SignUp(t.Context(), newcomer("bo@example.org"))
	w.want(err, assent.CodeForbidden)
	open := w.service(true)
	_, err = open.SignUp(t.Context(), newcomer("bo@example.org"))
	w.want(err, assent.CodeConflict) // the first account is made on the set-up page
	w.add("ada", assent.RoleAdmin)
	n := newcomer("bo@example.org")
	n.Role = assent.RoleAdmin
	p, err := open.SignUp(t.Context(), n)
	w.ok(err)
	if p.Role != assent.RoleMember {
		t.Errorf("signing up makes a %s", p.Role)
	}
}

func TestWhatPeopleSayAboutThemselvesIsChecked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada := w.add("ada", assent.RoleAdmin)
	w.add("bo", assent.RoleMember)
	for pointer, changes := range map[string][]func(*assent.Person){
		"/name":         {func(p *assent.Person) { p.Name = " " }, func(p *assent.Person) { p.Name = "a\nb" }, func(p *assent.Person) { p.Name = strings.Repeat("a", 201) }},
		"/email":        {func(p *assent.Person) { p.Email = "ada" }, func(p *assent.Person) { p.Email = "Ada <ada@example.org>" }},
		"/time_zone":    {func(p *assent.Person) { p.TimeZone = "Mars/Base" }, func(p *assent.Person) { p.TimeZone = "Local" }, func(p *assent.Person) { p.TimeZone = "" }, func(p *assent.Person) { p.TimeZone = "../etc/passwd" }},
		"/locale":       {func(p *assent.Person) { p.Locale = "" }, func(p *assent.Person) { p.Locale = "<b>" }},
		"/theme":        {func(p *assent.Person) { p.Theme = "pink" }},
		"/default_mode": {func(p *assent.Person) { p.DefaultMode = "yolo" }, func(p *assent.Person) { p.DefaultMode = "" }},
	} {
		for i, change := range changes {
			_, err := w.UpdateProfile(t.Context(), ada.ID, change)
			fields := fieldsOf(err)
			if assent.ErrorCode(err) != assent.CodeInvalid || len(fields) != 1 || fields[0].Pointer != pointer {
				t.Errorf("%s %d: %v %v", pointer, i, err, fields)
			}
		}
	}
	_, err := w.UpdateProfile(t.Context(), ada.ID, func(p *assent.Person) { p.Email = "BO@example.org" })
	if fields := fieldsOf(err); assent.ErrorCode(err) != assent.CodeConflict || len(fields) != 1 || fields[0].Pointer != "/email" {
		t.Errorf("an address that is taken: %v", err)
	}
	p, err := w.UpdateProfile(t.Context(), ada.ID, func(p *assent.Person) {
		p.ID, p.Role, p.Disabled, p.TimeZone, p.Theme = "other", assent.RoleMember, true, "Asia/Kathmandu", "dark"
	})
	if err != nil || p.ID != ada.ID || p.Role != assent.RoleAdmin || p.Disabled || p.TimeZone != "Asia/Kathmandu" {
		t.Errorf("a profile changes what is not one's own: %+v, %v", p, err)
	}
}

func fieldsOf(err error) []assent.FieldError {
	if e, ok := err.(*assent.Error); ok {
		return e.Fields
	}
	return nil
}

func TestSetUpIsOverOnceThereIsAnAdmin(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.add("bo", assent.RoleMember) // as from the command line
	if needed, err := w.NeedsSetup(t.Context()); err != nil || !needed {
		t.Errorf("with a member only: %v, %v", needed, err)
	}
	_, err := w.SetUp(t.Context(), newcomer("ada@example.org"), "", "127.0.0.1")
	w.ok(err)
	if needed, err := w.NeedsSetup(t.Context()); err != nil || needed {
		t.Errorf("with an admin: %v, %v", needed, err)
	}
}

func TestPasswordsHaveALength(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.add("ada", assent.RoleAdmin)
	for name, tc := range map[string]struct {
		password string
		code     assent.Code
	}{
		"nine":               {"123456789", assent.CodeInvalid},
		"ten":                {"1234567890", ""},
		"ten not in English": {"пароль деся", ""},
		"endless":            {strings.Repeat("a", 513), assent.CodeInvalid},
	} {
		n := newcomer(strings.ReplaceAll(name, " ", "") + "@example.org")
		n.Password = tc.password
		if _, err := w.Create(t.Context(), n, ""); assent.ErrorCode(err) != tc.code {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTheLastAdminStays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada := w.add("ada", assent.RoleAdmin)
	bo := w.add("bo", assent.RoleMember)
	changes := map[string]func(*assent.Person){
		"demoted":  func(p *assent.Person) { p.Role = assent.RoleMember },
		"disabled": func(p *assent.Person) { p.Disabled = true },
	}
	for name, change := range changes {
		if _, err := w.Update(t.Context(), ada.ID, ada.ID, change); assent.ErrorCode(err) != assent.CodeConflict {
			t.Errorf("the last admin is %s: %v", name, err)
		}
	}
	_, err := w.Update(t.Context(), ada.ID, bo.ID, func(p *assent.Person) { p.Role = assent.RoleAdmin })
	w.ok(err)
	// Two admins who remove each other at once: one of them stays.
	var wg sync.WaitGroup
	var done atomic.Int64
	for _, id := range []string{ada.ID, bo.ID} {
		wg.Go(func() {
			if _, err := w.Update(background(), "", id, changes["disabled"]); err == nil {
				done.Add(1)
			}
		})
	}
	wg.Wait()
	if n, err := w.store.CountActiveAdmins(t.Context()); err != nil || n != 1 || done.Load() != 1 {
		t.Errorf("%d admins are left, %v", n, err)
	}
}

func TestDisablingEndsEverything(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada := w.add("ada", assent.RoleAdmin)
	bo := w.add("bo", assent.RoleMember)
	secret, pr := w.signIn("bo")
	_, token, err := w.CreateToken(t.Context(), pr, "ci", []assent.TokenScope{assent.ScopeRead}, 0)
	w.ok(err)
	w.who(token)
	_, err = w.Update(t.Context(), ada.ID, bo.ID, func(p *assent.Person) { p.Disabled = true })
	w.ok(err)
	w.gone(secret)
	w.gone(token)
	_, _, err = w.CreateToken(t.Context(), assent.Principal{Person: assent.Person{ID: bo.ID, Disabled: true}, Scopes: assent.TokenScopes()}, "ci", []assent.TokenScope{assent.ScopeRead}, 0)
	w.want(err, assent.CodeConflict)
	_, err = w.Update(t.Context(), ada.ID, bo.ID, func(p *assent.Person) { p.Disabled = false })
	w.ok(err)
	w.gone(secret)
	w.signIn("bo")
}

func TestChangingThePasswordEndsOtherSessions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.add("ada", assent.RoleAdmin)
	mine, pr := w.signIn("ada")
	other, _ := w.signIn("ada")
	const fresh = "another good password"
	w.want(w.ChangePassword(t.Context(), pr, "wrong", fresh), assent.CodeInvalid)
	w.want(w.ChangePassword(t.Context(), pr, password, password), assent.CodeInvalid)
	w.want(w.ChangePassword(t.Context(), pr, password, "short"), assent.CodeInvalid)
	w.who(other)
	w.ok(w.ChangePassword(t.Context(), pr, password, fresh))
	w.who(mine)
	w.gone(other)
	_, _, err := w.SignIn(t.Context(), "ada@example.org", password, "192.0.2.1")
	w.want(err, assent.CodeUnauthenticated)
	_, _, err = w.SignIn(t.Context(), "ada@example.org", fresh, "192.0.2.1")
	w.ok(err)
}

func TestAResetGivesAOneTimePassword(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada := w.add("ada", assent.RoleAdmin)
	bo := w.add("bo", assent.RoleMember)
	secret, _ := w.signIn("bo")
	for range 5 {
		_, _, err := w.SignIn(t.Context(), "bo@example.org", "wrong", "192.0.2.9")
		w.want(err, assent.CodeUnauthenticated)
	}
	oneTime, err := w.ResetPassword(t.Context(), ada.ID, bo.ID)
	w.ok(err)
	w.gone(secret)
	secret, p, err := w.SignIn(t.Context(), "bo@example.org", oneTime, "192.0.2.1")
	w.ok(err)
	if !p.MustChange {
		t.Error("the one-time password need not be changed")
	}
	w.ok(w.ChangePassword(t.Context(), w.who(secret), oneTime, "a password of my own"))
	if w.who(secret).Person.MustChange {
		t.Error("a password of one's own must be changed again")
	}
	_, err = w.ResetPassword(t.Context(), ada.ID, "nobody")
	w.want(err, assent.CodeNotFound)
}

func TestSigningOut(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada := w.add("ada", assent.RoleAdmin)
	first, pr := w.signIn("ada")
	second, _ := w.signIn("ada")
	_, token, err := w.CreateToken(t.Context(), pr, "ci", []assent.TokenScope{assent.ScopeRead}, 0)
	w.ok(err)
	w.ok(w.SignOutEverywhere(t.Context(), pr))
	w.who(first)
	w.gone(second)
	w.who(token)
	w.ok(w.SignOutPerson(t.Context(), "", ada.ID))
	w.gone(first)
	w.who(token)
}

func TestTokens(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.add("ada", assent.RoleAdmin)
	bo := w.add("bo", assent.RoleMember)
	_, pr := w.signIn("bo")
	scopes := func(s ...assent.TokenScope) []assent.TokenScope { return s }
	for name, tc := range map[string]struct {
		name    string
		scopes  []assent.TokenScope
		expires assent.Time
		code    assent.Code
	}{
		"no name":             {" ", scopes("read"), 0, assent.CodeInvalid},
		"no scope":            {"ci", nil, 0, assent.CodeInvalid},
		"an unknown scope":    {"ci", scopes("root"), 0, assent.CodeInvalid},
		"admin for a member":  {"ci", scopes("read", "admin"), 0, assent.CodeForbidden},
		"ended in the past":   {"ci", scopes("read"), assent.Time(w.now.Load() - 1), assent.CodeInvalid},
		"everything a member": {"ci", scopes("approve", "read", "chat", "read"), 0, ""},
	} {
		made, secret, err := w.CreateToken(t.Context(), pr, tc.name, tc.scopes, tc.expires)
		if assent.ErrorCode(err) != tc.code || (err == nil) != strings.HasPrefix(secret, account.TokenPrefix) {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil && len(made.Scopes) != 3 {
			t.Errorf("%s has %v", name, made.Scopes)
		}
	}
	end := assent.Time(w.now.Load()) + assent.Time(time.Hour.Milliseconds())
	made, secret, err := w.CreateToken(t.Context(), pr, "short-lived", scopes("read", "approve"), end)
	w.ok(err)
	byToken := w.who(secret)
	if byToken.TokenID != made.ID || byToken.May(assent.ScopeChat) || !byToken.May(assent.ScopeApprove) {
		t.Errorf("the token may do %v", byToken.Scopes)
	}
	_, _, err = w.CreateToken(t.Context(), byToken, "more", scopes("chat"), 0)
	w.want(err, assent.CodeForbidden)
	child, _, err := w.CreateToken(t.Context(), byToken, "child", scopes("read"), 0)
	if err != nil || child.ExpiresAt != end {
		t.Errorf("a token of a token ends %s, want %s (%v)", child.ExpiresAt, end, err)
	}
	w.who(secret) // remembered, but not beyond its end
	w.pass(time.Hour)
	w.gone(secret)
	all, err := w.ListTokens(t.Context(), bo.ID)
	w.ok(err)
	w.want(w.DeleteToken(t.Context(), "somebody else", all[0].ID), assent.CodeNotFound)
	w.ok(w.DeleteToken(t.Context(), bo.ID, all[0].ID))
	w.want(w.DeleteToken(t.Context(), bo.ID, all[0].ID), assent.CodeNotFound)
}
