package secret

import (
	"context"
	"regexp"
	"strings"

	"assent/internal/assent"
)

// Scheme begins a reference to a secret, wherever a definition or an argument
// needs one.
const Scheme = "secret:"

// maxValue bounds a secret in bytes; a private key fits.
const maxValue = 32 << 10

var goodName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.-]{0,63}$`)

// Rows keeps sealed values; *store.Store is one. by is the person who changes
// something, for the audit.
type Rows interface {
	FindSecret(ctx context.Context, name string) (sealed string, err error)
	ListSecrets(ctx context.Context) ([]assent.SecretName, error)
	SaveSecret(ctx context.Context, by, name, sealed string) error
	DeleteSecret(ctx context.Context, by, name string) error
}

// Vault holds the secrets of an installation.
type Vault struct {
	rows    Rows
	sealer  *Sealer
	changed func(ctx context.Context, name string)
}

// NewVault makes a vault of rows and the sealer that they were sealed with.
func NewVault(rows Rows, sealer *Sealer) *Vault {
	return &Vault{rows: rows, sealer: sealer, changed: func(context.Context, string) {}}
}

// OnChange is told of each secret that was set or deleted, once it is stored.
// Call it before the vault is used.
func (v *Vault) OnChange(fn func(ctx context.Context, name string)) { v.changed = fn }

// Set stores a secret in the place of what had the name before.
func (v *Vault) Set(ctx context.Context, by, name, value string) error {
	if err := check(name, value); err != nil {
		return err
	}
	sealed, err := v.sealer.Seal(name, value)
	if err != nil {
		return err
	}
	if err := v.rows.SaveSecret(ctx, by, name, sealed); err != nil {
		return err
	}
	v.changed(ctx, name)
	return nil
}

func check(name, value string) error {
	var wrong []assent.FieldError
	if !goodName.MatchString(name) {
		wrong = append(wrong, assent.FieldError{Pointer: "/name", Code: "invalid", Message: "A name is up to 64 letters, digits, dots, dashes and underscores, a letter first."})
	}
	if value == "" {
		wrong = append(wrong, assent.FieldError{Pointer: "/value", Code: "required", Message: "The value is missing. To remove a secret, delete it."})
	}
	if len(value) > maxValue {
		wrong = append(wrong, assent.FieldError{Pointer: "/value", Code: "too_long", Message: "A secret may be at most 32 KB long."})
	}
	return assent.InvalidFields(wrong)
}

// Delete forgets a secret.
func (v *Vault) Delete(ctx context.Context, by, name string) error {
	if err := v.rows.DeleteSecret(ctx, by, name); err != nil {
		return err
	}
	v.changed(ctx, name)
	return nil
}

// List gives the names; there is no way to list values.
func (v *Vault) List(ctx context.Context) ([]assent.SecretName, error) {
	return v.rows.ListSecrets(ctx)
}

// Reference gives the name in a reference, if text is one.
func Reference(text string) (name string, ok bool) { return strings.CutPrefix(text, Scheme) }

// Resolve gives the value of a reference, and any other text as it is. Call it
// where the value is used, and keep what it gives nowhere.
func (v *Vault) Resolve(ctx context.Context, text string) (string, error) {
	name, ok := Reference(text)
	if !ok {
		return text, nil
	}
	sealed, err := v.rows.FindSecret(ctx, name)
	if assent.ErrorCode(err) == assent.CodeNotFound {
		return "", &assent.Error{Code: assent.CodeUnavailable, Message: "There is no secret named " + name + ".", Hint: "An admin can set it under Administration, Secrets."}
	}
	if err != nil {
		return "", err
	}
	return v.sealer.Open(name, sealed)
}
