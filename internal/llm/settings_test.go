package llm_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"testing"

	"assent/internal/assent"
	"assent/internal/llm"
)

const exampleSettings = `{"providers": {"openai": {"base_url": "https://api.example.org/v1", "api_key": "sk-secret"}},
 "profiles": {"balanced": [{"provider": "openai", "model": "m1"}, {"provider": "gemini", "model": "m2"}]},
 "prices": {"m1": {"in": 150000, "out": 600000, "cached": 75000}, "gemini/m2": {"in": 5, "out": 6}}}`

func TestParseSettings(t *testing.T) {
	t.Parallel()
	s, err := llm.ParseSettings([]byte(exampleSettings), "gemini", "offline")
	if err != nil {
		t.Fatal(err)
	}
	want := llm.Settings{
		Providers: map[string]llm.ProviderSettings{"openai": {BaseURL: "https://api.example.org/v1", APIKey: "sk-secret"}},
		Profiles:  map[llm.Profile][]llm.Target{llm.ProfileBalanced: {{Provider: "openai", Model: "m1"}, {Provider: "gemini", Model: "m2"}}},
		Prices:    map[string]llm.Price{"m1": {In: 150000, Out: 600000, Cached: 75000}, "gemini/m2": {In: 5, Out: 6, Cached: 5}},
	}
	if !reflect.DeepEqual(s, want) {
		t.Errorf("got %+v, want %+v", s, want)
	}
	if got := s.Catalog().Targets(llm.ProfileSpeed); !slices.Equal(got, want.Profiles[llm.ProfileBalanced]) {
		t.Errorf("a profile that is not set has targets %v", got)
	}
	if _, err := llm.ParseSettings([]byte(` {} `)); err != nil {
		t.Errorf("no settings at all: %v", err)
	}
}

func TestParseSettingsRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, want string }{
		{``, `/ type`},
		{`null`, `/ type`},
		{`{`, `/ type`},
		{`[]`, `/ type`},
		{`{"provider": {}}`, `/provider unknown_field`},
		{`{"providers": {"OpenAI": {}}}`, `/providers/OpenAI name`},
		{`{"providers": {"canned": {}}}`, `/providers/canned name`},
		{`{"providers": {"a": {"key": "x"}}}`, `/providers/a/key unknown_field`},
		{`{"providers": {"a": []}}`, `/providers/a type`},
		{`{"providers": {"a": {"base_url": 1}}}`, `/providers/a/base_url type`},
		{`{"providers": {"a": {"base_url": "ftp://x"}}}`, `/providers/a/base_url format`},
		{`{"providers": {"a": {"base_url": "https://u:secret@x/v1"}}}`, `/providers/a/base_url format`},
		{`{"providers": {"a": {"base_url": "https://x/v1?key=secret"}}}`, `/providers/a/base_url format`},
		{`{"providers": {"a": {"api_key": "secret with space"}}}`, `/providers/a/api_key format`},
		{`{"profiles": {"fast": []}}`, `/profiles/fast unknown_field, /profiles/fast type`},
		{`{"profiles": {"speed": []}}`, `/profiles/speed type`},
		{`{"profiles": {"speed": {}}}`, `/profiles/speed type`},
		{`{"profiles": {"speed": [{"provider": "a"}]}}`, `/profiles/speed/0/model required, /profiles/speed/0/provider unknown_provider`},
		{`{"profiles": {"speed": [null]}}`, `/profiles/speed/0/provider required, /profiles/speed/0/model required`},
		{`{"profiles": {"speed": [{"provider": "b", "model": "m", "x": 1}]}}`, `/profiles/speed/0/x unknown_field, /profiles/speed/0/provider unknown_provider`},
		{`{"prices": {"a/b~c": {"in": 1}}}`, `/prices/a~1b~0c/out required`},
		{`{"prices": {"m": {"in": -1, "out": 1.5, "cached": "1"}}}`, `/prices/m/in type, /prices/m/out type, /prices/m/cached type`},
		{`{"prices": {"m": {"in": 10000000001, "out": null}}}`, `/prices/m/in type, /prices/m/out type`},
	}
	for _, tt := range tests {
		_, err := llm.ParseSettings([]byte(tt.in))
		var e *assent.Error
		if !errors.As(err, &e) || e.Code != assent.CodeInvalid {
			t.Errorf("%s: %v", tt.in, err)
			continue
		}
		var got []string
		for _, f := range e.Fields {
			got = append(got, f.Pointer+" "+f.Code)
			if !strings.HasPrefix(f.Message, f.Pointer+": ") || strings.Contains(f.Message, "secret") {
				t.Errorf("%s: message %q", tt.in, f.Message)
			}
		}
		if strings.Join(got, ", ") != tt.want {
			t.Errorf("%s: %s, want %s", tt.in, strings.Join(got, ", "), tt.want)
		}
	}
}

func TestSettingsHideKeys(t *testing.T) {
	t.Parallel()
	s, err := llm.ParseSettings([]byte(exampleSettings), "gemini")
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "provider", s.Providers["openai"])
	all := fmt.Sprintf("%v %+v %#v", s, s, s) + log.String()
	if strings.Contains(all, "sk-secret") || !strings.Contains(all, "api.example.org") {
		t.Errorf("shown: %s", all)
	}
	stored, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	if back, err := llm.ParseSettings(stored, "gemini"); err != nil || !reflect.DeepEqual(back, s) {
		t.Errorf("stored and read again: %+v, %v", back, err)
	}
}

func TestCatalogCost(t *testing.T) {
	t.Parallel()
	c := llm.Catalog{Prices: map[string]llm.Price{"m": {In: 150_000, Out: 600_000, Cached: 75_000}, "a/m": {In: 1_000_000}}}
	tests := []struct {
		target llm.Target
		tokens llm.Tokens
		want   int64 // -1: none
	}{
		{llm.Target{Provider: "b", Model: "m"}, llm.Tokens{In: 1000, Out: 100}, 210},
		{llm.Target{Provider: "b", Model: "m"}, llm.Tokens{In: 1000, Out: 100, Cached: 1000, Reasoning: 100}, 135},
		{llm.Target{Provider: "b", Model: "m"}, llm.Tokens{In: 3}, 0},
		{llm.Target{Provider: "b", Model: "m"}, llm.Tokens{In: 4}, 1},
		{llm.Target{Provider: "a", Model: "m"}, llm.Tokens{In: 7}, 7},
		{llm.Target{Provider: "a", Model: "other"}, llm.Tokens{In: 7}, -1},
	}
	for _, tt := range tests {
		got := int64(-1)
		if cost := c.Cost(tt.target, tt.tokens); cost != nil {
			got = *cost
		}
		if got != tt.want {
			t.Errorf("%v %+v costs %d, want %d", tt.target, tt.tokens, got, tt.want)
		}
	}
}
