package account

import (
	"context"
	"crypto/rand"
	"strings"
	"time"

	"assent/internal/assent"
	"assent/internal/store"
)

// browserLife is how long a browser session holds after its last use.
const browserLife = 30 * 24 * time.Hour

// touchEvery is how often the last use of a token is written down.
const touchEvery = time.Minute

// SignIn checks a password and opens a browser session; its secret belongs into
// a cookie. Too many failures are rate_limited, with details.retry_after in
// seconds.
func (a *Service) SignIn(ctx context.Context, email, password, address string) (secret string, p assent.Person, err error) {
	email = strings.ToLower(strings.TrimSpace(email))
	keys := []string{"email:" + email, "address:" + address}
	if err := a.limited(ctx, keys); err != nil {
		return "", p, err
	}
	p, hash, err := a.store.FindCredentials(ctx, email)
	known := err == nil
	if err != nil && assent.ErrorCode(err) != assent.CodeNotFound {
		return "", p, err
	}
	if !known {
		hash = a.dummy // the same work for unknown people
	}
	if len(password) > 512 {
		password = ""
	}
	fits, err := a.passwordFits(password, hash)
	if err != nil {
		return "", p, err
	}
	if !known || !fits || p.Disabled {
		return "", assent.Person{}, a.failed(ctx, keys)
	}
	err = a.store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.ForgetLoginAttempts(keys[0]); err != nil {
			return err
		}
		if err := tx.DeleteExpiredTokens(); err != nil {
			return err
		}
		secret, err = a.openSession(tx, p)
		return err
	})
	return secret, p, err
}

func (a *Service) openSession(tx *store.Tx, p assent.Person) (string, error) {
	secret := rand.Text()
	t := assent.Token{ID: tx.NewID(), PersonID: p.ID, Scopes: assent.TokenScopes(), ExpiresAt: assent.At(tx.Now().Std().Add(browserLife))}
	if err := tx.CreateToken(t, store.TokenBrowser, digest(secret)); err != nil {
		return "", err
	}
	if err := tx.UpdatePersonSeen(p.ID); err != nil {
		return "", err
	}
	return secret, a.audit(tx, p.ID, "signed_in", p.ID)
}

// Open opens a browser session for somebody who has just created an account.
func (a *Service) Open(ctx context.Context, p assent.Person) (secret string, err error) {
	err = a.store.Write(ctx, func(tx *store.Tx) error { secret, err = a.openSession(tx, p); return err })
	return secret, err
}

// The window in which failures count, and how many are free. Beyond, each
// doubles the wait.
const (
	failureWindow    = 15 * time.Minute
	freeByAccount    = 5
	freeByAddress    = 30
	longestLoginWait = 15 * time.Minute
)

func free(key string) int64 {
	if strings.HasPrefix(key, "email:") {
		return freeByAccount
	}
	return freeByAddress
}

// limited refuses while a key has to wait.
func (a *Service) limited(ctx context.Context, keys []string) error {
	for _, k := range keys {
		failures, until, err := a.store.LoginAttempts(ctx, k)
		if err != nil {
			return err
		}
		if wait := until.Std().Sub(a.store.Now().Std()); failures >= free(k) && wait > 0 {
			return rateLimited(wait)
		}
	}
	return nil
}

func rateLimited(wait time.Duration) error {
	seconds := int64(wait/time.Second) + 1
	return &assent.Error{Code: assent.CodeRateLimited, Message: "There were too many failed attempts. Please wait a little, then try again.",
		Details: map[string]any{"retry_after": seconds}}
}

// failed counts a failure and gives the one answer for all of them.
func (a *Service) failed(ctx context.Context, keys []string) error {
	err := a.store.Write(ctx, func(tx *store.Tx) error {
		for _, k := range keys {
			failures, until, err := tx.LoginAttempts(context.Background(), k)
			if err != nil {
				return err
			}
			if until < tx.Now() && failures < free(k) {
				failures = 0
			}
			failures++
			wait := failureWindow
			if over := failures - free(k); over >= 0 {
				wait = min(longestLoginWait, time.Second<<min(over, 12))
			}
			if err := tx.SaveLoginAttempts(k, failures, assent.At(tx.Now().Std().Add(wait))); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return &assent.Error{Code: assent.CodeUnauthenticated, Message: "E-mail address and password do not fit together."}
}

// Authenticate gives who a secret stands for: a browser session's or a token's.
func (a *Service) Authenticate(ctx context.Context, secret string) (assent.Principal, error) {
	key := digest(secret)
	now := a.store.Now().Std()
	if p, ok := a.cache.get(key, now); ok {
		return p, nil
	}
	t, kind, err := a.store.FindToken(ctx, key)
	if err == nil && t.ExpiresAt > 0 && t.ExpiresAt.Std().Before(now) {
		err = assent.NotFound("token")
	}
	if err != nil {
		return assent.Principal{}, unauthenticated(err)
	}
	person, err := a.store.FindPerson(ctx, t.PersonID)
	if err != nil {
		return assent.Principal{}, unauthenticated(err)
	}
	if person.Disabled {
		return assent.Principal{}, unauthenticated(assent.NotFound("person"))
	}
	pr := assent.Principal{Person: person, Scopes: t.Scopes}
	if kind == store.TokenBrowser {
		pr.SessionID = t.ID
	} else {
		pr.TokenID = t.ID
	}
	a.cache.put(key, pr, now.Add(cacheFor))
	a.touch(t, kind, now)
	return pr, nil
}

func unauthenticated(err error) error {
	if assent.ErrorCode(err) != assent.CodeNotFound {
		return err
	}
	return &assent.Error{Code: assent.CodeUnauthenticated, Message: "Please sign in."}
}

// touch writes the last use down now and then; nobody waits for it.
func (a *Service) touch(t assent.Token, kind string, now time.Time) {
	if now.Sub(t.LastUsedAt.Std()) < touchEvery {
		return
	}
	expires := t.ExpiresAt
	if kind == store.TokenBrowser {
		expires = assent.At(now.Add(browserLife))
	}
	a.store.WriteAsync(func(tx *store.Tx) error { return tx.UpdateTokenUsed(t.ID, expires) }, nil)
}

// SignOut ends one browser session.
func (a *Service) SignOut(ctx context.Context, pr assent.Principal) error {
	defer a.cache.clear()
	return a.store.Write(ctx, func(tx *store.Tx) error { return tx.DeleteToken(pr.SessionID, pr.Person.ID) })
}

// SignOutEverywhere ends all browser sessions of the person but the one in use.
func (a *Service) SignOutEverywhere(ctx context.Context, pr assent.Principal) error {
	defer a.cache.clear()
	return a.store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.DeleteTokens(pr.Person.ID, store.TokenBrowser, pr.SessionID); err != nil {
			return err
		}
		return a.audit(tx, pr.Person.ID, "signed_out_everywhere", pr.Person.ID)
	})
}
