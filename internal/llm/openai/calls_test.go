package openai

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"assent/internal/llm/internal/provider"
)

func TestCallsFromFragments(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name      string
		fragments string // one JSON array of fragments
		want      []string
	}{
		{"openai", `[{"index":0,"id":"a","function":{"name":"x","arguments":""}},{"index":0,"function":{"arguments":"{\"n\""}},{"index":0,"function":{"arguments":":1}"}},
			{"index":1,"id":"b","function":{"name":"y","arguments":"{}"}}]`, []string{`a x {"n":1}`, `b y {}`}},
		{"interleaved", `[{"index":0,"id":"a","function":{"name":"x","arguments":"{\"n\""}},{"index":1,"id":"b","function":{"name":"y","arguments":"{\"m\""}},
			{"index":0,"function":{"arguments":":1}"}},{"index":1,"function":{"arguments":":2}"}}]`, []string{`a x {"n":1}`, `b y {"m":2}`}},
		{"ollama: all index 0", `[{"index":0,"id":"a","function":{"name":"x","arguments":"{\"n\":1}"}},{"index":0,"id":"b","function":{"name":"x","arguments":"{\"n\":2}"}}]`,
			[]string{`a x {"n":1}`, `b x {"n":2}`}},
		{"all index 0, no ids", `[{"index":0,"function":{"name":"x","arguments":"{\"n\":1}"}},{"index":0,"function":{"name":"x","arguments":"{\"n\":2}"}},{"index":0,"function":{"name":"y","arguments":""}}]`,
			[]string{`made-1 x {"n":1}`, `made-2 x {"n":2}`, `made-3 y {}`}},
		{"all index 0, the same id", `[{"index":0,"id":"a","function":{"name":"x","arguments":"{}"}},{"index":0,"id":"a","function":{"name":"y","arguments":"{}"}}]`,
			[]string{`a x {}`, `made-1 y {}`}},
		{"no index", `[{"id":"a","function":{"name":"x","arguments":"{\"n\""}},{"function":{"arguments":":1}"}},{"id":"b","function":{"name":"x","arguments":"{}"}}]`,
			[]string{`a x {"n":1}`, `b x {}`}},
		{"no index, no ids", `[{"function":{"name":"x","arguments":"{}"}},{"function":{"name":"x","arguments":"{}"}}]`, []string{`made-1 x {}`, `made-2 x {}`}},
		{"id and name in each fragment", `[{"index":0,"id":"a","function":{"name":"x","arguments":"{\"n\""}},{"index":0,"id":"a","function":{"name":"x","arguments":":1}"}},{"index":0,"id":"a","function":{"name":"x","arguments":""}}]`,
			[]string{`a x {"n":1}`}},
		{"name in each fragment", `[{"index":0,"id":"a","function":{"name":"x","arguments":"{\"n\""}},{"index":0,"function":{"name":"x","arguments":":1}"}}]`, []string{`a x {"n":1}`}},
		{"name first, id later", `[{"index":0,"function":{"name":"x"}},{"index":0,"id":"a","function":{"arguments":"{}"}}]`, []string{`a x {}`}},
		{"arguments as an object", `[{"index":0,"id":"a","function":{"name":"x","arguments":{"n":1}}}]`, []string{`a x {"n":1}`}},
		{"null everywhere", `[{"index":0,"id":"a","function":{"name":"x","arguments":null}},{"index":0,"id":null,"function":{"name":null,"arguments":null}}]`, []string{`a x {}`}},
		{"not an object", `[{"index":0,"id":"a","function":{"name":"x","arguments":"[1]"}},{"index":1,"id":"b","function":{"name":"x","arguments":"{\"n\":"}}]`, []string{`a x "[1]"`, `b x "{\"n\":"`}},
		{"signature", `[{"index":0,"id":"a","function":{"name":"x","arguments":"{}"},"extra_content":{"google":{"thought_signature":"s"}}}]`, []string{`a x {} {"google":{"thought_signature":"s"}}`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var fragments []callFragment
			if err := json.Unmarshal([]byte(tt.fragments), &fragments); err != nil {
				t.Fatal(err)
			}
			var c calls
			for i := range fragments {
				c.add(&fragments[i])
			}
			made := 0
			ids := func() string { made++; return fmt.Sprintf("made-%d", made) }
			var got []string
			for _, call := range c.finish(provider.NewNames(nameByte, maxName), "p", ids) {
				got = append(got, strings.TrimSpace(fmt.Sprintf("%s %s %s %s", call.ID, call.Name, call.Arguments, call.Opaque)))
				if call.Provider != "p" {
					t.Errorf("Provider = %q", call.Provider)
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
