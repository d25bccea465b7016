package e2e

import (
	_ "embed"
	"fmt"
	"strings"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"
)

// axeSource is axe-core 4.14.1; its licence lies beside it.
//
//go:embed testdata/axe/axe.min.js
var axeSource string

// accessible looks at the page as it is now, light and dark, wide and narrow.
func (w *window) accessible(name string) {
	w.t.Helper()
	_, err := w.page.Timeout(patience).Evaluate(&rod.EvalOptions{ByValue: true, JS: "() => {" + axeSource + "\nreturn true}"})
	w.must(err, "loading axe on", name)
	for _, width := range []int{wide, narrow} {
		w.size(width)
		if width == narrow {
			w.staysInTheScreen(name)
		}
		for _, theme := range []string{"light", "dark"} {
			w.theme(theme)
			for _, v := range w.violations(name, theme) {
				w.t.Errorf("%s, %s, %d px: %s", name, theme, width, v)
			}
		}
	}
	w.size(wide)
}

func (w *window) theme(theme string) {
	w.t.Helper()
	w.must(proto.EmulationSetEmulatedMedia{Features: []*proto.EmulationMediaFeature{
		{Name: "prefers-color-scheme", Value: theme}, {Name: "prefers-reduced-motion", Value: "reduce"}}}.Call(w.page), "setting the theme")
	// A page that is not painted just then would keep its transitions for ever.
	w.until(`(document.getAnimations().forEach((a) => a instanceof CSSTransition && a.finish()), document.getAnimations().every((a) => !(a instanceof CSSTransition)))`)
}

// violations are axe's findings, each with the elements it is about. Themes
// differ in colours alone, so the second one is asked about colours alone.
func (w *window) violations(name, theme string) []string {
	w.t.Helper()
	r, err := w.page.Timeout(patience).Evaluate(&rod.EvalOptions{ByValue: true, AwaitPromise: true, JSArgs: []any{theme == "dark"}, JS: `async (colours) => {
		const only = colours ? { runOnly: ["color-contrast", "link-in-text-block"] } : {};
		const { violations } = await axe.run(document, { resultTypes: ["violations"], ...only });
		return violations.map((v) => v.id + ": " + v.nodes.slice(0, 4).map((n) => n.target.join(" ") + " (" + n.failureSummary.replace(/\s+/g, " ") + ")").join("; "));
	}`})
	w.must(err, "axe on", name)
	var out []string
	w.must(r.Value.Unmarshal(&out), "axe on", name)
	return out
}

// staysInTheScreen finds what makes a page scroll sideways. Tables and code that
// scroll in a box of their own are fine.
func (w *window) staysInTheScreen(name string) {
	w.t.Helper()
	r, err := w.page.Timeout(patience).Eval(`() => [document.scrollingElement, ...document.querySelectorAll("body, main, .page, .scroll, .dock, .top")]
		.filter((e) => e.scrollWidth > e.clientWidth && e.clientWidth > 0)
		.map((e) => e.tagName.toLowerCase() + (e.className ? "." + e.className : "") + " is " + e.scrollWidth + " wide in " + e.clientWidth)`)
	w.must(err, "measuring", name)
	for _, e := range r.Value.Arr() {
		w.t.Errorf("%s scrolls sideways at %d px: %s", name, narrow, e.Str())
	}
}

func TestPagesAreAccessible(t *testing.T) {
	v := begin(t)
	w := v.window()
	w.open("/")
	w.see("#setup")
	w.accessible("set-up")
	w.setUp()
	w.accessible("new chat")
	w.say(office)
	w.waitingPlan()
	w.quiet()
	chat := w.path()
	w.accessible("a chat with a plan that waits")
	w.say("looks good, run it")
	w.ran()
	w.quiet()
	w.accessible("a chat with a plan that ran")
	w.opened(`document.querySelectorAll("main details").forEach((d) => d.open = true)`)
	w.accessible("a chat with everything opened")
	w.opened(`document.getElementById("chat-menu").showPopover()`)
	w.accessible("a chat with its menu")
	w.open(chat + "/delete")
	w.accessible("deleting a conversation")

	w.open("/projects")
	w.press(w.see("main table tbody th a"))
	project := w.path()
	pages := []string{"/conversations", "/conversations?q=office", "/projects", "/projects/new", "/plans", "/plans?status=completed", "/search", "/search?q=office",
		"/settings", "/settings/security", "/settings/tokens", "/admin/usage", "/admin/errors", "/admin/plans", "/admin/people", "/admin/models", "/no-such-page"}
	for _, tab := range []string{"", "/milestones", "/tasks", "/documents", "/health", "/history", "/members", "/tasks/new"} {
		pages = append(pages, project+tab)
	}
	pages = append(pages, "/admin"+w.firstLink("/plans", "/plans/"), w.firstLink(project+"/tasks", "/tasks/"), w.firstLink(project+"/documents", "/documents/"))
	for _, p := range pages {
		w.open(p)
		w.accessible(strings.Replace(p, project, "a project", 1))
	}
	w.press(w.see("form[action='/logout'] button"))
	w.open("/login")
	w.see("#login")
	w.accessible("sign-in")
}

// opened runs what a reader's clicks would do to things that open.
func (w *window) opened(js string) {
	w.t.Helper()
	_, err := w.page.Timeout(patience).Eval("() => {" + js + "}")
	w.must(err)
}

// firstLink is the first address on a page that begins so.
func (w *window) firstLink(page, prefix string) string {
	w.t.Helper()
	w.open(page)
	href, err := w.see(fmt.Sprintf("main a[href^='%s']", prefix)).Attribute("href")
	w.must(err)
	if href == nil {
		w.t.Fatalf("%s has no link to %s", page, prefix)
	}
	return *href
}
