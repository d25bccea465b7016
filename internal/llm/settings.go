package llm

import (
	"fmt"
	"log/slog"
)

// Settings is what an admin sets about models: the body of PUT
// /api/v1/admin/models and of ASSENT_MODELS; design 06. ParseSettings reads it.
type Settings struct {
	Providers map[string]ProviderSettings `json:"providers"`
	Profiles  map[Profile][]Target        `json:"profiles"`
	Prices    map[string]Price            `json:"prices"`
}

// ProviderSettings is where a provider is and how it lets us in. Printing or
// logging it does not show the key; encoding it to JSON does, for storage.
type ProviderSettings struct {
	BaseURL string `json:"base_url,omitempty"`
	APIKey  string `json:"api_key,omitempty"`
}

// String hides the key.
func (p ProviderSettings) String() string {
	return fmt.Sprintf("{base_url: %s, key set: %t}", p.BaseURL, p.APIKey != "")
}

// GoString hides the key from %#v.
func (p ProviderSettings) GoString() string { return p.String() }

// LogValue hides the key from slog.
func (p ProviderSettings) LogValue() slog.Value { return slog.StringValue(p.String()) }

// Catalog is the part of s that a gateway needs.
func (s Settings) Catalog() Catalog { return Catalog{Profiles: s.Profiles, Prices: s.Prices} }
