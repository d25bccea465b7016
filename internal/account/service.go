package account

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/mail"
	"strings"
	"time"
	"unicode"

	"assent/internal/assent"
	"assent/internal/store"

	"github.com/alexedwards/argon2id"
	"golang.org/x/text/language"
)

// Service is what the package comment says.
type Service struct {
	store *store.Store
	open  bool // anybody may sign up
	cache cache
	hash  chan struct{} // bounds concurrent password hashing: each takes 19 MiB
	dummy string
}

// New makes the service; openSignup lets anybody create an account.
func New(s *store.Store, openSignup bool) *Service {
	return &Service{store: s, open: openSignup, hash: make(chan struct{}, 2), cache: cache{entries: map[string]entry{}}, dummy: dummyHash()}
}

// dummyHash is what an unknown person's password is compared with, so that the
// answer takes as long as for a known one. It has the form of a hash and is that
// of nothing, which spares the memory and time of making one at start.
func dummyHash() string {
	p := params()
	random := make([]byte, p.SaltLength+p.KeyLength)
	_, _ = rand.Read(random) // never fails
	b64 := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=19$m=%d,t=%d,p=%d$%s$%s", p.Memory, p.Iterations, p.Parallelism,
		b64(random[:p.SaltLength]), b64(random[p.SaltLength:]))
}

// params follow OWASP: 19 MiB, two passes, one lane.
func params() *argon2id.Params {
	return &argon2id.Params{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}
}

func (a *Service) hashPassword(ctx context.Context, password string) (string, error) {
	if err := a.turn(ctx); err != nil {
		return "", err
	}
	defer func() { <-a.hash }()
	return argon2id.CreateHash(password, params())
}

func (a *Service) passwordFits(ctx context.Context, password, hash string) (bool, error) {
	if err := a.turn(ctx); err != nil {
		return false, err
	}
	defer func() { <-a.hash }()
	return argon2id.ComparePasswordAndHash(password, hash)
}

// turn waits until a password may be hashed; who gives up waits no longer.
func (a *Service) turn(ctx context.Context) error {
	select {
	case a.hash <- struct{}{}:
		return nil
	case <-ctx.Done():
		return &assent.Error{Code: assent.CodeUnavailable, Message: "The server is busy. Please try again.", Err: ctx.Err()}
	}
}

// digest is how secrets are stored: they are random, so one hash is enough.
func digest(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// NewPerson is what an account is made of.
type NewPerson struct {
	Email, Name, Password, TimeZone, Locale string
	Role                                    assent.Role
	MustChange                              bool
}

// Passwords are at least 10 characters long, and at most what is hashed in peace.
const minPassword, longestPassword = 10, 512

// checkPassword refuses what is too short, or too long to be hashed in peace.
func checkPassword(pointer, p string) []assent.FieldError {
	switch {
	case len([]rune(p)) < minPassword:
		return []assent.FieldError{{Pointer: pointer, Code: "too_short", Message: "A password needs at least 10 characters."}}
	case len(p) > longestPassword:
		return []assent.FieldError{{Pointer: pointer, Code: "too_long", Message: "A password may have at most 512 bytes."}}
	}
	return nil
}

// profile checks what people may say about themselves, and tidies it.
func profile(p *assent.Person) []assent.FieldError {
	var out []assent.FieldError
	bad := func(pointer, msg string) {
		out = append(out, assent.FieldError{Pointer: pointer, Code: "invalid", Message: msg})
	}
	p.Email, p.Name = strings.ToLower(strings.TrimSpace(p.Email)), strings.TrimSpace(p.Name)
	if addr, err := mail.ParseAddress(p.Email); err != nil || addr.Address != p.Email || len(p.Email) > 254 {
		bad("/email", "This is no e-mail address.")
	}
	if p.Name == "" || len(p.Name) > 200 || strings.ContainsFunc(p.Name, unicode.IsControl) {
		bad("/name", "A name has 1 to 200 bytes and stands on one line.")
	}
	if _, err := time.LoadLocation(p.TimeZone); err != nil || p.TimeZone == "Local" || p.TimeZone == "" {
		bad("/time_zone", "Must be a time zone such as Europe/London.")
	}
	if p.Role != assent.RoleMember && p.Role != assent.RoleAdmin {
		bad("/role", "Must be member or admin.")
	}
	if m, ok := assent.ParseMode(string(p.DefaultMode)); !ok || m == "" {
		bad("/default_mode", "Must be auto_execute, agent_review or draft_only.")
	}
	switch p.Theme {
	case "auto", "light", "dark":
	default:
		bad("/theme", "Must be auto, light or dark.")
	}
	if _, err := language.Parse(p.Locale); err != nil || len(p.Locale) > 35 {
		bad("/locale", "Must be a language tag such as en-GB.")
	}
	return out
}

// Create adds an account. by is who does it ("" for the installation itself).
func (a *Service) Create(ctx context.Context, n NewPerson, by string) (assent.Person, error) {
	return a.create(ctx, n, by, func(*store.Tx) error { return nil })
}

// create adds an account if may, in the same transaction, does not refuse.
func (a *Service) create(ctx context.Context, n NewPerson, by string, may func(*store.Tx) error) (assent.Person, error) {
	p := assent.Person{ID: a.store.NewID(), Email: n.Email, Name: n.Name, Role: n.Role, TimeZone: n.TimeZone, Locale: n.Locale, Theme: "auto",
		DefaultMode: assent.ModeAutoExecute, MustChange: n.MustChange, CreatedAt: a.store.Now()}
	if p.TimeZone == "" {
		p.TimeZone = "UTC"
	}
	if p.Locale == "" {
		p.Locale = "en"
	}
	if err := assent.InvalidFields(append(profile(&p), checkPassword("/password", n.Password)...)); err != nil {
		return p, err
	}
	hash, err := a.hashPassword(ctx, n.Password)
	if err != nil {
		return p, err
	}
	err = a.store.Write(ctx, func(tx *store.Tx) error {
		if err := may(tx); err != nil {
			return err
		}
		if err := tx.CreatePerson(p, hash); err != nil {
			return err
		}
		return a.audit(tx, by, "person_created", p.ID)
	})
	return p, err
}

func (a *Service) audit(tx *store.Tx, by, action, subject string) error {
	return tx.Audit(store.Origin{UserID: by, Caller: assent.CallerPerson}, action, subject, "")
}

// OneTimePassword makes a password that must be changed at the first sign-in.
func OneTimePassword() string { return rand.Text()[:16] }
