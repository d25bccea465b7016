package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/llm/llmtest"
	"assent/internal/web"
)

// plantedKey and plantedSecret must be found nowhere.
const plantedKey, plantedSecret = "sk-planted-key-4711", "planted-secret-0815"

// provider is an OpenAI-compatible endpoint that greets.
func provider(t *testing.T) *llmtest.Server {
	t.Helper()
	return llmtest.NewOpenAI(t, llmtest.Func(func(llmtest.Request) llmtest.Response {
		return llmtest.Text("Good ", "morning.").Usage(llm.Tokens{In: 10, Out: 2})
	})).RequireKey(plantedKey)
}

// onModel is the body that puts everything on one endpoint.
func onModel(url string, key ...string) object {
	main := object{"base_url": url}
	if len(key) > 0 {
		main["api_key"] = key[0]
	}
	return object{"providers": object{"main": main}, "profiles": object{"balanced": []object{{"provider": "main", "model": "m1"}}},
		"prices": object{"m1": object{"in": 1_000_000, "out": 2_000_000, "cached": 0}}}
}

func TestModelsAreSetAndTestedWithoutShowingKeys(t *testing.T) {
	w := newWorld(t)
	srv := provider(t)
	before := w.all.api("GET", "/admin/models", nil).want(200).object()
	if before["read_only"] != false || len(before.get("providers")) != 0 || len(before.get("profiles").list("speed")) != 1 {
		t.Errorf("at first %v", before)
	}
	set := w.all.api("PUT", "/admin/models", onModel(srv.URL, plantedKey)).want(200)
	got := w.all.api("GET", "/admin/models", nil).want(200)
	if !bytes.Equal(set.body, got.body) {
		t.Errorf("PUT answers %s, GET %s", set.body, got.body)
	}
	if strings.Contains(string(got.body), plantedKey) || got.object().get("providers").get("main")["api_key_set"] != true {
		t.Errorf("GET answers %s", got.body)
	}
	tested := w.all.api("POST", "/admin/models/test", object{"provider": "main", "model": "m1"}).want(200).object()
	if tested["ok"] != true || tested.num("tokens_in") != 10 || tested.num("tokens_out") != 2 || tested.num("first_token_ms") < 1 || tested.num("cost_micros") != 14 {
		t.Errorf("tested: %v", tested)
	}
	s := w.all.session()
	w.all.say(s, "good morning")
	if n := len(srv.Requests()); n < 2 {
		t.Errorf("the conversation did not ask the new model: %d requests", n)
	}
	w.all.api("PUT", "/admin/models", json.RawMessage(got.body)).want(200)
	w.all.api("PUT", "/admin/models", onModel(srv.URL)).want(200)
	if o := w.all.api("POST", "/admin/models/test", object{"provider": "main", "model": "m1"}).want(200).object(); o["ok"] != true {
		t.Errorf("the key was not kept: %v", o)
	}
	w.all.api("PUT", "/admin/models", onModel(srv.URL, "")).want(200)
	if o := w.all.api("POST", "/admin/models/test", object{"provider": "main", "model": "m1"}).want(200).object(); o["ok"] != false || o.str("class") != "auth" || o.str("message") == "" {
		t.Errorf("without a key: %v", o)
	}
	usage := w.all.api("GET", "/admin/usage?group_by=operation_type", nil).want(200).object().list("items").column("operation_type")
	if !slices.Contains(usage, "provider_check") {
		t.Errorf("the tests are not accounted for: %v", usage)
	}
}

func TestModelsThatAreWrongAreRefused(t *testing.T) {
	w := newWorld(t)
	for body, pointers := range map[string][]string{
		`{"providers": {"x": {"base_url": "nowhere"}}}`:                          {"/providers/x/base_url"},
		`{"providers": {"x": {"api_key": "with space"}}}`:                        {"/providers/x/api_key"},
		`{"providers": {"x": {"model": "m"}}}`:                                   {"/providers/x/model"},
		`{"providers": []}`:                                                      {"/providers"},
		`{"profiles": {"balanced": [{"provider": "nowhere", "model": "m"}]}}`:    {"/profiles/balanced/0/provider"},
		`{"profiles": {"turbo": [{"provider": "offline", "model": "rules"}]}}`:   {"/profiles/turbo"},
		`{"prices": {"m1": {"in": "free", "out": 1}}}`:                           {"/prices/m1/in"},
		`{"prices": {"a/b": {"in": 1}}}`:                                         {"/prices/a~1b/out"},
		`{"models": {}}`:                                                         {"/models"},
		`{"providers": {"x": {"base_url": "http://u:p@h/"}}, "prices": {"m":1}}`: {"/providers/x/base_url", "/prices/m", "/prices/m/in", "/prices/m/out"},
	} {
		if p := w.all.api("PUT", "/admin/models", body).problem(422, "invalid_arguments"); !slices.Equal(p.pointers(), pointers) {
			t.Errorf("%s names %v", body, p.pointers())
		}
	}
	w.all.api("PUT", "/admin/models", `{"prices": {"m": {}, "m": {}}}`).problem(400, "malformed")
	if p := w.all.api("POST", "/admin/models/test", object{"provider": "x"}).problem(422, "invalid_arguments"); !slices.Equal(p.pointers(), []string{"/model"}) {
		t.Errorf("a test of nothing names %v", p.pointers())
	}
	if o := w.all.api("POST", "/admin/models/test", object{"provider": "x", "model": "m"}).want(200).object(); o["ok"] != false || o.str("class") != "invalid_request" {
		t.Errorf("a test of a provider that is none: %v", o)
	}
}

func TestModelsOfTheEnvironmentAreReadOnly(t *testing.T) {
	w := newWorld(t, `ASSENT_MODELS={"providers": {"main": {"base_url": "http://127.0.0.1:1/v1", "api_key": "`+plantedKey+`"}}, "prices": {"m1": {"in": 1, "out": 2}}}`)
	got := w.all.api("GET", "/admin/models", nil).want(200)
	if o := got.object(); o["read_only"] != true || o.get("providers").get("main")["api_key_set"] != true || strings.Contains(string(got.body), plantedKey) {
		t.Errorf("GET answers %s", got.body)
	}
	w.all.api("PUT", "/admin/models", object{}).problem(409, "conflict")
	if now := w.all.api("GET", "/admin/models", nil).want(200); !bytes.Equal(now.body, got.body) {
		t.Errorf("a refused PUT changed %s", now.body)
	}
}

// memory is a log that may be read while it is written.
type memory struct {
	mu  sync.Mutex
	all []byte
}

func (m *memory) Write(p []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.all = append(m.all, p...)
	return len(p), nil
}

func (m *memory) String() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return string(m.all)
}

// page opens a page in somebody's browser.
func (w *world) page(who assent.Person, path string) answer {
	w.t.Helper()
	session, err := w.app.Accounts.Open(w.t.Context(), who)
	if err != nil {
		w.t.Fatal(err)
	}
	return caller{w: w}.do("GET", path, nil, "Cookie", web.SessionCookie+"="+session).want(200)
}

// TestPlantedSecretsAreFoundNowhere plants keys and secrets by every door, has
// them used, refused and replaced, and looks for them in everything that the
// product writes, answers and streams.
func TestPlantedSecretsAreFoundNowhere(t *testing.T) {
	log := &memory{}
	w := newLoggedWorld(t, slog.New(slog.NewJSONHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug})))
	srv := provider(t)
	seen := map[string]string{}
	call := func(method, path string, body any) {
		a := w.all.api(method, path, body)
		seen[fmt.Sprint(len(seen), " ", method, " ", path)] = string(a.body)
	}
	call("PUT", "/admin/secrets/crm", object{"value": plantedSecret})
	call("PUT", "/admin/secrets/1crm", object{"value": plantedSecret})
	call("PUT", "/admin/secrets/crm", object{"value": plantedSecret, "x": 1})
	call("PUT", "/admin/secrets/llm", object{"value": plantedKey})
	call("PUT", "/admin/models", onModel(srv.URL, plantedKey))
	call("PUT", "/admin/models", onModel("ftp://nowhere", plantedKey))
	call("PUT", "/admin/models", onModel(srv.URL, "secret:llm"))
	call("POST", "/admin/models/test", object{"provider": "main", "model": "m1"})
	call("PUT", "/admin/models", onModel("http://127.0.0.1:1", plantedKey))
	call("POST", "/admin/models/test", object{"provider": "main", "model": "m1"})
	s := w.all.session()
	w.all.say(s, "hello") // fails: the address is nowhere
	call("PUT", "/admin/models", onModel(srv.URL, "secret:llm"))
	w.all.say(s, "hello again")
	call("PUT", "/admin/models", onModel(srv.URL, plantedSecret)) // not the endpoint's key
	w.all.say(s, "and again")
	for _, path := range []string{"/sessions/" + s, "/admin/models", "/admin/secrets", "/admin/errors", "/admin/tools", "/admin/usage?group_by=provider,error_class", "/tools"} {
		call("GET", path, nil)
	}
	seen["the stream"] = fmt.Sprint(w.all.events(s, "until=done"))
	for _, path := range []string{"/chat/" + s, "/admin/models", "/admin/models/providers/main", "/admin/secrets", "/admin/errors", "/admin/usage"} {
		seen["the page "+path] = string(w.page(w.ada, path).body)
	}
	seen["the log"] = log.String()
	err := filepath.WalkDir(filepath.Dir(w.app.Store.Path()), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		seen["the file "+d.Name()] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(srv.Requests()) == 0 || !strings.Contains(seen["the log"], "{") || seen["the file secret.key"] == "" {
		t.Fatalf("nothing was used: %d requests, log %q", len(srv.Requests()), seen["the log"])
	}
	for where, text := range seen {
		for _, planted := range []string{plantedKey, plantedSecret} {
			if strings.Contains(text, planted) {
				t.Errorf("%s tells a secret", where)
			}
		}
	}
}
