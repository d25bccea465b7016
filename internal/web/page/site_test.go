package page_test

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	_ "time/tzdata" // zones do not depend on the machine

	"assent/internal/account"
	"assent/internal/app"
	"assent/internal/assent"
	"assent/internal/budget"
	"assent/internal/llm"
	"assent/internal/models"
	"assent/internal/schema"
	"assent/internal/secret"
	"assent/internal/store"
	"assent/internal/tool"
	"assent/internal/tool/workspace"
	"assent/internal/web"
	"assent/internal/web/page"

	"github.com/alexedwards/argon2id"
	"github.com/google/uuid"
)

// password is everybody's in these tests.
const password = "correct horse battery"

// site is a running installation without a planner: the real store, accounts,
// tools and HTTP server under the pages.
type site struct {
	t        *testing.T
	store    *store.Store
	accounts *account.Service
	url      string
	pages    *page.Pages
	now      *atomic.Int64 // the clock, Unix milliseconds
}

// newSite starts one on 21 November 2026 at noon.
func newSite(t *testing.T, openSignUp bool) *site {
	t.Helper()
	s := &site{t: t, now: &atomic.Int64{}}
	s.now.Store(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC).UnixMilli())
	ids := func() string { return uuid.Must(uuid.NewV7()).String() }
	var err error
	if s.store, err = store.Open(t.Context(), t.TempDir(), store.Options{Clock: s.clock, IDs: ids}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.store.Close() })
	s.accounts = account.New(s.store, openSignUp)
	registry, err := tool.NewRegistry(workspace.Tools(s.store.Reads)...)
	if err != nil {
		t.Fatal(err)
	}
	var errorPage func(c webContext, status int, p web.Problem) error
	server := web.New(web.Options{Auth: s.accounts, IDs: ids, Log: slog.New(slog.DiscardHandler),
		ErrorPage: func(c webContext, status int, p web.Problem) error { return errorPage(c, status, p) }})
	deps := page.Deps{Tools: tool.NewExecutor(registry, schema.NewCompiler(), s.store, s.clock), Store: s.store, Accounts: s.accounts,
		Session: server.SetSession, Clock: s.clock, IDs: ids}
	s.govern(&deps, registry)
	if deps.Budgets, err = budget.Load(t.Context(), s.store); err != nil {
		t.Fatal(err)
	}
	s.pages = page.New(deps)
	errorPage = s.pages.ErrorPage
	s.pages.RegisterPublic(server.Group("", server.Identify, server.CSRF()))
	s.pages.Register(server.Group("", server.Identify, signedIn, server.CSRF()))
	ts := httptest.NewServer(server)
	t.Cleanup(ts.Close)
	s.url = ts.URL
	return s
}

// govern gives the pages what admins set, over the embedded model alone.
func (s *site) govern(d *page.Deps, registry *tool.Registry) {
	s.t.Helper()
	sealer := secret.NewSealer(filepath.Dir(s.store.Path()))
	d.Secrets = secret.NewVault(s.store, sealer)
	gateway := llm.New(llm.GatewayConfig{Ledger: s.store.Ledger(), Clock: s.clock, IDs: s.store.NewID, Random: func() float64 { return 0 }})
	var err error
	if d.Governance, err = tool.NewAdmin(s.t.Context(), registry, s.store, tool.Limits{Default: 3}); err != nil {
		s.t.Fatal(err)
	}
	only := []llm.Target{models.Offline()}
	d.Models, err = models.New(s.t.Context(), models.Deps{Store: s.store, Sealer: sealer, Vault: d.Secrets, Client: app.Provider, Clock: s.clock, Log: slog.New(slog.DiscardHandler),
		Use: gateway.Use, Prober: gateway,
		Environment: llm.Settings{Profiles: map[llm.Profile][]llm.Target{llm.ProfileSpeed: only, llm.ProfileBalanced: only, llm.ProfileQuality: only}, Prices: map[string]llm.Price{models.Offline().String(): {}}}})
	if err != nil {
		s.t.Fatal(err)
	}
}

// cheapHash is the password's hash with the least work, so that tests need not
// wait for it.
var cheapHash = sync.OnceValues(func() (string, error) {
	return argon2id.CreateHash(password, &argon2id.Params{Memory: 64, Iterations: 1, Parallelism: 1, SaltLength: 16, KeyLength: 32})
})

// add makes an account.
func (s *site) add(name string, role assent.Role) assent.Person {
	s.t.Helper()
	hash, err := cheapHash()
	if err != nil {
		s.t.Fatal(err)
	}
	p := assent.Person{ID: s.store.NewID(), Email: strings.ToLower(name) + "@example.org", Name: name, Role: role, TimeZone: "Europe/London", Locale: "en-GB",
		Theme: "auto", DefaultMode: assent.ModeAutoExecute}
	s.write(func(tx *store.Tx) error { return tx.CreatePerson(p, hash) })
	return p
}

// browser is one person's browser.
type browser struct {
	t    *testing.T
	site *site
	http *http.Client
	// what the last request gave
	status int
	at     string // path and query of the page that is shown
	header http.Header
	body   string
}

func (s *site) browser() *browser {
	jar, err := cookiejar.New(nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return &browser{t: s.t, site: s, http: &http.Client{Jar: jar}}
}

// as gives a browser in which somebody is signed in.
func (s *site) as(p assent.Person) *browser {
	s.t.Helper()
	secret, err := s.accounts.Open(s.t.Context(), p)
	if err != nil {
		s.t.Fatal(err)
	}
	b := s.browser()
	u, _ := url.Parse(s.url)
	b.http.Jar.SetCookies(u, []*http.Cookie{{Name: web.SessionCookie, Value: secret, Path: "/"}})
	return b
}

// get opens a page.
func (b *browser) get(path string) node {
	b.t.Helper()
	return b.do(http.MethodGet, path, nil)
}

// post sends a form by hand, as a page of ours would.
func (b *browser) post(path string, pairs ...string) node {
	b.t.Helper()
	values := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		values.Add(pairs[i], pairs[i+1])
	}
	return b.do(http.MethodPost, path, values)
}

func (b *browser) do(method, path string, form url.Values) node {
	b.t.Helper()
	req, err := http.NewRequestWithContext(b.t.Context(), method, b.site.url+path, strings.NewReader(form.Encode()))
	if err != nil {
		b.t.Fatal(err)
	}
	if method == http.MethodPost {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	res, err := b.http.Do(req)
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	b.status, b.header, b.body, b.at = res.StatusCode, res.Header, string(raw), res.Request.URL.RequestURI()
	return parse(b.t, b.body)
}

// submit fills a form of a page and sends it, with everything that the form
// carries along. Values are given as name, value pairs.
func (b *browser) submit(form node, pairs ...string) node {
	b.t.Helper()
	values := url.Values{}
	for _, f := range append(append(form.all("input"), form.all("select")...), form.all("textarea")...) {
		name := f.attr("name")
		switch {
		case f.Data == "select":
			for i, o := range f.all("option") {
				if _, chosen := lookup(o.Node, "selected"); chosen || i == 0 {
					values.Set(name, o.attr("value"))
				}
			}
		case f.Data == "textarea":
			values.Set(name, rawText(f))
		case f.attr("type") == "checkbox":
			if _, on := lookup(f.Node, "checked"); on {
				values.Add(name, f.attr("value"))
			}
		default:
			values.Set(name, f.attr("value"))
		}
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		values.Set(pairs[i], pairs[i+1])
	}
	action := form.attr("action")
	if form.attr("method") == "post" {
		return b.do(http.MethodPost, action, values)
	}
	return b.do(http.MethodGet, action+"?"+values.Encode(), nil)
}

func rawText(n node) string {
	var out strings.Builder
	for d := range n.Descendants() {
		out.WriteString(d.Data)
	}
	return out.String()
}

// want fails unless the last answer had a status.
func (b *browser) want(status int) {
	b.t.Helper()
	if b.status != status {
		b.t.Fatalf("%s answered %d, want %d:\n%s", b.at, b.status, status, parse(b.t, b.body).text())
	}
}

// project makes a project with a milestone, its tasks and a document, by tools,
// as Ada would in a conversation.
func (s *site) project(owner assent.Person, name string) world {
	s.t.Helper()
	w := world{site: s, owner: owner}
	made := w.call("create_project", fmt.Sprintf(`{"name": %q, "description": "From the old office to the new one.", "status": "active", "due_date": "2027-03-31",
		"goals": ["Nobody loses a working day"], "risks": ["The fit-out is late"],
		"milestones": [{"title": "Lease signed", "due_date": "2026-11-15", "tasks": ["View offices", "Sign the lease"]}]}`, name))
	w.id = made["id"].(string)
	w.task = made["tasks"].([]any)[0].(map[string]any)["id"].(string)
	w.other = made["tasks"].([]any)[1].(map[string]any)["id"].(string)
	w.milestone = made["milestones"].([]any)[0].(map[string]any)["id"].(string)
	w.goal = made["goals"].([]any)[0].(map[string]any)["id"].(string)
	w.risk = made["risks"].([]any)[0].(map[string]any)["id"].(string)
	w.document = w.call("create_document", fmt.Sprintf(`{"project_id": %q, "title": "Context", "body": "# Move\n\nBy the end of March."}`, w.id))["id"].(string)
	w.decision = w.call("create_decision", fmt.Sprintf(`{"project_id": %q, "title": "Leith", "rationale": "Cheaper."}`, w.id))["id"].(string)
	return w
}

func (s *site) clock() time.Time { return time.UnixMilli(s.now.Load()) }

// wait lets time pass.
func (s *site) wait(d time.Duration) { s.now.Add(d.Milliseconds()) }
