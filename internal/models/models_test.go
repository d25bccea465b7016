package models_test

import (
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assent/internal/app"
	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/llm/llmtest"
	"assent/internal/models"
	"assent/internal/secret"
	"assent/internal/store"
)

const key = "sk-planted-4711"

// world is a service over a real store and gateway.
type world struct {
	*models.Service
	t       *testing.T
	store   *store.Store
	gateway *llm.Gateway
	vault   *secret.Vault
	dir     string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir()}
	var err error
	if w.store, err = store.Open(t.Context(), w.dir, store.Options{Clock: time.Now, IDs: app.NewIDs}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.store.Close() })
	w.start(environment(), false)
	return w
}

// environment is that of an installation without any key.
func environment() llm.Settings {
	s := llm.Settings{Profiles: llm.SingleModel(models.Offline()).Profiles, Prices: map[string]llm.Price{models.Offline().String(): {}}}
	return s
}

// start makes a service as a start of the server does.
func (w *world) start(env llm.Settings, fixed bool) {
	w.t.Helper()
	w.gateway = llm.New(llm.GatewayConfig{Ledger: w.store.Ledger(), Clock: time.Now, IDs: app.NewIDs, Random: func() float64 { return 0 }})
	sealer := secret.NewSealer(w.dir)
	w.vault = secret.NewVault(w.store, sealer)
	var err error
	w.Service, err = models.New(w.t.Context(), models.Deps{Store: w.store, Sealer: sealer, Vault: w.vault, Use: w.gateway.Use, Prober: w.gateway, Environment: env, Fixed: fixed,
		Client: app.Provider, Clock: time.Now, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) save(body string) {
	w.t.Helper()
	if err := w.Save(w.t.Context(), "ada", []byte(body)); err != nil {
		w.t.Fatal(err)
	}
}

// refused wants a refusal that names exactly these places, and gives its words.
func (w *world) refused(body string, code assent.Code, pointers ...string) string {
	w.t.Helper()
	err := w.Save(w.t.Context(), "ada", []byte(body))
	var e *assent.Error
	if !errors.As(err, &e) || e.Code != code {
		w.t.Errorf("%s: %v", body, err)
		return ""
	}
	var got []string
	for _, f := range e.Fields {
		got = append(got, f.Pointer)
	}
	if !slices.Equal(got, pointers) {
		w.t.Errorf("%s names %v, want %v", body, got, pointers)
	}
	if strings.Contains(err.Error(), key) {
		w.t.Errorf("the refusal tells the key: %v", err)
	}
	return e.Message
}

// answers asks the first model as an admin's test does.
func (w *world) answers(provider string) models.TestResult {
	w.t.Helper()
	return w.Test(w.t.Context(), "ada", llm.Target{Provider: provider, Model: "m1"})
}

func endpoint(t *testing.T) *llmtest.Server {
	t.Helper()
	return llmtest.NewOpenAI(t, llmtest.Func(func(llmtest.Request) llmtest.Response {
		return llmtest.Text("ready").Usage(llm.Tokens{In: 12, Out: 3})
	})).RequireKey(key)
}

func body(url, keyField string) string {
	return `{"providers": {"main": {"base_url": "` + url + `"` + keyField + `}}, "profiles": {"balanced": [{"provider": "main", "model": "m1"}, {"provider": "offline", "model": "rules"}]},
		"prices": {"m1": {"in": 1000000, "out": 2000000}}}`
}

// TestAKeyGoesInAndStays: set, kept where it is left out, removed by an empty
// text, sealed in the file, in force at once and after a restart.
func TestAKeyGoesInAndStays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	srv := endpoint(t)
	if !w.Offline() {
		t.Error("without a provider it is not offline")
	}
	w.save(body(srv.URL, `, "api_key": "`+key+`"`))
	if r := w.answers("main"); !r.OK || r.TokensIn != 12 || r.TokensOut != 3 || r.FirstTokenMS < 1 || r.CostMicros == nil || *r.CostMicros != 18 {
		t.Errorf("tested: %+v", r)
	}
	if p := w.InForce().Providers["main"]; !p.KeySet || p.Problem != "" || w.Offline() {
		t.Errorf("in force: %+v", p)
	}
	if got := w.gateway.Targets(llm.ProfileBalanced); len(got) != 2 || got[0].Provider != "main" {
		t.Errorf("the gateway has %v", got)
	}
	w.save(body(srv.URL, ""))
	if r := w.answers("main"); !r.OK {
		t.Errorf("left out: %+v", r)
	}
	w.start(environment(), false)
	if r := w.answers("main"); !r.OK {
		t.Errorf("after a restart: %+v", r)
	}
	shown, err := json.Marshal(w.InForce())
	if err != nil || strings.Contains(string(shown), key) {
		t.Errorf("shown is %s, %v", shown, err)
	}
	w.save(string(shown)) // what was read may be sent back
	if r := w.answers("main"); !r.OK {
		t.Errorf("sent back: %+v", r)
	}
	w.save(body(srv.URL, `, "api_key": ""`))
	if r := w.answers("main"); r.OK || r.Class != llm.ClassAuth || w.InForce().Providers["main"].KeySet || strings.Contains(r.Message, "Your words") {
		t.Errorf("removed: %+v", r)
	}
	w.nowhere(key)
}

// nowhere looks for a text in every file of the data directory.
func (w *world) nowhere(planted string) {
	w.t.Helper()
	files, err := os.ReadDir(w.dir)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, f := range files {
		if b, err := os.ReadFile(filepath.Join(w.dir, f.Name())); err != nil || strings.Contains(string(b), planted) {
			w.t.Errorf("%s tells the key, %v", f.Name(), err)
		}
	}
}

func TestAKeyMayBeASecret(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	srv := endpoint(t)
	if msg := w.refused(body(srv.URL, `, "api_key": "secret:llm"`), assent.CodeInvalid, "/providers/main/api_key"); !strings.Contains(msg, "no secret named llm") {
		t.Errorf("it says %q", msg)
	}
	if err := w.vault.Set(t.Context(), "ada", "llm", "wrong"); err != nil {
		t.Fatal(err)
	}
	w.save(body(srv.URL, `, "api_key": "secret:llm"`))
	if r := w.answers("main"); r.OK {
		t.Errorf("with another key: %+v", r)
	}
	if err := w.vault.Set(t.Context(), "ada", "llm", key); err != nil {
		t.Fatal(err)
	}
	if err := w.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r := w.answers("main"); !r.OK {
		t.Errorf("with the key: %+v", r)
	}
}

// TestWithoutTheKeyFileTheRestGoesOn: the provider says what to do, the next
// model answers, other settings change, and a new key is taken.
func TestWithoutTheKeyFileTheRestGoesOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	srv := endpoint(t)
	w.save(body(srv.URL, `, "api_key": "`+key+`"`))
	if err := os.Remove(filepath.Join(w.dir, secret.KeyFile)); err != nil {
		t.Fatal(err)
	}
	w.start(environment(), false)
	p := w.InForce().Providers["main"]
	if !p.KeySet || !strings.Contains(p.Problem, "secret.key") || !strings.Contains(p.Problem, "Put the key file") {
		t.Errorf("the provider is %+v", p)
	}
	if r := w.answers("main"); r.OK || r.Class != llm.ClassAuth || r.Detail != p.Problem {
		t.Errorf("asked it gives %+v", r)
	}
	var used string
	for c, err := range w.gateway.Stream(t.Context(), llm.Request{Meta: llm.Meta{Operation: assent.OpTitle, Profile: llm.ProfileBalanced, UserID: "ada", TurnID: "t"}, Messages: []llm.Message{{Role: llm.RoleUser, Content: "hello"}}}) {
		if err != nil {
			t.Fatal(err)
		}
		used = c.Provider
	}
	if used != "offline" {
		t.Errorf("%q answered", used)
	}
	w.save(strings.Replace(body(srv.URL, ""), "2000000", "3000000", 1))
	if w.InForce().Prices["m1"].Out != 3000000 {
		t.Error("the price is not changed")
	}
	w.save(body(srv.URL, `, "api_key": "`+key+`"`))
	if r := w.answers("main"); !r.OK {
		t.Errorf("with the key set again: %+v", r)
	}
}

func TestWhatIsWrongIsNamed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, tc := range []struct {
		body     string
		pointers []string
	}{
		{`[]`, []string{"/"}},
		{`{"provider": {}}`, []string{"/provider"}},
		{`{"providers": {"x": {"base_url": "ftp://x", "key": "1"}}}`, []string{"/providers/x/key", "/providers/x/base_url"}},
		{`{"providers": {"X y": {}}}`, []string{"/providers/X y"}},
		{`{"providers": {"gemini": {}}}`, []string{"/providers/gemini/api_key"}},
		{`{"providers": {"x": {"api_key": 5}}}`, []string{"/providers/x/api_key"}},
		{`{"profiles": {"balanced": []}}`, []string{"/profiles/balanced"}},
		{`{"profiles": {"fast": [{"provider": "offline", "model": "rules"}]}}`, []string{"/profiles/fast"}},
		{`{"profiles": {"speed": [{"provider": "nowhere", "model": "m"}, {"provider": "offline"}]}}`, []string{"/profiles/speed/1/model", "/profiles/speed/0/provider"}},
		{`{"prices": {"m": {"in": -1, "out": 1.5}, "n": {"in": 1}}}`, []string{"/prices/m/in", "/prices/m/out", "/prices/n/out"}},
	} {
		w.refused(tc.body, assent.CodeInvalid, tc.pointers...)
	}
	if set := w.InForce(); len(set.Providers) != 0 || len(set.Profiles) != 3 {
		t.Errorf("a refused change changed %+v", set)
	}
}

// TestTheEnvironmentWins: with ASSENT_MODELS nothing that is stored counts and
// nothing can be stored.
func TestTheEnvironmentWins(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.save(`{"prices": {"mine": {"in": 1, "out": 1}}}`)
	env := environment()
	env.Providers = map[string]llm.ProviderSettings{"main": {BaseURL: "http://127.0.0.1:1", APIKey: key}}
	w.start(env, true)
	if set := w.InForce(); !set.ReadOnly || len(set.Prices) != 1 || !set.Providers["main"].KeySet || !set.Providers["main"].Environment {
		t.Errorf("in force: %+v", set)
	}
	if msg := w.refused(`{}`, assent.CodeConflict); !strings.Contains(msg, "ASSENT_MODELS") {
		t.Errorf("it says %q", msg)
	}
	if err := w.Edit(t.Context(), "ada", func(*models.Draft) error { return nil }); assent.ErrorCode(err) != assent.CodeConflict {
		t.Errorf("editing gives %v", err)
	}
	// A provider of single variables may be completed, and stays.
	w.start(env, false)
	w.save(`{"providers": {"main": {"base_url": "http://127.0.0.1:1/v2"}}}`)
	if p := w.InForce().Providers["main"]; p.BaseURL != "http://127.0.0.1:1/v2" || !p.KeySet || p.Problem != "" {
		t.Errorf("completed: %+v", p)
	}
	w.save(`{}`)
	if p := w.InForce().Providers["main"]; p.BaseURL != "http://127.0.0.1:1" {
		t.Errorf("set back: %+v", p)
	}
}

// TestChangesWhileCallsAreUnderWay: every call ends well, each with what it
// began with.
func TestChangesWhileCallsAreUnderWay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	srv := endpoint(t)
	w.save(body(srv.URL, `, "api_key": "`+key+`"`))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 5 {
				if r := w.answers("main"); !r.OK {
					t.Errorf("a call under way: %+v", r)
				}
			}
		})
	}
	for range 10 {
		w.save(body(srv.URL, ""))
	}
	wg.Wait()
}

// TestAKeyGoesToItsServerAlone holds that a change of address takes no key along
// that was not entered with it: whoever changes the address would read it there.
func TestAKeyGoesToItsServerAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	theirs := llmtest.NewOpenAI(t, llmtest.Text("hello")).RequireKey(key)
	w.save(`{"providers":{"main":{"base_url":"https://models.example/v1","api_key":"` + key + `"}},"profiles":{"balanced":[{"provider":"main","model":"m"}]},"prices":{}}`)
	w.refused(`{"providers":{"main":{"base_url":"`+theirs.URL+`"}},"profiles":{"balanced":[{"provider":"main","model":"m"}]},"prices":{}}`, assent.CodeInvalid, "/providers/main/api_key")
	w.save(`{"providers":{"main":{"base_url":"https://models.example/v2"}},"profiles":{"balanced":[{"provider":"main","model":"m"}]},"prices":{}}`)
	if !w.InForce().Providers["main"].KeySet {
		t.Error("the key is gone although its server is the same")
	}
	env := environment()
	env.Providers = map[string]llm.ProviderSettings{"openai": {BaseURL: "https://models.example/v1", APIKey: key}}
	w.start(env, false)
	w.save(`{"providers":{"openai":{"base_url":"` + theirs.URL + `"}},"profiles":{"balanced":[{"provider":"openai","model":"m"}]},"prices":{}}`)
	if got := w.answers("openai"); got.Class != llm.ClassAuth || w.InForce().Providers["openai"].KeySet {
		t.Errorf("the environment's key went to another server: %+v", got)
	}
}
