package account

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"net/mail"
	"strings"
	"sync"
	"time"

	"assent/internal/assent"
	"assent/internal/store"

	"github.com/alexedwards/argon2id"
)

// Service is what the package comment says.
type Service struct {
	store *store.Store
	open  bool // anybody may sign up
	cache cache
	hash  chan struct{} // bounds concurrent password hashing: each takes 19 MiB
	dummy string
	setup sync.Mutex // keeps two visitors from both becoming the first
}

// New makes the service; openSignup lets anybody create an account.
func New(s *store.Store, openSignup bool) (*Service, error) {
	a := &Service{store: s, open: openSignup, hash: make(chan struct{}, 4), cache: cache{entries: map[string]entry{}}}
	var err error
	a.dummy, err = a.hashPassword(rand.Text())
	return a, err
}

// params follow OWASP: 19 MiB, two passes, one lane.
func params() *argon2id.Params {
	return &argon2id.Params{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}
}

func (a *Service) hashPassword(password string) (string, error) {
	a.hash <- struct{}{}
	defer func() { <-a.hash }()
	return argon2id.CreateHash(password, params())
}

func (a *Service) passwordFits(password, hash string) (bool, error) {
	a.hash <- struct{}{}
	defer func() { <-a.hash }()
	return argon2id.ComparePasswordAndHash(password, hash)
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

// minPassword is the shortest password allowed.
const minPassword = 10

// checkPassword refuses what is too short, or too long to be hashed in peace.
func checkPassword(pointer, p string) []assent.FieldError {
	switch {
	case len([]rune(p)) < minPassword:
		return []assent.FieldError{{Pointer: pointer, Code: "too_short", Message: "A password needs at least 10 characters."}}
	case len(p) > 512:
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
	if p.Name == "" || len(p.Name) > 200 {
		bad("/name", "A name has 1 to 200 bytes.")
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
	if len(p.Locale) > 35 || p.Locale == "" {
		bad("/locale", "Must be a language tag such as en-GB.")
	}
	return out
}

func invalid(fields []assent.FieldError) error {
	if len(fields) == 0 {
		return nil
	}
	return &assent.Error{Code: assent.CodeInvalid, Message: fields[0].Message, Fields: fields}
}

// Create adds an account. by is who does it ("" for the installation itself).
func (a *Service) Create(ctx context.Context, n NewPerson, by string) (assent.Person, error) {
	p := assent.Person{ID: a.store.NewID(), Email: n.Email, Name: n.Name, Role: n.Role, TimeZone: n.TimeZone, Locale: n.Locale, Theme: "auto",
		DefaultMode: assent.ModeAutoExecute, MustChange: n.MustChange}
	if p.TimeZone == "" {
		p.TimeZone = "UTC"
	}
	if p.Locale == "" {
		p.Locale = "en"
	}
	if err := invalid(append(profile(&p), checkPassword("/password", n.Password)...)); err != nil {
		return p, err
	}
	hash, err := a.hashPassword(n.Password)
	if err != nil {
		return p, err
	}
	err = a.store.Write(ctx, func(tx *store.Tx) error {
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

// cache remembers who a secret stands for, for a short while.
type cache struct {
	mu      sync.RWMutex
	entries map[string]entry
}

type entry struct {
	principal assent.Principal
	until     time.Time
}

// cacheFor is how long another process's change may go unnoticed.
const cacheFor = 5 * time.Second

// maxCached bounds the cache; beyond it, it starts anew.
const maxCached = 10_000

func (c *cache) get(key string, now time.Time) (assent.Principal, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	e, ok := c.entries[key]
	return e.principal, ok && now.Before(e.until)
}

func (c *cache) put(key string, p assent.Principal, until time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.entries) >= maxCached {
		c.entries = map[string]entry{}
	}
	c.entries[key] = entry{p, until}
}

// clear forgets everything; every change of people or tokens calls it.
func (c *cache) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries = map[string]entry{}
}
