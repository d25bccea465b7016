package account

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"strings"

	"assent/internal/assent"
	"assent/internal/store"
)

// setupCode is the setting that holds the hash of the one-time code.
const setupCode = "setup_code"

// NeedsSetup reports whether there is no account yet.
func (a *Service) NeedsSetup(ctx context.Context) (bool, error) {
	n, err := a.store.CountPeople(ctx)
	return n == 0, err
}

// NeedsCode reports whether the first account needs the one-time code.
func (a *Service) NeedsCode(ctx context.Context) (bool, error) {
	h, err := a.store.FindSetting(ctx, setupCode)
	return h != "", err
}

// RequireCode makes the set-up page ask for a code, which the operator reads
// where the server was started. Without required a former code is dropped.
func (a *Service) RequireCode(ctx context.Context, required bool) (code string, err error) {
	hash := ""
	if required {
		text := rand.Text()
		code = text[:4] + "-" + text[4:8] + "-" + text[8:12]
		hash = digest(code)
	}
	return code, a.store.Write(ctx, func(tx *store.Tx) error { return tx.SaveSetting(setupCode, hash) })
}

// SetUp creates the first account, an admin. It works once.
func (a *Service) SetUp(ctx context.Context, n NewPerson, code, address string) (assent.Person, error) {
	n.Role = assent.RoleAdmin
	keys := []string{"address:" + address}
	if err := a.limited(ctx, keys); err != nil {
		return assent.Person{}, err
	}
	want, err := a.store.FindSetting(ctx, setupCode)
	if err != nil {
		return assent.Person{}, err
	}
	got := digest(strings.ToUpper(strings.TrimSpace(code)))
	if want != "" && subtle.ConstantTimeCompare([]byte(got), []byte(want)) != 1 {
		if err := a.failed(ctx, keys); assent.ErrorCode(err) != assent.CodeUnauthenticated {
			return assent.Person{}, err
		}
		return assent.Person{}, assent.Invalid("/code", "wrong", "That is not the code that the server printed at its start.")
	}
	return a.createFirst(ctx, n)
}

func (a *Service) createFirst(ctx context.Context, n NewPerson) (assent.Person, error) {
	a.setup.Lock()
	defer a.setup.Unlock()
	if empty, err := a.NeedsSetup(ctx); err != nil || !empty {
		if err == nil {
			err = &assent.Error{Code: assent.CodeConflict, Message: "The first account exists already. Please sign in.", Details: map[string]any{"allowed": []string{}}}
		}
		return assent.Person{}, err
	}
	return a.Create(ctx, n, "")
}

// MaySignUp reports whether anybody may create an account.
func (a *Service) MaySignUp() bool { return a.open }

// SignUp creates a member's account where sign-up is open.
func (a *Service) SignUp(ctx context.Context, n NewPerson) (assent.Person, error) {
	if !a.open {
		return assent.Person{}, assent.Errorf(assent.CodeForbidden, "New accounts are made by an admin here.")
	}
	if empty, err := a.NeedsSetup(ctx); err != nil || empty {
		if err == nil {
			err = assent.Errorf(assent.CodeConflict, "The first account is made on the set-up page.")
		}
		return assent.Person{}, err
	}
	n.Role, n.MustChange = assent.RoleMember, false
	return a.Create(ctx, n, "")
}
