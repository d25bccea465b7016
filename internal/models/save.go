package models

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/url"
	"slices"

	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/secret"
	"assent/internal/store"
)

// Draft is what a change asks for; design 06. A key that is nil keeps the stored
// one, an empty one removes it.
type Draft struct {
	Providers map[string]DraftProvider     `json:"providers"`
	Profiles  map[llm.Profile][]llm.Target `json:"profiles"`
	Prices    map[string]llm.Price         `json:"prices"`
}

// DraftProvider is a provider in a Draft.
type DraftProvider struct {
	BaseURL string  `json:"base_url,omitempty"`
	APIKey  *string `json:"api_key,omitempty"`
}

// Save checks and stores body, JSON of the form of Draft, in the place of what
// was stored before. What is wrong is named by pointers, all at once.
func (s *Service) Save(ctx context.Context, by string, body []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, err := s.changeable(ctx)
	if err != nil {
		return err
	}
	return s.save(ctx, by, before, body)
}

// Edit changes what is stored as it is now. Without stored profiles those of the
// environment are in the draft's place, and Profiles is empty.
func (s *Service) Edit(ctx context.Context, by string, change func(*Draft) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, err := s.changeable(ctx)
	if err != nil {
		return err
	}
	d := Draft{Providers: map[string]DraftProvider{}, Profiles: map[llm.Profile][]llm.Target{}, Prices: map[string]llm.Price{}}
	for name, p := range before.Providers {
		d.Providers[name] = DraftProvider{BaseURL: p.BaseURL}
	}
	for p, list := range before.Profiles {
		d.Profiles[p] = slices.Clone(list)
	}
	maps.Copy(d.Prices, before.Prices)
	if err := change(&d); err != nil {
		return err
	}
	body, err := json.Marshal(d)
	if err != nil {
		return err
	}
	return s.save(ctx, by, before, body)
}

// changeable refuses where the environment has the last word.
func (s *Service) changeable(ctx context.Context) (stored, error) {
	if s.Fixed {
		return stored{}, &assent.Error{Code: assent.CodeConflict, Details: map[string]any{"allowed": []string{}},
			Message: "ASSENT_MODELS sets the models in the environment, so they cannot be changed here.", Hint: "Change ASSENT_MODELS, or take it away, and start Assent again."}
	}
	return s.load(ctx)
}

func (s *Service) save(ctx context.Context, by string, before stored, body []byte) error {
	body = editable(body)
	known := append(slices.Sorted(maps.Keys(s.Environment.Providers)), Offline().Provider)
	set, err := llm.ParseSettings(body, known...)
	if err != nil {
		return err
	}
	var d Draft
	if err := json.Unmarshal(body, &d); err != nil {
		return err
	}
	after, keys, err := s.seal(before, set, d)
	if err != nil {
		return err
	}
	if err := s.usable(ctx, before, after); err != nil {
		return err
	}
	if err := s.store(ctx, by, after, keys); err != nil {
		return err
	}
	s.apply(ctx, after)
	return nil
}

// editable leaves out what GET adds to the form of a change, so that what was
// read may be sent back.
func editable(body []byte) []byte {
	var top map[string]json.RawMessage
	if json.Unmarshal(body, &top) != nil {
		return body
	}
	delete(top, "read_only")
	var providers map[string]map[string]json.RawMessage
	if json.Unmarshal(top["providers"], &providers) == nil {
		for _, p := range providers {
			for _, shown := range []string{"api_key_set", "from_environment", "problem"} {
				delete(p, shown)
			}
		}
		if b, err := json.Marshal(providers); err == nil {
			top["providers"] = b
		}
	}
	out, err := json.Marshal(top)
	if err != nil {
		return body
	}
	return out
}

// seal gives what is to be stored, and the names of the keys that change.
func (s *Service) seal(before stored, set llm.Settings, d Draft) (after stored, keys []string, err error) {
	after = stored{Providers: map[string]storedProvider{}, Profiles: set.Profiles, Prices: set.Prices}
	for name, p := range set.Providers {
		kept := before.Providers[name]
		next := storedProvider{BaseURL: p.BaseURL}
		key := d.Providers[name].APIKey
		switch {
		case key == nil && kept.hasKey() && s.server(name, next) != s.server(name, kept):
			return after, nil, assent.Invalid("/providers/"+name+"/api_key", "required", "Enter the key again with a new address: it is sent there.")
		case key == nil:
			next.Sealed, next.Key = kept.Sealed, kept.Key
		case *key == "":
		default:
			if next, err = s.sealed(name, next, *key); err != nil {
				return after, nil, err
			}
		}
		if key != nil && (*key != "" || kept.hasKey()) {
			keys = append(keys, name)
		}
		after.Providers[name] = next
	}
	slices.Sort(keys)
	return after, keys, nil
}

// server is where a provider's requests, and its key, go.
func (s *Service) server(name string, p storedProvider) string {
	u, err := url.Parse(cmp.Or(p.BaseURL, s.Environment.Providers[name].BaseURL))
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

func (s *Service) sealed(name string, p storedProvider, key string) (storedProvider, error) {
	if _, ok := secret.Reference(key); ok {
		p.Key = key
		return p, nil
	}
	var err error
	p.Sealed, err = s.Sealer.Seal(sealedAs(name), key)
	return p, err
}

// usable refuses a provider that no client can be made of, and a key that names
// no secret. One that was unusable before and is left as it is does not stand in
// the way of other changes.
func (s *Service) usable(ctx context.Context, before, after stored) error {
	var wrong []assent.FieldError
	for _, name := range slices.Sorted(maps.Keys(after.Providers)) {
		p := after.Providers[name]
		if old, was := before.Providers[name]; was && old == p {
			continue
		}
		if _, err := s.client(ctx, name, p); err != nil {
			wrong = append(wrong, assent.FieldError{Pointer: "/providers/" + name + "/api_key", Code: "unusable", Message: problem(err)})
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	return &assent.Error{Code: assent.CodeInvalid, Message: "The model settings are not valid: " + wrong[0].Message, Fields: wrong}
}

// store keeps the settings and a line in the audit, which names keys and tells none.
func (s *Service) store(ctx context.Context, by string, after stored, keys []string) error {
	text, err := json.Marshal(after)
	if err != nil {
		return err
	}
	shown := map[string]any{"providers": slices.Sorted(maps.Keys(after.Providers)), "profiles": after.Profiles, "prices": after.Prices, "keys_changed": keys}
	details, err := json.Marshal(shown)
	if err != nil {
		return err
	}
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		return errors.Join(tx.SaveSetting(setting, string(text)),
			tx.Audit(store.Origin{UserID: by, Caller: assent.CallerPerson}, "models_changed", setting, string(details)))
	})
}
