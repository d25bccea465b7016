package account_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"assent/internal/assent"
)

func TestEveryRefusedSignInReadsTheSame(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.add("ada", assent.RoleAdmin)
	bo := w.add("bo", assent.RoleMember)
	_, err := w.Update(t.Context(), "", bo.ID, func(p *assent.Person) { p.Disabled = true })
	w.ok(err)
	for name, tc := range map[string]struct{ email, password string }{
		"wrong password":    {"ada@example.org", "not the password"},
		"nobody":            {"eve@example.org", password},
		"disabled":          {"bo@example.org", password},
		"no password":       {"ada@example.org", ""},
		"endless password":  {"ada@example.org", string(make([]byte, 100_000))},
		"no address at all": {"", ""},
	} {
		secret, p, err := w.SignIn(t.Context(), tc.email, tc.password, "192.0.2.1")
		if assent.ErrorCode(err) != assent.CodeUnauthenticated || assent.ErrorMessage(err) != "E-mail address and password do not fit together." || secret != "" || p.ID != "" {
			t.Errorf("%s: %q, %+v, %v", name, secret, p, err)
		}
	}
	if _, p, err := w.SignIn(t.Context(), "  ADA@example.org ", password, "192.0.2.1"); err != nil || p.Name != "ada" {
		t.Errorf("spaces and capitals in the address: %v", err)
	}
}

func TestAnUnknownPersonCostsTheSameWork(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := newcomer("ada@example.org")
	n.Role = assent.RoleAdmin
	_, err := w.Create(t.Context(), n, "")
	w.ok(err)
	// The quickest of some tries, so that a busy machine does not matter.
	quickest := func(email string) time.Duration {
		best := time.Hour
		for i := range 4 {
			start := time.Now()
			_, _, err := w.SignIn(t.Context(), email, "not the password", fmt.Sprintf("192.0.2.%d", i))
			w.want(err, assent.CodeUnauthenticated)
			best = min(best, time.Since(start))
		}
		return best
	}
	known, unknown := quickest("ada@example.org"), quickest("eve@example.org")
	if unknown < known/3 || known < unknown/3 {
		t.Errorf("a known person takes %s, an unknown one %s", known, unknown)
	}
}

func TestWaitsGrowPerAccountWhereverFailuresComeFrom(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.add("ada", assent.RoleAdmin)
	fail := func(i int) error {
		_, _, err := w.SignIn(t.Context(), "ada@example.org", "wrong", fmt.Sprintf("192.0.2.%d", i))
		return err
	}
	for i := range 5 {
		w.want(fail(i), assent.CodeUnauthenticated)
	}
	for i, want := range []int64{1, 2, 4, 8, 16} {
		if got := retryAfter(t, fail(100+i)); got != want {
			t.Fatalf("after %d failures one waits %d s, want %d", 5+i, got, want)
		}
		if got := retryAfter(t, fail(100+i)); got != want {
			t.Fatalf("waiting attempts count as failures: %d s", got)
		}
		w.pass(time.Duration(want) * time.Second)
		w.want(fail(100+i), assent.CodeUnauthenticated)
	}
	w.pass(10 * time.Second)
	_, _, err := w.SignIn(t.Context(), "ada@example.org", password, "192.0.2.200")
	if got := retryAfter(t, err); got != 22 {
		t.Errorf("the right password waits %d s as well, want 22", got)
	}
	// Another's success does not end the wait, nor does a restart.
	w.add("bo", assent.RoleMember)
	w.signIn("bo")
	other := w.service(false)
	if _, _, err := other.SignIn(t.Context(), "ada@example.org", password, "192.0.2.200"); assent.ErrorCode(err) != assent.CodeRateLimited {
		t.Errorf("after a restart: %v", err)
	}
	w.pass(22 * time.Second)
	w.signIn("ada")
	w.want(fail(1), assent.CodeUnauthenticated)
	w.want(fail(1), assent.CodeUnauthenticated)
	w.pass(16 * time.Minute)
	for i := range 5 {
		w.want(fail(i), assent.CodeUnauthenticated)
	}
}

func TestAnAddressIsLimitedOverAllAccounts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.add("ada", assent.RoleAdmin)
	try := func(i int, address string) error {
		_, _, err := w.SignIn(t.Context(), fmt.Sprintf("person%d@example.org", i), "wrong", address)
		return err
	}
	for i := range 34 {
		w.add(fmt.Sprintf("person%d", i), assent.RoleMember) // unknown people would cost real work
	}
	for i := range 30 {
		w.want(try(i, fmt.Sprintf("2001:db8::%d", i)), assent.CodeUnauthenticated)
	}
	retryAfter(t, try(31, "2001:db8::ffff")) // the same network
	w.want(try(31, "2001:db8:0:1::1"), assent.CodeUnauthenticated)
	// A success of one's own does not wipe the slate of the address.
	w.pass(2 * time.Second)
	_, _, err := w.SignIn(t.Context(), "ada@example.org", password, "2001:db8::1")
	w.ok(err)
	w.pass(time.Second)
	w.want(try(32, "2001:db8::1"), assent.CodeUnauthenticated)
	retryAfter(t, try(33, "2001:db8::1"))
}

func TestManyTriesAtOnceDoNotSlipPastTheLimit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.add("ada", assent.RoleAdmin)
	var looked atomic.Int64
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() {
			_, _, err := w.SignIn(t.Context(), "ada@example.org", "wrong", fmt.Sprintf("192.0.2.%d", i))
			if assent.ErrorCode(err) == assent.CodeUnauthenticated {
				looked.Add(1)
			}
		})
	}
	wg.Wait()
	if looked.Load() != 5 {
		t.Errorf("%d passwords were looked at, want 5", looked.Load())
	}
}

func TestABrowserSessionHoldsThirtyDaysAfterItsLastUse(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.add("ada", assent.RoleAdmin)
	secret, pr := w.signIn("ada")
	if pr.SessionID == "" || pr.TokenID != "" || !pr.May(assent.ScopeAdmin) {
		t.Errorf("a browser session is %+v", pr)
	}
	for range 3 {
		w.pass(29 * 24 * time.Hour)
		w.who(secret)
		w.settle()
	}
	w.pass(31 * 24 * time.Hour)
	w.gone(secret)
}

// settle waits for what was written without waiting.
func (w *world) settle() { w.ok(w.SignOut(background(), assent.Principal{})) }

func TestTheLastUseIsWrittenOnceAMinuteAtMost(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada := w.add("ada", assent.RoleAdmin)
	_, secret, err := w.CreateToken(t.Context(), assent.Principal{Person: ada, Scopes: assent.TokenScopes()}, "ci", []assent.TokenScope{assent.ScopeRead}, 0)
	w.ok(err)
	used := func() assent.Time {
		t.Helper()
		w.settle()
		all, err := w.ListTokens(t.Context(), ada.ID)
		w.ok(err)
		return all[0].LastUsedAt
	}
	w.who(secret)
	at := used()
	if at == 0 {
		t.Fatal("the first use is not written")
	}
	w.pass(50 * time.Second)
	w.who(secret)
	if used() != at {
		t.Error("a use within the minute is written")
	}
	w.pass(11 * time.Second)
	w.who(secret)
	if used() == at {
		t.Error("a use after a minute is not written")
	}
	if p, err := w.Find(t.Context(), ada.ID); err != nil || p.LastSeenAt != used() {
		t.Errorf("the person was last seen %s, %v", p.LastSeenAt, err)
	}
}

func TestAChangeCountsAtOnceHereAndSoonElsewhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada := w.add("ada", assent.RoleAdmin)
	other := w.service(false)
	secret, pr := w.signIn("ada")
	if _, err := other.Authenticate(t.Context(), secret); err != nil {
		t.Fatal(err)
	}
	_, err := w.UpdateProfile(t.Context(), ada.ID, func(p *assent.Person) { p.Name = "Ada L." })
	w.ok(err)
	if got := w.who(secret).Person.Name; got != "Ada L." {
		t.Errorf("here the name is %q", got)
	}
	w.ok(w.SignOut(t.Context(), pr))
	w.gone(secret)
	w.pass(5 * time.Second)
	if _, err := other.Authenticate(t.Context(), secret); assent.ErrorCode(err) != assent.CodeUnauthenticated {
		t.Errorf("another process knows the session after 5 s: %v", err)
	}
	w.ok(w.SignOut(t.Context(), pr)) // once more is fine
}

func TestRememberingNeverOutlivesAChange(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.add("ada", assent.RoleAdmin)
	for range 50 {
		_, pr := w.signIn("ada")
		secret, err := w.Open(t.Context(), pr.Person)
		w.ok(err)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() { _, _ = w.Authenticate(background(), secret) }) // either answer is right while it changes
		}
		w.ok(w.SignOutEverywhere(t.Context(), pr))
		wg.Wait()
		w.gone(secret)
	}
}

func TestSecretsAreNotStored(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada := w.add("ada", assent.RoleAdmin)
	secret, pr := w.signIn("ada")
	_, token, err := w.CreateToken(t.Context(), pr, "ci", []assent.TokenScope{assent.ScopeRead}, 0)
	w.ok(err)
	for _, s := range []string{secret, token} {
		if _, _, err := w.store.FindToken(t.Context(), s); assent.ErrorCode(err) != assent.CodeNotFound {
			t.Errorf("a secret is stored as it is: %v", err)
		}
	}
	if _, err := w.Authenticate(t.Context(), ""); assent.ErrorCode(err) != assent.CodeUnauthenticated {
		t.Errorf("no secret is %v", err)
	}
	if hash, err := w.store.FindPasswordHash(t.Context(), ada.ID); err != nil || hash == password {
		t.Errorf("the password is stored as %q, %v", hash, err)
	}
}
