package page_test

import (
	"net/http"
	"strings"
	"testing"

	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/llm/llmtest"
	"assent/internal/store"
)

const plantedKey = "sk-planted-4711"

// endpoint is an OpenAI-compatible server that knows one key.
func endpoint(t *testing.T) *llmtest.Server {
	t.Helper()
	return llmtest.NewOpenAI(t, llmtest.Func(func(llmtest.Request) llmtest.Response {
		return llmtest.Text("ready").Usage(llm.Tokens{In: 1200, Out: 300})
	})).RequireKey(plantedKey)
}

// admin is a browser of an admin.
func admin(t *testing.T) (*site, *browser) {
	t.Helper()
	s := newSite(t, false)
	return s, s.as(s.add("Ada", assent.RoleAdmin))
}

// addProvider adds an endpoint by the pages.
func (b *browser) addProvider(name, url, key string) node {
	b.t.Helper()
	return b.submit(b.get("/admin/models/providers").one("form#provider"), "name", name, "base_url", url, "api_key", key)
}

// listed are the models of a profile, in order.
func (n node) listed(profile string) string {
	n.t.Helper()
	var out []string
	for _, li := range n.all("form#list-" + profile + " .name") {
		out = append(out, li.text())
	}
	return strings.Join(out, " ")
}

func TestAProviderIsAddedChangedAndRemoved(t *testing.T) {
	t.Parallel()
	s, b := admin(t)
	srv := endpoint(t)
	b.get("/admin/models").says("No model is configured", "None but the embedded planner")
	page := b.addProvider("Main one", "nowhere", plantedKey)
	b.want(http.StatusUnprocessableEntity)
	page.one("#provider-name-error").says("is no name")
	page.one("#provider-base_url-error").says("must be an http or https address")
	page.says("Nothing was changed", "Type the key again")
	if page.one("#provider-name").attr("value") != "Main one" || page.one("#provider-base_url").attr("value") != "nowhere" || page.one("#provider-api_key").attr("value") != "" {
		t.Error("what was typed is not kept, or the key is sent back")
	}
	page = b.addProvider("main", srv.URL, plantedKey)
	b.want(http.StatusOK)
	page.says("The provider main is saved", srv.URL, "Key set")
	b.addProvider("main", srv.URL, plantedKey).one("#provider-name-error").says("There is a provider of that name already")
	page = b.submit(b.get("/admin/models/providers/main").one("form#provider"), "base_url", srv.URL+"/other")
	page.says(srv.URL+"/other", "Key set")
	page = b.submit(b.get("/admin/models/providers/main").one("form#provider"), "remove_key", "yes")
	page.says("No key")
	b.addModel("balanced", "main", "m1")
	page = b.submit(b.get("/admin/models/providers/main").one("form#remove"))
	b.want(http.StatusConflict)
	page.one("[role=alert]").says("The provider main is used by a profile below")
	b.submit(page.one("form#list-balanced"), "do", "remove 1")
	b.submit(b.get("/admin/models/providers/main").one("form#remove")).says("The provider main and its key are removed")
	b.get("/admin/models/providers/main")
	b.want(http.StatusNotFound)
	if n := len(s.audited("models_changed")); n != 6 {
		t.Errorf("%d changes are audited", n)
	}
}

func (b *browser) addModel(profile, provider, model string) node {
	b.t.Helper()
	return b.submit(b.get("/admin/models").one("form#add-"+profile), "provider", provider, "model", model)
}

func TestAProfileIsAnOrderedList(t *testing.T) {
	t.Parallel()
	_, b := admin(t)
	b.addProvider("main", endpoint(t).URL, plantedKey)
	b.addModel("balanced", "main", "m1")
	page := b.addModel("balanced", "main", "m2")
	if got := page.listed("balanced"); got != "offline/rules main/m1 main/m2" {
		t.Fatalf("added: %s", got)
	}
	if got := page.listed("speed"); got != "offline/rules" {
		t.Errorf("another profile is %s", got)
	}
	for _, step := range []struct{ do, want string }{
		{"up 2", "offline/rules main/m2 main/m1"}, {"up 1", "main/m2 offline/rules main/m1"}, {"down 0", "offline/rules main/m2 main/m1"},
		{"remove 0", "main/m2 main/m1"}, {"up 0", "main/m2 main/m1"}, {"down 1", "main/m2 main/m1"},
	} {
		page = b.submit(page.one("form#list-balanced"), "do", step.do)
		if got := page.listed("balanced"); b.status != http.StatusOK || got != step.want {
			t.Errorf("%s gives %d, %s, want %s", step.do, b.status, got, step.want)
		}
	}
	// A page that is older than the list changes nothing.
	old := page
	b.submit(page.one("form#list-balanced"), "do", "down 0")
	page = b.submit(old.one("form#list-balanced"), "do", "remove 0")
	b.want(http.StatusConflict)
	page.one("[role=alert]").says("Somebody else changed this list meanwhile")
	if got := page.listed("balanced"); got != "main/m1 main/m2" {
		t.Errorf("it changed to %s", got)
	}
	page = b.addModel("quality", "main", " ")
	b.want(http.StatusUnprocessableEntity)
	page.one("#add-quality-model-error").says("is missing")
	page = b.submit(b.get("/admin/models").one("form#list-quality"), "do", "remove 0")
	page.says("Not set: the models of balanced are used")
	for _, bad := range []string{"", "up", "up x", "remove 99", "remove -1"} {
		b.submit(page.one("form#list-balanced"), "do", bad)
		if b.status != http.StatusBadRequest && b.status != http.StatusConflict {
			t.Errorf("%q answers %d", bad, b.status)
		}
	}
	b.post("/admin/models/profiles/turbo", "do", "add")
	b.want(http.StatusNotFound)
}

func TestAModelIsTested(t *testing.T) {
	t.Parallel()
	s, b := admin(t)
	b.addProvider("main", endpoint(t).URL, plantedKey)
	b.addModel("balanced", "main", "m1")
	page := b.post("/admin/models/test", "target", "main/m1")
	b.want(http.StatusOK)
	page.one("#tested").says("main/m1 answers", "First token after", "1,200 tokens in, 300 out", "no price is known")
	page.says("Without a price", "m1")
	b.submit(b.get("/admin/models/prices?model=m1").one("form#price"), "in", "1", "out", "$2")
	b.post("/admin/models/test", "target", "main/m1").one("#tested").says("; $0.0018.")
	b.submit(b.get("/admin/models/providers/main").one("form#provider"), "api_key", "another-key")
	page = b.post("/admin/models/test", "target", "main/m1")
	page.one("#tested").says("main/m1 does not answer", "does not accept our key")
	page.one("#tested").silent("Your words are kept", "another-key")
	b.post("/admin/models/test", "target", "offline/rules").one("#tested").says("offline/rules answers")
	b.post("/admin/models/test", "target", "nowhere/m").one("#tested").says("does not answer", "the provider is not set up")
	b.post("/admin/models/test", "target", "nothing")
	b.want(http.StatusBadRequest)
	s.write(func(*store.Tx) error { return nil }) // the ledger is done
	b.get("/admin/usage").one("section[aria-labelledby=by-operation]").says("provider_check")
}

func TestAPriceIsTypedInDollars(t *testing.T) {
	t.Parallel()
	_, b := admin(t)
	page := b.submit(b.get("/admin/models/prices").one("form#price"), "model", "m1", "in", "0.15", "out", "2.5")
	page.one("section[aria-labelledby=prices] tbody").says("m1", "$0.15", "$2.50")
	form := b.get("/admin/models/prices?model=m1").one("form#price")
	for field, want := range map[string]string{"in": "0.15", "cached": "0.15", "out": "2.50"} {
		if got := form.one("#price-" + field).attr("value"); got != want {
			t.Errorf("%s is %s, want %s", field, got, want)
		}
	}
	page = b.submit(form, "model", "", "in", "cheap", "cached", "1.2345678", "out", "10000.01")
	b.want(http.StatusUnprocessableEntity)
	for _, field := range []string{"in", "cached", "out"} {
		page.one("#price-" + field + "-error").says("must be an amount of US dollars")
	}
	page.one("#price-model-error").says("missing")
	if page.one("#price-in").attr("value") != "cheap" {
		t.Error("what was typed is not kept")
	}
	page = b.submit(b.get("/admin/models/prices?model=m1").one("form#price"), "in", "0.000001", "cached", "0", "out", "10000")
	page.one("section[aria-labelledby=prices] tbody").says("$10,000.00")
	page = b.submit(b.get("/admin/models/prices?model=m1").one("form#remove"))
	page.says("The price of m1 is removed", "No price is known")
	b.post("/admin/models/prices/remove", "model", "m1")
	b.want(http.StatusNotFound)
}

// TestAModelWhoseProviderIsGoneIsMarked: the key that an environment had is away.
func TestAModelWhoseProviderIsGoneIsMarked(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	s.write(func(tx *store.Tx) error {
		return tx.SaveSetting("models", `{"profiles": {"balanced": [{"provider": "gemini", "model": "m1"}, {"provider": "offline", "model": "rules"}]}}`)
	})
	if err := s.pages.Models.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	b := s.as(s.add("Ada", assent.RoleAdmin))
	page := b.get("/admin/models")
	lines := page.all("form#list-balanced li")
	lines[0].says("gemini/m1", "Provider not set up")
	lines[1].silent("Provider not set up")
	page = b.submit(page.one("form#list-balanced"), "do", "remove 0")
	if got := page.listed("balanced"); got != "offline/rules" {
		t.Errorf("without it: %s", got)
	}
}

// TestModelsToolsAndSecretsAreForAdmins: nobody else sees or changes any of it.
func TestModelsToolsAndSecretsAreForAdmins(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	bo := s.as(s.add("Bo", assent.RoleMember))
	for _, r := range s.pages.Routes() {
		if !strings.HasPrefix(r.Path, "/admin/") {
			continue
		}
		if bo.do(r.Method, strings.NewReplacer(":name", "main", ":profile", "speed").Replace(r.Path), nil); bo.status != http.StatusForbidden {
			t.Errorf("%s %s answers a member with %d", r.Method, r.Path, bo.status)
		}
	}
}
