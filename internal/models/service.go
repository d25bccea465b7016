package models

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"log/slog"
	"maps"
	"sync"
	"sync/atomic"

	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/secret"
	"assent/internal/store"
)

// Offline is the embedded model: always there, free, without a key.
func Offline() llm.Target { return llm.Target{Provider: "offline", Model: "rules"} }

// Prober asks one model for a word; *llm.Gateway is one.
type Prober interface {
	Probe(ctx context.Context, meta llm.Meta, t llm.Target) iter.Seq2[llm.Chunk, error]
}

// Deps are what a Service is made of.
type Deps struct {
	Store  *store.Store
	Sealer *secret.Sealer
	Vault  *secret.Vault // resolves keys that are references
	// Use is told of each change of what is in force; the gateway's is one.
	Use func(clients map[string]llm.Model, catalog llm.Catalog)
	// Prober makes the calls of Test; nil where nothing is tested.
	Prober Prober
	// Environment is what the configuration sets. Fixed says that ASSENT_MODELS is
	// in it, which wins.
	Environment llm.Settings
	Fixed       bool
	// Client makes the client of a provider; it does not connect.
	Client func(name string, p llm.ProviderSettings) (llm.Model, error)
	Clock  assent.Clock
	Log    *slog.Logger
}

// Service holds the settings in force.
type Service struct {
	Deps
	mu      sync.Mutex // one change at a time
	inForce atomic.Pointer[Settings]
}

// Settings is what is in force, as it may be shown: without keys.
type Settings struct {
	Providers map[string]Provider          `json:"providers"`
	Profiles  map[llm.Profile][]llm.Target `json:"profiles"`
	Prices    map[string]llm.Price         `json:"prices"`
	ReadOnly  bool                         `json:"read_only"` // ASSENT_MODELS sets them
}

// Provider is what may be shown of a provider.
type Provider struct {
	BaseURL     string `json:"base_url,omitempty"`
	KeySet      bool   `json:"api_key_set"`
	Environment bool   `json:"from_environment"`
	Problem     string `json:"problem,omitempty"` // why it cannot be used, and what to do
}

// New puts in force what is set.
func New(ctx context.Context, d Deps) (*Service, error) {
	s := &Service{Deps: d}
	return s, s.Reload(ctx)
}

// InForce gives the settings in force. They are read-only.
func (s *Service) InForce() Settings { return *s.inForce.Load() }

// Offline reports whether the embedded model alone answers.
func (s *Service) Offline() bool {
	for _, list := range s.InForce().Profiles {
		for _, t := range list {
			if t.Provider != Offline().Provider {
				return false
			}
		}
	}
	return true
}

// Reload puts in force what is set, for when a secret has changed.
func (s *Service) Reload(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	st, err := s.load(ctx)
	if err == nil {
		s.apply(ctx, st)
	}
	return err
}

// apply makes the clients and hands them to the gateway.
func (s *Service) apply(ctx context.Context, st stored) {
	env := s.Environment
	set := Settings{Providers: map[string]Provider{}, Profiles: st.Profiles, Prices: map[string]llm.Price{}, ReadOnly: s.Fixed}
	if len(set.Profiles) == 0 {
		set.Profiles = env.Profiles
	}
	maps.Copy(set.Prices, env.Prices)
	maps.Copy(set.Prices, st.Prices)
	clients := map[string]llm.Model{}
	for name := range union(env.Providers, st.Providers) {
		p, client := s.provider(ctx, name, st.Providers[name])
		set.Providers[name], clients[name] = p, client
	}
	if client, err := s.Client(Offline().Provider, llm.ProviderSettings{}); err == nil {
		clients[Offline().Provider] = client
	}
	s.Use(clients, llm.Catalog{Profiles: set.Profiles, Prices: set.Prices})
	s.inForce.Store(&set)
}

// provider makes a client of what is stored over what the environment sets. One
// that cannot be made is unusable, and says why.
func (s *Service) provider(ctx context.Context, name string, mine storedProvider) (Provider, llm.Model) {
	env, inEnv := s.Environment.Providers[name]
	p := Provider{BaseURL: cmp.Or(mine.BaseURL, env.BaseURL), KeySet: mine.hasKey() || env.APIKey != "" && s.lent(name, mine), Environment: inEnv}
	client, err := s.client(ctx, name, mine)
	if err != nil {
		p.Problem = problem(err)
		s.Log.Warn("a provider cannot be used", "provider", name, "error", err)
		client = llm.Unusable(p.Problem)
	}
	return p, client
}

func (s *Service) client(ctx context.Context, name string, mine storedProvider) (llm.Model, error) {
	env := s.Environment.Providers[name]
	key, err := mine.Key, error(nil)
	if key == "" && s.lent(name, mine) {
		key = env.APIKey
	}
	if mine.Sealed != "" {
		key, err = s.Sealer.Open(sealedAs(name), mine.Sealed)
	}
	if err == nil {
		key, err = s.Vault.Resolve(ctx, key)
	}
	if err != nil {
		return nil, err
	}
	return s.Client(name, llm.ProviderSettings{BaseURL: cmp.Or(mine.BaseURL, env.BaseURL), APIKey: key})
}

// lent reports that the environment's key is used: it goes to the environment's
// server alone.
func (s *Service) lent(name string, p storedProvider) bool {
	return s.server(name, p) == s.server(name, storedProvider{})
}

// problem says what is wrong, and what to do about it.
func problem(err error) string {
	var e *assent.Error
	if errors.As(err, &e) && e.Hint != "" {
		return e.Message + " " + e.Hint
	}
	return assent.ErrorMessage(err)
}

func union[A, B any](a map[string]A, b map[string]B) map[string]bool {
	out := map[string]bool{}
	for k := range a {
		out[k] = true
	}
	for k := range b {
		out[k] = true
	}
	return out
}

// setting is the row of the settings in which all of it is stored.
const setting = "models"

// stored is how the settings lie in the database.
type stored struct {
	Providers map[string]storedProvider    `json:"providers"`
	Profiles  map[llm.Profile][]llm.Target `json:"profiles"`
	Prices    map[string]llm.Price         `json:"prices"`
}

// storedProvider has its key sealed, or names a secret that holds it.
type storedProvider struct {
	BaseURL string `json:"base_url,omitempty"`
	Sealed  string `json:"sealed_key,omitempty"`
	Key     string `json:"key,omitempty"` // a reference to a secret
}

func (p storedProvider) hasKey() bool { return p.Sealed != "" || p.Key != "" }

// sealedAs is the name to which a provider's key is bound; no secret has a slash
// in its name.
func sealedAs(provider string) string { return "models/" + provider }

func (s *Service) load(ctx context.Context) (st stored, err error) {
	if s.Fixed {
		return st, nil
	}
	text, err := s.Store.FindSetting(ctx, setting)
	if err != nil || text == "" {
		return st, err
	}
	return st, json.Unmarshal([]byte(text), &st)
}
