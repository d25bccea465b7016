package account

import (
	"context"
	"crypto/rand"
	"slices"
	"strings"

	"assent/internal/assent"
	"assent/internal/store"
)

// TokenPrefix starts every API token, so that leaks are easy to look for.
const TokenPrefix = "ast_"

// CreateToken makes an API token for a person; secret is shown once. A token
// cannot have more rights than its person, nor than the token that made it, nor
// outlive that.
func (a *Service) CreateToken(ctx context.Context, pr assent.Principal, name string, scopes []assent.TokenScope, expires assent.Time) (t assent.Token, secret string, err error) {
	name = strings.TrimSpace(name)
	if pr.Person.Disabled {
		return t, "", assent.Errorf(assent.CodeConflict, "This account is disabled, so a token for it would not work.")
	}
	fields, err := checkScopes(pr, scopes)
	if err != nil {
		return t, "", err
	}
	if name == "" || len(name) > 100 {
		fields = append(fields, assent.FieldError{Pointer: "/name", Code: "invalid", Message: "A name has 1 to 100 bytes."})
	}
	if expires > 0 && expires <= a.store.Now() {
		fields = append(fields, assent.FieldError{Pointer: "/expires_at", Code: "invalid", Message: "Must lie in the future."})
	}
	if err := assent.InvalidFields(fields); err != nil {
		return t, "", err
	}
	if expires, err = a.within(ctx, pr, expires); err != nil {
		return t, "", err
	}
	secret = TokenPrefix + rand.Text()
	t = assent.Token{ID: a.store.NewID(), PersonID: pr.Person.ID, Name: name, Scopes: inOrder(scopes), CreatedAt: a.store.Now(), ExpiresAt: expires}
	err = a.store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.CreateToken(t, store.TokenAPI, digest(secret)); err != nil {
			return err
		}
		return a.audit(tx, pr.Person.ID, "token_created", t.ID)
	})
	return t, secret, err
}

// checkScopes refuses what is no scope, and what pr does not have.
func checkScopes(pr assent.Principal, scopes []assent.TokenScope) (fields []assent.FieldError, err error) {
	if len(scopes) == 0 {
		fields = append(fields, assent.FieldError{Pointer: "/scopes", Code: "invalid", Message: "Choose at least one scope."})
	}
	for _, s := range scopes {
		if !slices.Contains(assent.TokenScopes(), s) {
			fields = append(fields, assent.FieldError{Pointer: "/scopes", Code: "invalid", Message: "Scopes are read, chat, approve and admin."})
		} else if !pr.May(s) {
			return nil, assent.Errorf(assent.CodeForbidden, "You cannot give a token the scope %s, which you do not have here.", s)
		}
	}
	return fields, nil
}

// inOrder gives the scopes by power, each once.
func inOrder(scopes []assent.TokenScope) []assent.TokenScope {
	return slices.DeleteFunc(assent.TokenScopes(), func(s assent.TokenScope) bool { return !slices.Contains(scopes, s) })
}

// within keeps a token that another token makes from outliving that one.
func (a *Service) within(ctx context.Context, pr assent.Principal, expires assent.Time) (assent.Time, error) {
	if pr.TokenID == "" {
		return expires, nil
	}
	all, err := a.store.ListTokens(ctx, pr.Person.ID, store.TokenAPI)
	for _, t := range all {
		if t.ID == pr.TokenID && t.ExpiresAt > 0 && (expires == 0 || expires > t.ExpiresAt) {
			return t.ExpiresAt, err
		}
	}
	return expires, err
}

// ListTokens gives a person's API tokens, without their secrets.
func (a *Service) ListTokens(ctx context.Context, personID string) ([]assent.Token, error) {
	return a.store.ListTokens(ctx, personID, store.TokenAPI)
}

// DeleteToken ends an API token at once.
func (a *Service) DeleteToken(ctx context.Context, personID, id string) error {
	defer a.cache.clear()
	return a.store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.DeleteToken(id, personID); err != nil {
			return err
		}
		return a.audit(tx, personID, "token_deleted", id)
	})
}
