package store_test

import (
	"testing"
	"time"

	"assent/internal/assent"
	"assent/internal/store"
)

func write(t *testing.T, s *store.Store, fn func(tx *store.Tx) error) {
	t.Helper()
	if err := s.Write(t.Context(), fn); err != nil {
		t.Fatal(err)
	}
}

func TestAPersonComesBackAsStored(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	p := assent.Person{ID: s.NewID(), Email: "bo@example.org", Name: "Bo", Role: assent.RoleAdmin, TimeZone: "Asia/Kathmandu", Locale: "ne", Theme: "dark",
		DefaultMode: assent.ModeDraftOnly, MustChange: true}
	write(t, s, func(tx *store.Tx) error { return tx.CreatePerson(p, "hash") })
	got, hash, err := s.FindCredentials(t.Context(), "bo@example.org")
	if err != nil || hash != "hash" || got.CreatedAt == 0 {
		t.Fatal(got, hash, err)
	}
	p.CreatedAt = got.CreatedAt
	if got != p {
		t.Errorf("got %+v, want %+v", got, p)
	}
	p.Name, p.Email, p.Role, p.Disabled, p.Theme = "Bo B.", "bob@example.org", assent.RoleMember, true, "light"
	write(t, s, func(tx *store.Tx) error { return tx.UpdatePerson(p) })
	write(t, s, func(tx *store.Tx) error { return tx.UpdatePassword(p.ID, "other", false) })
	p.MustChange = false
	if got, err := s.FindPerson(t.Context(), p.ID); err != nil || got != p {
		t.Errorf("got %+v, %v, want %+v", got, err, p)
	}
	for name, err := range map[string]error{
		"nobody found":   func() error { _, err := s.FindPerson(t.Context(), "nobody"); return err }(),
		"nobody by mail": func() error { _, _, err := s.FindCredentials(t.Context(), "nobody"); return err }(),
		"nobody changed": s.Write(t.Context(), func(tx *store.Tx) error {
			return tx.UpdatePerson(assent.Person{ID: "nobody", Email: "nobody@example.org"})
		}),
		"nobody's password": s.Write(t.Context(), func(tx *store.Tx) error { return tx.UpdatePassword("nobody", "x", false) }),
	} {
		if assent.ErrorCode(err) != assent.CodeNotFound {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTokensEnd(t *testing.T) {
	t.Parallel()
	s, sess := open(t)
	past := assent.At(time.Now().Add(-time.Hour))
	for _, tok := range []struct {
		id, kind, hash string
		expires        assent.Time
	}{{"b1", store.TokenBrowser, "h1", 0}, {"b2", store.TokenBrowser, "h2", 0}, {"a1", store.TokenAPI, "h3", 0}, {"a2", store.TokenAPI, "h4", past}} {
		write(t, s, func(tx *store.Tx) error {
			return tx.CreateToken(assent.Token{ID: tok.id, PersonID: sess.UserID, Scopes: []assent.TokenScope{"read", "chat"}, ExpiresAt: tok.expires}, tok.kind, tok.hash)
		})
	}
	there := func() (out string) {
		for _, h := range []string{"h1", "h2", "h3", "h4"} {
			if _, _, err := s.FindToken(t.Context(), h); err == nil {
				out += h
			}
		}
		return out
	}
	if got, kind, err := s.FindToken(t.Context(), "h3"); err != nil || kind != store.TokenAPI || len(got.Scopes) != 2 || got.ExpiresAt != 0 {
		t.Errorf("%+v, %s, %v", got, kind, err)
	}
	for _, step := range []struct {
		name, left string
		do         func(tx *store.Tx) error
	}{
		{"what has run out", "h1h2h3", func(tx *store.Tx) error { return tx.DeleteExpiredTokens() }},
		{"all sessions but one", "h2h3", func(tx *store.Tx) error { return tx.DeleteTokens(sess.UserID, store.TokenBrowser, "b2") }},
		{"all sessions", "h3", func(tx *store.Tx) error { return tx.DeleteTokens(sess.UserID, store.TokenBrowser, "") }},
		{"one", "", func(tx *store.Tx) error { return tx.DeleteToken("a1", sess.UserID) }},
	} {
		write(t, s, step.do)
		if got := there(); got != step.left {
			t.Errorf("after ending %s there is %q, want %q", step.name, got, step.left)
		}
	}
}

func TestSettingsAndAttempts(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	if v, err := s.FindSetting(t.Context(), "x"); v != "" || err != nil {
		t.Errorf("a setting that is not set is %q, %v", v, err)
	}
	for _, v := range []string{"1", "2", ""} {
		write(t, s, func(tx *store.Tx) error { return tx.SaveSetting("x", v) })
		if got, err := s.FindSetting(t.Context(), "x"); got != v || err != nil {
			t.Errorf("got %q, %v", got, err)
		}
	}
	later := assent.At(time.Now().Add(time.Hour))
	write(t, s, func(tx *store.Tx) error { return tx.SaveLoginAttempts("k", 3, later) })
	write(t, s, func(tx *store.Tx) error { return tx.SaveLoginAttempts("over", 9, 1) })
	if n, end, err := s.LoginAttempts(t.Context(), "k"); n != 3 || end != later || err != nil {
		t.Error(n, end, err)
	}
	write(t, s, func(tx *store.Tx) error { return tx.ForgetLoginAttempts("other") })
	if n, _, err := s.LoginAttempts(t.Context(), "over"); n != 0 || err != nil {
		t.Errorf("a window that is over is kept: %d, %v", n, err)
	}
	if n, _, err := s.LoginAttempts(t.Context(), "k"); n != 3 || err != nil {
		t.Errorf("another's window is forgotten: %d, %v", n, err)
	}
}
