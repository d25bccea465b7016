package e2e

import (
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/launcher"
	"github.com/go-rod/rod/lib/proto"
	"github.com/go-rod/rod/lib/utils"
)

// patience is how long anything may take to show up.
const patience = 20 * time.Second

const (
	wide   = 1280
	narrow = 360
	high   = 900
)

var (
	chromiumPath = sync.OnceValue(findChromium)
	chromium     = sync.OnceValues(launchChromium)
	launched     *launcher.Launcher
)

func findChromium() string {
	for _, name := range []string{os.Getenv("ASSENT_CHROMIUM"), "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

func launchChromium() (*rod.Browser, error) {
	l := launcher.New().Bin(chromiumPath()).NoSandbox(true).Headless(true).Leakless(false).Set("force-prefers-reduced-motion")
	at, err := l.Launch()
	if err != nil {
		return nil, err
	}
	launched = l
	b := rod.New().ControlURL(at).NoDefaultDevice()
	return b, b.Connect()
}

func closeBrowser() {
	if launched != nil {
		launched.Kill()
		launched.Cleanup()
	}
}

// visitor is a browser profile of its own: its cookies are nobody else's.
type visitor struct {
	t       *testing.T
	s       *server
	browser *rod.Browser
}

func newVisitor(t *testing.T, s *server) *visitor {
	t.Helper()
	b, err := chromium()
	if err == nil {
		b, err = b.Incognito()
	}
	if err != nil {
		t.Fatalf("the browser does not start: %v", err)
	}
	t.Cleanup(func() { _ = b.Close() }) // the profile is thrown away with the browser too
	return &visitor{t: t, s: s, browser: b}
}

// needBrowser skips the test where there is no browser, but not in CI.
func needBrowser(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("drives a real browser; run without -short")
	}
	if chromiumPath() != "" {
		return
	}
	const why = "no Chromium found: install chromium, or name one with ASSENT_CHROMIUM"
	if os.Getenv("CI") == "true" {
		t.Fatal(why)
	}
	t.Skip(why)
}

// begin starts an installation and a visitor of it.
func begin(t *testing.T) *visitor {
	t.Helper()
	needBrowser(t)
	t.Parallel()
	return newVisitor(t, startServer(t))
}

// window is one window of a visitor's browser.
type window struct {
	t     *testing.T
	s     *server
	page  *rod.Page
	plain bool // without JavaScript
}

func (v *visitor) window() *window {
	v.t.Helper()
	p, err := v.browser.Page(proto.TargetCreateTarget{URL: "about:blank", NewWindow: true})
	if err != nil {
		v.t.Fatal(err)
	}
	p = p.Sleeper(func() utils.Sleeper { return utils.BackoffSleeper(20*time.Millisecond, 200*time.Millisecond, nil) })
	w := &window{t: v.t, s: v.s, page: p}
	w.size(wide)
	return w
}

func (w *window) size(width int) {
	w.t.Helper()
	w.must(w.page.SetViewport(&proto.EmulationSetDeviceMetricsOverride{Width: width, Height: high, DeviceScaleFactor: 1}))
}

func (w *window) must(err error, doing ...string) {
	w.t.Helper()
	if err != nil {
		w.t.Fatalf("%s: %v\n%s", strings.Join(doing, " "), err, w.looks())
	}
}

// looks is what the page shows, for the report of a failure.
func (w *window) looks() string {
	r, err := w.page.Timeout(2 * time.Second).Eval(`() => location.pathname + "\n" + (document.querySelector("main") ?? document.body).innerText.replace(/\n+/g, "\n").slice(0, 3000)`)
	if err != nil {
		return "(the page does not answer: " + err.Error() + ")"
	}
	return r.Value.Str()
}

// open goes to a path of the product.
func (w *window) open(path string) {
	w.t.Helper()
	arrived := w.arrival()
	w.must(w.page.Timeout(patience).Navigate(w.s.url+path), "opening", path)
	arrived()
}

func (w *window) reload() {
	w.t.Helper()
	arrived := w.arrival()
	w.must(proto.PageReload{}.Call(w.page), "reloading")
	arrived()
}

// arrival is called before what leads to another page; the function that it
// gives waits until that is loaded. It needs no scripts in the page.
func (w *window) arrival() func() {
	return w.page.Timeout(patience).WaitNavigation(proto.PageLifecycleEventNameLoad)
}

// see waits for an element.
func (w *window) see(selector string) *rod.Element {
	w.t.Helper()
	e, err := w.page.Timeout(patience).Element(selector)
	w.must(err, "waiting for", selector)
	return e.CancelTimeout().Timeout(patience)
}

// read waits for an element whose text matches a regular expression.
func (w *window) read(selector, pattern string) *rod.Element {
	w.t.Helper()
	e, err := w.page.Timeout(patience).ElementR(selector, pattern)
	w.must(err, "waiting for", selector, "with", pattern)
	return e.CancelTimeout().Timeout(patience)
}

// until waits until a JavaScript expression is true.
func (w *window) until(expression string) {
	w.t.Helper()
	w.must(w.page.Timeout(patience).Wait(rod.Eval(`() => !!(`+expression+`)`)), "waiting until", expression)
}

// count is how many elements there are now.
func (w *window) count(selector string) int {
	w.t.Helper()
	es, err := w.page.Timeout(patience).Elements(selector)
	w.must(err, "counting", selector)
	return len(es)
}

// texts are the words of every such element.
func (w *window) texts(selector string) []string {
	w.t.Helper()
	es, err := w.page.Timeout(patience).Elements(selector)
	w.must(err, "reading", selector)
	out := make([]string, len(es))
	for i, e := range es {
		s, err := e.Text()
		w.must(err, "reading", selector)
		out[i] = strings.Join(strings.Fields(s), " ")
	}
	return out
}

func (w *window) fill(selector, words string) {
	w.t.Helper()
	w.focus(w.see(selector))
	w.must(w.page.KeyActions().Press(input.ControlLeft).Type(input.KeyA).Do(), "filling", selector)
	w.write(words)
}

// focus needs no scripts in the page, unlike a click.
func (w *window) focus(e *rod.Element) {
	w.t.Helper()
	w.must(proto.DOMFocus{ObjectID: e.Object.ObjectID}.Call(e), "focusing")
}

// press clicks an element that leads to another page and waits for that.
func (w *window) press(e *rod.Element) {
	w.t.Helper()
	arrived := w.arrival()
	if w.plain {
		w.focus(e)
		w.keys(input.Enter)
	} else {
		w.must(e.Click(proto.InputMouseButtonLeft, 1), "clicking")
	}
	arrived()
}

func (w *window) keys(keys ...input.Key) {
	w.t.Helper()
	w.must(w.page.Keyboard.Type(keys...), "typing")
}

func (w *window) write(words string) {
	w.t.Helper()
	w.must(w.page.InsertText(words), "writing")
}

const (
	email    = "ada@example.org"
	password = "an office in Leith 1856"
)

// setUp makes the first account, who is then signed in.
func (w *window) setUp() {
	w.t.Helper()
	w.open("/")
	w.fill("#setup-name", "Ada Ross")
	w.fill("#setup-email", email)
	w.fill("#setup-password", password)
	w.press(w.see("#setup button[type=submit]"))
	w.see("#words")
}

// office is a request that becomes a plan.
const office = "We are moving our office to Leith by the end of March. Set it up as a project with milestones and tasks, but show me the plan first"

// say sends a message from the composer.
func (w *window) say(words string) {
	w.t.Helper()
	w.fill("#words", words)
	opens := strings.HasSuffix(w.address(), "/chat")
	w.must(w.see("#send").Click(proto.InputMouseButtonLeft, 1), "sending")
	if opens { // the first words of a conversation lead to its page
		w.leaves("/chat")
	}
}

// address is where the window is, as the browser and not the page says it.
func (w *window) address() string {
	w.t.Helper()
	info, err := w.page.Timeout(patience).Info()
	w.must(err, "asking for the address")
	return info.URL
}

// leaves waits until the page at a path is gone and the next one is there.
func (w *window) leaves(path string) {
	w.t.Helper()
	for end := time.Now().Add(patience); strings.HasSuffix(w.address(), path); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			w.t.Fatalf("the window stays at %s:\n%s", path, w.looks())
		}
	}
	w.must(w.page.Timeout(patience).WaitLoad(), "loading")
}

// waitingPlan waits for a plan that waits for an answer.
func (w *window) waitingPlan() *rod.Element {
	w.t.Helper()
	return w.see("article.plan .answer.wait")
}
