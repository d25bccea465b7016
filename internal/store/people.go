package store

import (
	"context"
	"strings"

	"assent/db/sqlc"
	"assent/internal/assent"
)

func personOf(r sqlc.Person) assent.Person {
	return assent.Person{ID: r.ID, Email: r.Email, Name: r.Name, Role: assent.Role(r.Role), Disabled: r.Disabled, TimeZone: r.TimeZone, Locale: r.Locale,
		Theme: r.Theme, DefaultMode: assent.Mode(r.DefaultMode), MustChange: r.MustChange, CreatedAt: assent.Time(r.CreatedAt), LastSeenAt: assent.Time(r.LastSeenAt)}
}

// CreatePerson stores a new account with the hash of its password.
func (tx *Tx) CreatePerson(p assent.Person, passwordHash string) error {
	err := tx.q.CreatePerson(context.Background(), sqlc.CreatePersonParams{ID: p.ID, Email: p.Email, Name: p.Name, Role: string(p.Role),
		PasswordHash: passwordHash, MustChange: p.MustChange, TimeZone: p.TimeZone, Locale: p.Locale, Theme: p.Theme,
		DefaultMode: string(p.DefaultMode), CreatedAt: int64(tx.Now())})
	return taken(err)
}

// taken turns a broken unique e-mail address into a conflict.
func taken(err error) error {
	if isUnique(err) {
		return &assent.Error{Code: assent.CodeConflict, Message: "Somebody has that e-mail address already.", Err: err,
			Fields: []assent.FieldError{{Pointer: "/email", Code: "taken", Message: "Somebody has that e-mail address already."}}}
	}
	return err
}

// FindPerson gives a person by id.
func (r Reads) FindPerson(ctx context.Context, id string) (assent.Person, error) {
	row, err := r.q.FindPerson(plain(ctx), id)
	return personOf(row), rowError(err, "person")
}

// FindCredentials gives a person by e-mail address (in lower case) with the
// hash of their password.
func (r Reads) FindCredentials(ctx context.Context, email string) (assent.Person, string, error) {
	row, err := r.q.FindPersonByEmail(plain(ctx), email)
	return personOf(row), row.PasswordHash, rowError(err, "person")
}

// FindPasswordHash gives the hash of a person's password.
func (r Reads) FindPasswordHash(ctx context.Context, id string) (string, error) {
	row, err := r.q.FindPerson(plain(ctx), id)
	return row.PasswordHash, rowError(err, "person")
}

// ListPeople gives everybody, in order of joining.
func (r Reads) ListPeople(ctx context.Context) ([]assent.Person, error) {
	rows, err := r.q.ListPeople(plain(ctx))
	return each(rows, err, pure(personOf))
}

// CountPeople is how many accounts there are.
func (r Reads) CountPeople(ctx context.Context) (int64, error) { return r.q.CountPeople(plain(ctx)) }

// CountActiveAdmins is how many admins may sign in.
func (r Reads) CountActiveAdmins(ctx context.Context) (int64, error) {
	return r.q.CountActiveAdmins(plain(ctx))
}

// UpdatePerson stores everything of a person but the password.
func (tx *Tx) UpdatePerson(p assent.Person) error {
	n, err := tx.q.UpdatePerson(context.Background(), sqlc.UpdatePersonParams{Email: p.Email, Name: p.Name, Role: string(p.Role), Disabled: p.Disabled,
		TimeZone: p.TimeZone, Locale: p.Locale, Theme: p.Theme, DefaultMode: string(p.DefaultMode), ID: p.ID})
	return expectOne(n, taken(err), "person")
}

// UpdatePassword stores a new hash; mustChange asks for another one at the next sign-in.
func (tx *Tx) UpdatePassword(id, hash string, mustChange bool) error {
	n, err := tx.q.UpdatePersonPassword(context.Background(), sqlc.UpdatePersonPasswordParams{PasswordHash: hash, MustChange: mustChange, ID: id})
	return expectOne(n, err, "person")
}

// UpdatePersonSeen stores when a person was last here.
func (tx *Tx) UpdatePersonSeen(id string) error {
	return tx.q.UpdatePersonSeen(context.Background(), sqlc.UpdatePersonSeenParams{LastSeenAt: int64(tx.Now()), ID: id})
}

// Kinds of tokens.
const (
	TokenBrowser = "browser"
	TokenAPI     = "api"
)

func tokenOf(r sqlc.Token) assent.Token {
	t := assent.Token{ID: r.ID, PersonID: r.PersonID, Name: r.Name, Scopes: []assent.TokenScope{}, CreatedAt: assent.Time(r.CreatedAt),
		LastUsedAt: assent.Time(r.LastUsedAt), ExpiresAt: assent.Time(r.ExpiresAt)}
	for _, s := range strings.Fields(r.Scopes) {
		t.Scopes = append(t.Scopes, assent.TokenScope(s))
	}
	return t
}

// CreateToken stores a token of a kind by the hash of its secret.
func (tx *Tx) CreateToken(t assent.Token, kind, hash string) error {
	scopes := make([]string, len(t.Scopes))
	for i, s := range t.Scopes {
		scopes[i] = string(s)
	}
	return tx.q.CreateToken(context.Background(), sqlc.CreateTokenParams{ID: t.ID, Kind: kind, PersonID: t.PersonID, Name: t.Name, Hash: hash,
		Scopes: strings.Join(scopes, " "), CreatedAt: int64(tx.Now()), ExpiresAt: int64(t.ExpiresAt)})
}

// FindToken gives a token and its kind by the hash of its secret.
func (r Reads) FindToken(ctx context.Context, hash string) (assent.Token, string, error) {
	row, err := r.q.FindTokenByHash(plain(ctx), hash)
	return tokenOf(row), row.Kind, rowError(err, "token")
}

// ListTokens gives a person's tokens of a kind.
func (r Reads) ListTokens(ctx context.Context, personID, kind string) ([]assent.Token, error) {
	rows, err := r.q.ListTokens(plain(ctx), sqlc.ListTokensParams{PersonID: personID, Kind: kind})
	return each(rows, err, pure(tokenOf))
}

// UpdateTokenUsed stores when a token was used and until when it holds.
func (tx *Tx) UpdateTokenUsed(id string, expires assent.Time) error {
	return tx.q.UpdateTokenUsed(context.Background(), sqlc.UpdateTokenUsedParams{LastUsedAt: int64(tx.Now()), ExpiresAt: int64(expires), ID: id})
}

// DeleteToken ends one token of a person.
func (tx *Tx) DeleteToken(id, personID string) error {
	n, err := tx.q.DeleteToken(context.Background(), sqlc.DeleteTokenParams{ID: id, PersonID: personID})
	return expectOne(n, err, "token")
}

// DeleteTokens ends all tokens of a kind of a person but one ("" for none).
func (tx *Tx) DeleteTokens(personID, kind, except string) error {
	_, err := tx.q.DeletePersonTokens(context.Background(), sqlc.DeletePersonTokensParams{PersonID: personID, Kind: kind, ExceptID: except})
	return err
}

// DeleteExpiredTokens forgets what has run out.
func (tx *Tx) DeleteExpiredTokens() error {
	_, err := tx.q.DeleteExpiredTokens(context.Background(), int64(tx.Now()))
	return err
}

// LoginAttempts gives the failures of a key and when their window ends; zero
// for none.
func (r Reads) LoginAttempts(ctx context.Context, key string) (failures int64, windowEnd assent.Time, err error) {
	row, err := r.q.FindLoginAttempts(plain(ctx), key)
	if assent.ErrorCode(rowError(err, "")) == assent.CodeNotFound {
		return 0, 0, nil
	}
	return row.Failures, assent.Time(row.WindowEnd), err
}

// SaveLoginAttempts stores the failures of a key.
func (tx *Tx) SaveLoginAttempts(key string, failures int64, windowEnd assent.Time) error {
	return tx.q.SaveLoginAttempts(context.Background(), sqlc.SaveLoginAttemptsParams{AttemptKey: key, Failures: failures, WindowEnd: int64(windowEnd)})
}

// ForgetLoginAttempts forgets a key, and every window that is over.
func (tx *Tx) ForgetLoginAttempts(key string) error {
	return tx.q.DeleteLoginAttempts(context.Background(), sqlc.DeleteLoginAttemptsParams{AttemptKey: key, Now: int64(tx.Now())})
}

// FindSetting gives a small fact of the installation; "" if it is not set.
func (r Reads) FindSetting(ctx context.Context, name string) (string, error) {
	row, err := r.q.FindSetting(plain(ctx), name)
	if assent.ErrorCode(rowError(err, "")) == assent.CodeNotFound {
		return "", nil
	}
	return row.Value, err
}

// SaveSetting stores a small fact of the installation.
func (tx *Tx) SaveSetting(name, value string) error {
	return tx.q.SaveSetting(context.Background(), sqlc.SaveSettingParams{Name: name, Value: value, UpdatedAt: int64(tx.Now())})
}
