package llm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"assent/internal/assent"
)

// maxPrice keeps a cost within an int64 for any number of tokens there may be:
// 10,000 dollars per million tokens.
const maxPrice = 10_000_000_000

var providerName = regexp.MustCompile(`^[a-z][a-z0-9_-]{0,31}$`)

// ParseSettings reads the JSON strictly: unknown fields, wrong types and names
// that lead nowhere are all reported, each with its JSON pointer, in one
// *assent.Error of code invalid_arguments. A profile may name a provider of the
// JSON itself or one of known, which is what else is set up. No message holds a
// key.
func ParseSettings(data []byte, known ...string) (Settings, error) {
	p := &settingsParser{}
	top := p.object("", data, "providers", "profiles", "prices")
	s := Settings{
		Providers: p.providers(top["providers"]),
		Profiles:  p.profiles(top["profiles"]),
		Prices:    p.prices(top["prices"]),
	}
	p.checkNames(s, known)
	if len(p.wrong) == 0 {
		return s, nil
	}
	return Settings{}, &assent.Error{Code: assent.CodeInvalid, Fields: p.wrong,
		Message: "The model settings are not valid: " + p.wrong[0].Message}
}

type settingsParser struct{ wrong []assent.FieldError }

func (p *settingsParser) fail(pointer, code, format string, args ...any) {
	if pointer == "" {
		pointer = "/"
	}
	p.wrong = append(p.wrong, assent.FieldError{Pointer: pointer, Code: code,
		Message: fmt.Sprintf("%s: ", pointer) + fmt.Sprintf(format, args...)})
}

// object splits a JSON object into its fields. With allowed, other fields are
// violations. An absent or null object has no fields.
func (p *settingsParser) object(pointer string, data []byte, allowed ...string) map[string]json.RawMessage {
	data = bytes.TrimSpace(data)
	absent := len(data) == 0 || string(data) == "null"
	if absent && pointer != "" {
		return nil
	}
	var fields map[string]json.RawMessage
	if absent || json.Unmarshal(data, &fields) != nil {
		p.fail(pointer, "type", "must be a JSON object")
		return nil
	}
	if allowed == nil {
		return fields
	}
	for _, name := range sortedKeys(fields) {
		if !slices.Contains(allowed, name) {
			p.fail(pointer+"/"+escape(name), "unknown_field", "is not a field; allowed are %s", strings.Join(allowed, ", "))
		}
	}
	return fields
}

func (p *settingsParser) text(pointer string, data json.RawMessage) string {
	var s string
	if data != nil && json.Unmarshal(data, &s) != nil {
		p.fail(pointer, "type", "must be a string")
	}
	return s
}

func (p *settingsParser) providers(data json.RawMessage) map[string]ProviderSettings {
	out := map[string]ProviderSettings{}
	fields := p.object("/providers", data)
	for _, name := range sortedKeys(fields) {
		at := "/providers/" + escape(name)
		if !providerName.MatchString(name) || name == CannedProvider {
			p.fail(at, "name", "is no name for a provider: up to 32 of a-z, 0-9, _ and -, a letter first")
		}
		one := p.object(at, fields[name], "base_url", "api_key")
		set := ProviderSettings{BaseURL: p.text(at+"/base_url", one["base_url"]), APIKey: p.text(at+"/api_key", one["api_key"])}
		p.checkBaseURL(at+"/base_url", set.BaseURL)
		if strings.ContainsFunc(set.APIKey, func(r rune) bool { return r <= ' ' || r > '~' }) {
			p.fail(at+"/api_key", "format", "must be printable ASCII without spaces")
		}
		out[name] = set
	}
	return out
}

func (p *settingsParser) checkBaseURL(pointer, s string) {
	if s == "" {
		return
	}
	u, err := url.Parse(s)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		p.fail(pointer, "format", "must be an http or https address")
		return
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		p.fail(pointer, "format", "must have no user, query or fragment; the key goes into api_key")
	}
}

func (p *settingsParser) profiles(data json.RawMessage) map[Profile][]Target {
	out := map[Profile][]Target{}
	fields := p.object("/profiles", data, string(ProfileSpeed), string(ProfileBalanced), string(ProfileQuality))
	for _, name := range sortedKeys(fields) {
		at := "/profiles/" + escape(name)
		var list []json.RawMessage
		if json.Unmarshal(fields[name], &list) != nil || len(list) == 0 {
			p.fail(at, "type", "must be a list of {provider, model} with at least one entry")
			continue
		}
		for i, raw := range list {
			out[Profile(name)] = append(out[Profile(name)], p.target(fmt.Sprintf("%s/%d", at, i), raw))
		}
	}
	return out
}

func (p *settingsParser) target(pointer string, data json.RawMessage) Target {
	fields := p.object(pointer, data, "provider", "model")
	t := Target{Provider: p.text(pointer+"/provider", fields["provider"]), Model: p.text(pointer+"/model", fields["model"])}
	if t.Provider == "" {
		p.fail(pointer+"/provider", "required", "is missing")
	}
	if t.Model == "" {
		p.fail(pointer+"/model", "required", "is missing")
	}
	return t
}

func (p *settingsParser) prices(data json.RawMessage) map[string]Price {
	out := map[string]Price{}
	fields := p.object("/prices", data)
	for _, name := range sortedKeys(fields) {
		at := "/prices/" + escape(name)
		one := p.object(at, fields[name], "in", "out", "cached")
		price := Price{In: p.amount(at+"/in", one["in"]), Out: p.amount(at+"/out", one["out"])}
		price.Cached = price.In // no discount that we know of
		if one["cached"] != nil {
			price.Cached = p.amount(at+"/cached", one["cached"])
		}
		out[name] = price
	}
	return out
}

func (p *settingsParser) amount(pointer string, data json.RawMessage) int64 {
	if data == nil {
		p.fail(pointer, "required", "is missing")
		return 0
	}
	var n int64
	if string(data) == "null" || json.Unmarshal(data, &n) != nil || n < 0 || n > maxPrice {
		p.fail(pointer, "type", "must be a whole number of micro-dollars per million tokens, 0 to %d", int64(maxPrice))
		return 0
	}
	return n
}

// checkNames refuses profiles that name a provider which nobody set up.
func (p *settingsParser) checkNames(s Settings, known []string) {
	for _, profile := range sortedKeys(s.Profiles) {
		for i, t := range s.Profiles[profile] {
			_, here := s.Providers[t.Provider]
			if t.Provider != "" && !here && !slices.Contains(known, t.Provider) {
				p.fail(fmt.Sprintf("/profiles/%s/%d/provider", profile, i), "unknown_provider", "%q is not set up", t.Provider)
			}
		}
	}
}

func sortedKeys[K ~string, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// escape makes name a token of a JSON pointer; RFC 6901.
func escape(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}
