package assent

import (
	"slices"
	"time"
)

// Role is what a person may do in the installation.
type Role string

// The roles. The last admin cannot be removed, demoted or disabled.
const (
	RoleMember Role = "member"
	RoleAdmin  Role = "admin"
)

// Person is somebody with an account.
type Person struct {
	ID          string `json:"id"`
	Email       string `json:"email"` // lower case, unique
	Name        string `json:"name"`
	Role        Role   `json:"role"`
	Disabled    bool   `json:"disabled"`
	TimeZone    string `json:"time_zone"`    // IANA name; "end of March" is resolved there
	Locale      string `json:"locale"`       // BCP 47; numbers, dates and money are shown in it
	Theme       string `json:"theme"`        // auto, light, dark
	DefaultMode Mode   `json:"default_mode"` // floor for execution modes, item 2 of design 03 §5
	MustChange  bool   `json:"must_change"`  // the password was set by someone else
	CreatedAt   Time   `json:"created_at"`
	LastSeenAt  Time   `json:"last_seen_at"`
}

// Zone is where the person's days begin and end; UTC if it is not known.
func (p Person) Zone() *time.Location {
	zone, err := time.LoadLocation(p.TimeZone)
	if err != nil {
		return time.UTC
	}
	return zone
}

// TokenScope is one thing that an API token may do.
type TokenScope string

// Scopes of API tokens, design 06. A signed-in person has all that their role allows.
const (
	ScopeRead    TokenScope = "read"
	ScopeChat    TokenScope = "chat"
	ScopeApprove TokenScope = "approve"
	ScopeAdmin   TokenScope = "admin"
)

// TokenScopes lists every scope, in order of power.
func TokenScopes() []TokenScope {
	return []TokenScope{ScopeRead, ScopeChat, ScopeApprove, ScopeAdmin}
}

// Token is an API token; its secret is shown once and stored hashed.
type Token struct {
	ID         string       `json:"id"`
	PersonID   string       `json:"user_id"`
	Name       string       `json:"name"`
	Scopes     []TokenScope `json:"scopes"`
	CreatedAt  Time         `json:"created_at"`
	LastUsedAt Time         `json:"last_used_at"`
	ExpiresAt  Time         `json:"expires_at"`
}

// Principal is who makes a request and what they may do with it.
type Principal struct {
	Person    Person
	TokenID   string       // the API token used; empty for a browser session
	SessionID string       // the browser session used; empty for a token
	Scopes    []TokenScope // of the token; a browser session has all
}

// May reports whether the principal holds scope; admin also needs the role.
func (p Principal) May(scope TokenScope) bool {
	if scope == ScopeAdmin && p.Person.Role != RoleAdmin {
		return false
	}
	return slices.Contains(p.Scopes, scope)
}
