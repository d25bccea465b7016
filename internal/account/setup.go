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

// NeedsSetup reports whether there is no admin yet. Members may have been added
// from the command line before.
func (a *Service) NeedsSetup(ctx context.Context) (bool, error) {
	n, err := a.store.CountActiveAdmins(ctx)
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

// SetUp creates the first account, an admin. It works once: the code is used up
// with it.
func (a *Service) SetUp(ctx context.Context, n NewPerson, code, address string) (assent.Person, error) {
	n.Role, n.MustChange = assent.RoleAdmin, false
	want, err := a.store.FindSetting(ctx, setupCode)
	if err != nil {
		return assent.Person{}, err
	}
	key := addressKey(address)
	if want != "" {
		if err := a.attempt(ctx, key); err != nil {
			return assent.Person{}, err
		}
		got := digest(strings.ToUpper(strings.TrimSpace(code)))
		if subtle.ConstantTimeCompare([]byte(got), []byte(want)) != 1 {
			return assent.Person{}, assent.Invalid("/code", "wrong", "That is not the code that the server printed at its start.")
		}
	}
	return a.create(ctx, n, "", func(tx *store.Tx) error {
		if err := first(tx, true); err != nil {
			return err
		}
		if err := passed(tx, key); err != nil {
			return err
		}
		return tx.SaveSetting(setupCode, "")
	})
}

// first refuses if there is an admin already, or with want false if there is none.
func first(tx *store.Tx, want bool) error {
	n, err := tx.CountActiveAdmins(context.Background())
	switch {
	case err != nil || (n == 0) == want:
		return err
	case want:
		return &assent.Error{Code: assent.CodeConflict, Message: "The first account exists already. Please sign in.", Details: map[string]any{"allowed": []string{}}}
	}
	return assent.Errorf(assent.CodeConflict, "The first account is made on the set-up page.")
}

// MaySignUp reports whether anybody may create an account.
func (a *Service) MaySignUp() bool { return a.open }

// SignUp creates a member's account where sign-up is open.
func (a *Service) SignUp(ctx context.Context, n NewPerson) (assent.Person, error) {
	if !a.open {
		return assent.Person{}, assent.Errorf(assent.CodeForbidden, "New accounts are made by an admin here.")
	}
	n.Role, n.MustChange = assent.RoleMember, false
	return a.create(ctx, n, "", func(tx *store.Tx) error { return first(tx, false) })
}
