package account

import (
	"context"
	"strings"

	"assent/internal/assent"
	"assent/internal/store"
)

// List gives everybody.
func (a *Service) List(ctx context.Context) ([]assent.Person, error) { return a.store.ListPeople(ctx) }

// Find gives a person.
func (a *Service) Find(ctx context.Context, id string) (assent.Person, error) {
	return a.store.FindPerson(ctx, id)
}

// FindByEmail gives a person by e-mail address.
func (a *Service) FindByEmail(ctx context.Context, email string) (assent.Person, error) {
	p, _, err := a.store.FindCredentials(ctx, strings.ToLower(strings.TrimSpace(email)))
	return p, err
}

// UpdateProfile changes what people may say about themselves; role, state and
// id stay as they are.
func (a *Service) UpdateProfile(ctx context.Context, id string, change func(*assent.Person)) (assent.Person, error) {
	return a.update(ctx, id, id, func(p *assent.Person) {
		kept := *p
		change(p)
		p.ID, p.Role, p.Disabled = kept.ID, kept.Role, kept.Disabled
	})
}

// Update changes a person as an admin may: role and state too. The last active
// admin stays one.
func (a *Service) Update(ctx context.Context, by, id string, change func(*assent.Person)) (assent.Person, error) {
	return a.update(ctx, by, id, change)
}

func (a *Service) update(ctx context.Context, by, id string, change func(*assent.Person)) (assent.Person, error) {
	defer a.cache.clear()
	var p assent.Person
	err := a.store.Write(ctx, func(tx *store.Tx) (err error) {
		if p, err = tx.FindPerson(context.Background(), id); err != nil {
			return err
		}
		before := p
		change(&p)
		p.ID = id
		if err := assent.InvalidFields(profile(&p)); err != nil {
			return err
		}
		if isAdmin(before) && !isAdmin(p) {
			if err := a.notLast(tx); err != nil {
				return err
			}
		}
		if err := tx.UpdatePerson(p); err != nil {
			return err
		}
		if p.Disabled && !before.Disabled {
			if err := a.endAll(tx, id); err != nil {
				return err
			}
		}
		return a.audit(tx, by, "person_updated", id)
	})
	return p, err
}

func isAdmin(p assent.Person) bool { return p.Role == assent.RoleAdmin && !p.Disabled }

// notLast refuses to lose the last active admin.
func (a *Service) notLast(tx *store.Tx) error {
	n, err := tx.CountActiveAdmins(context.Background())
	if err != nil || n > 1 {
		return err
	}
	return &assent.Error{Code: assent.CodeConflict, Message: "This is the last admin. Make somebody else an admin first.", Details: map[string]any{"allowed": []string{}}}
}

// endAll ends every session and token of a person.
func (a *Service) endAll(tx *store.Tx, id string) error {
	if err := tx.DeleteTokens(id, store.TokenBrowser, ""); err != nil {
		return err
	}
	return tx.DeleteTokens(id, store.TokenAPI, "")
}

// ChangePassword needs the old password; other browser sessions end.
func (a *Service) ChangePassword(ctx context.Context, pr assent.Principal, old, password string) error {
	hash, err := a.store.FindPasswordHash(ctx, pr.Person.ID)
	if err != nil {
		return err
	}
	key := accountKey + pr.Person.Email
	if err := a.attempt(ctx, key); err != nil {
		return err
	}
	if len(old) > longestPassword {
		old = ""
	}
	fits, err := a.passwordFits(ctx, old, hash)
	if err != nil {
		return err
	}
	if !fits {
		return assent.Invalid("/old_password", "wrong", "That is not your present password.")
	}
	if old == password {
		return assent.Invalid("/password", "same", "Please choose another password than the present one.")
	}
	return a.setPassword(ctx, pr.Person.ID, password, false, pr.SessionID, func(tx *store.Tx) error {
		if err := passed(tx, key); err != nil {
			return err
		}
		return a.audit(tx, pr.Person.ID, "password_changed", pr.Person.ID)
	})
}

// ResetPassword gives a person a one-time password and ends their sessions.
// Failed sign-ins are forgotten, so that it can be used at once.
func (a *Service) ResetPassword(ctx context.Context, by, id string) (oneTime string, err error) {
	p, err := a.store.FindPerson(ctx, id)
	if err != nil {
		return "", err
	}
	oneTime = OneTimePassword()
	return oneTime, a.setPassword(ctx, id, oneTime, true, "", func(tx *store.Tx) error {
		if err := passed(tx, accountKey+p.Email); err != nil {
			return err
		}
		return a.audit(tx, by, "password_reset", id)
	})
}

// setPassword stores a password and ends the browser sessions but one to keep;
// then runs in the same transaction.
func (a *Service) setPassword(ctx context.Context, id, password string, mustChange bool, keep string, then func(*store.Tx) error) error {
	if err := assent.InvalidFields(checkPassword("/password", password)); err != nil {
		return err
	}
	hash, err := a.hashPassword(ctx, password)
	if err != nil {
		return err
	}
	defer a.cache.clear()
	return a.store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.UpdatePassword(id, hash, mustChange); err != nil {
			return err
		}
		if err := tx.DeleteTokens(id, store.TokenBrowser, keep); err != nil {
			return err
		}
		return then(tx)
	})
}

// SignOutPerson ends another person's browser sessions.
func (a *Service) SignOutPerson(ctx context.Context, by, id string) error {
	defer a.cache.clear()
	return a.store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.DeleteTokens(id, store.TokenBrowser, ""); err != nil {
			return err
		}
		return a.audit(tx, by, "signed_out_person", id)
	})
}
