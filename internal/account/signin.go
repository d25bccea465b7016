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
// seconds. Who does not exist, is disabled or mistyped gets the same answer.
func (a *Service) SignIn(ctx context.Context, email, password, address string) (secret string, p assent.Person, err error) {
	email = strings.ToLower(strings.TrimSpace(email))
	keys := []string{accountKey + email, addressKey(address)}
	if err := a.attempt(ctx, keys...); err != nil {
		return "", p, err
	}
	p, fits, err := a.credentials(ctx, email, password)
	if err != nil {
		return "", assent.Person{}, err
	}
	if !fits {
		return "", assent.Person{}, &assent.Error{Code: assent.CodeUnauthenticated, Message: "E-mail address and password do not fit together."}
	}
	err = a.store.Write(ctx, func(tx *store.Tx) error {
		if err := passed(tx, keys...); err != nil {
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

// credentials reports whether somebody may sign in, with the same work whether
// or not there is such a person.
func (a *Service) credentials(ctx context.Context, email, password string) (assent.Person, bool, error) {
	p, hash, err := a.store.FindCredentials(ctx, email)
	known := err == nil
	if err != nil && assent.ErrorCode(err) != assent.CodeNotFound {
		return p, false, err
	}
	if !known {
		hash = a.dummy
	}
	if len(password) > longestPassword {
		password = ""
	}
	fits, err := a.passwordFits(ctx, password, hash)
	return p, known && fits && !p.Disabled, err
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

// Authenticate gives who a secret stands for: a browser session's or a token's.
func (a *Service) Authenticate(ctx context.Context, secret string) (assent.Principal, error) {
	key := digest(secret)
	now := a.store.Now().Std()
	p, ok, seen := a.cache.get(key, now)
	if ok {
		return p, nil
	}
	t, kind, err := a.store.FindToken(ctx, key)
	if err == nil && t.ExpiresAt > 0 && !now.Before(t.ExpiresAt.Std()) {
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
	until := now.Add(cacheFor)
	if end := t.ExpiresAt.Std(); t.ExpiresAt > 0 && end.Before(until) {
		until = end
	}
	a.cache.put(key, pr, until, seen)
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
	a.store.WriteAsync(func(tx *store.Tx) error {
		if err := tx.UpdateTokenUsed(t.ID, expires); err != nil {
			return err
		}
		return tx.UpdatePersonSeen(t.PersonID)
	}, nil)
}

// SignOut ends one browser session; ending it again is fine.
func (a *Service) SignOut(ctx context.Context, pr assent.Principal) error {
	defer a.cache.clear()
	return a.store.Write(ctx, func(tx *store.Tx) error {
		err := tx.DeleteToken(pr.SessionID, pr.Person.ID)
		if assent.ErrorCode(err) == assent.CodeNotFound {
			return nil
		}
		if err != nil {
			return err
		}
		return a.audit(tx, pr.Person.ID, "signed_out", pr.Person.ID)
	})
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
