package account_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"assent/internal/account"
	"assent/internal/assent"
	"assent/internal/store"

	"github.com/alexedwards/argon2id"
	"github.com/google/uuid"
)

// password is everybody's in these tests.
const password = "correct horse battery"

// world is a real store with accounts over it and a clock that is set by hand.
type world struct {
	*account.Service
	t     *testing.T
	store *store.Store
	now   *atomic.Int64
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, now: &atomic.Int64{}}
	w.now.Store(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC).UnixMilli())
	var err error
	w.store, err = store.Open(t.Context(), t.TempDir(), store.Options{Clock: func() time.Time { return time.UnixMilli(w.now.Load()) },
		IDs: func() string { return uuid.Must(uuid.NewV7()).String() }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.store.Close() })
	w.Service = w.service(false)
	return w
}

// service is another process over the same data.
func (w *world) service(open bool) *account.Service {
	w.t.Helper()
	return account.New(w.store, open)
}

func (w *world) pass(d time.Duration) { w.now.Add(d.Milliseconds()) }

func (w *world) ok(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// want fails unless err has the code.
func (w *world) want(err error, code assent.Code) {
	w.t.Helper()
	if assent.ErrorCode(err) != code {
		w.t.Fatalf("the error is %v, want %s", err, code)
	}
}

// cheapHash is the password's hash with the least work.
var cheapHash = sync.OnceValues(func() (string, error) {
	return argon2id.CreateHash(password, &argon2id.Params{Memory: 64, Iterations: 1, Parallelism: 1, SaltLength: 16, KeyLength: 32})
})

// add makes an account without the work of hashing.
func (w *world) add(name string, role assent.Role) assent.Person {
	w.t.Helper()
	hash, err := cheapHash()
	w.ok(err)
	p := assent.Person{ID: w.store.NewID(), Email: name + "@example.org", Name: name, Role: role, TimeZone: "UTC", Locale: "en", Theme: "auto", DefaultMode: assent.ModeAutoExecute}
	w.ok(w.store.Write(w.t.Context(), func(tx *store.Tx) error { return tx.CreatePerson(p, hash) }))
	return p
}

func (w *world) signIn(name string) (string, assent.Principal) {
	w.t.Helper()
	secret, _, err := w.SignIn(w.t.Context(), name+"@example.org", password, "192.0.2.1")
	w.ok(err)
	return secret, w.who(secret)
}

func (w *world) who(secret string) assent.Principal {
	w.t.Helper()
	pr, err := w.Authenticate(w.t.Context(), secret)
	w.ok(err)
	return pr
}

func (w *world) gone(secret string) {
	w.t.Helper()
	_, err := w.Authenticate(w.t.Context(), secret)
	w.want(err, assent.CodeUnauthenticated)
}

func retryAfter(t *testing.T, err error) int64 {
	t.Helper()
	var e *assent.Error
	if !errors.As(err, &e) || e.Code != assent.CodeRateLimited {
		t.Fatalf("the error is %v, want rate_limited", err)
	}
	n, _ := e.Details["retry_after"].(int64)
	return n
}

func background() context.Context { return context.Background() }
