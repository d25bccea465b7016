package e2e

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/proto"
)

// What the office request comes to. The built-in planner knows the template, so
// these do not change from run to run.
const (
	officeProject    = "Office move to Leith"
	officeSteps      = 3
	officeMilestones = 6
	officeTasks      = 23
)

func TestARequestBecomesAPlanThatRunsWhenItIsAnswered(t *testing.T) {
	w := begin(t).window()
	w.setUp()
	w.say(office)
	w.waitingPlan()
	w.read("#status", "Waiting on you")
	if n := w.count("article.plan .steps > li"); n != officeSteps {
		t.Errorf("the plan shows %d steps, not %d", n, officeSteps)
	}
	if n := w.count("article.plan .num.done"); n != 0 {
		t.Errorf("%d steps ran before anybody approved them", n)
	}
	w.say("looks good, run it")
	w.ran()
	w.officeIsThereOnce()
}

// ran waits until every step of the plan is done.
func (w *window) ran() {
	w.t.Helper()
	w.see("article.plan details.receipt")
	if n := w.count("article.plan .steps > li > .num.done"); n != officeSteps {
		w.t.Errorf("%d of %d steps are done", n, officeSteps)
	}
}

// officeIsThereOnce looks at everything that the plan was to create.
func (w *window) officeIsThereOnce() {
	w.t.Helper()
	w.open("/projects")
	w.see("main table")
	if names := w.texts("main table tbody th a"); !slices.Equal(names, []string{officeProject}) {
		w.t.Fatalf("the projects are %q", names)
	}
	w.press(w.see("main table tbody th a"))
	w.read("h1", officeProject)
	project := w.path()
	w.open(project + "/milestones")
	if n := w.count("main ol.rows > li"); n != officeMilestones {
		w.t.Errorf("there are %d milestones, not %d", n, officeMilestones)
	}
	w.open(project + "/tasks")
	if n := w.count("main a[href^='/tasks/']"); n != officeTasks {
		w.t.Errorf("there are %d tasks, not %d", n, officeTasks)
	}
	w.open(project + "/documents")
	if n := w.count("main a[href^='/documents/']"); n == 0 {
		w.t.Errorf("the context document is missing:\n%s", w.looks())
	}
	w.press(w.read("main a[href^='/documents/']", "Context"))
	w.read("main", officeProject)
}

func (w *window) path() string {
	w.t.Helper()
	r, err := w.page.Eval(`() => location.pathname`)
	w.must(err)
	return r.Value.Str()
}

// transcript is what a conversation shows, in words.
func (w *window) transcript() string {
	w.t.Helper()
	return strings.Join(w.texts("#transcript"), "\n")
}

// shows waits until the transcript of this window is that of another one.
func (w *window) shows(want string) {
	w.t.Helper()
	w.must(w.page.Timeout(patience).Wait(evalTranscript(want)), "waiting for the same transcript")
}

func TestReloadsAndOtherWindowsShowTheSame(t *testing.T) {
	v := begin(t)
	one := v.window()
	one.setUp()
	one.say(office)
	one.waitingPlan()
	one.read("#status", "Waiting on you")
	said := one.transcript()
	one.reload()
	one.shows(said)

	two := v.window()
	two.open(one.path())
	two.shows(said)
	one.say("looks good, run it")
	two.ran() // live: nothing was reloaded
	one.ran()
	one.quiet()
	two.quiet()
	said = one.transcript()
	two.shows(said)
	two.reload()
	two.shows(said)
}

// quiet waits until no answer is under way.
func (w *window) quiet() {
	w.t.Helper()
	w.until(`!document.getElementById("stop") && document.getElementById("working").textContent.trim() === ""`)
}

func TestAPlanOutlivesTheServer(t *testing.T) {
	v := begin(t)
	w := v.window()
	w.setUp()
	w.say(office)
	w.waitingPlan()
	w.quiet()
	v.s.kill()
	v.s.start()
	w.reload()
	w.waitingPlan()
	w.say("looks good, run it")
	w.ran()
	w.officeIsThereOnce()
}

// The server dies while steps run: what had begun is finished, and nothing is
// done twice.
func TestARunOutlivesTheServer(t *testing.T) {
	v := begin(t)
	w := v.window()
	w.setUp()
	w.say(office)
	w.waitingPlan()
	w.quiet()
	w.say("looks good, run it")
	w.see("article.plan progress")
	v.s.kill()
	v.s.start()
	w.reload()
	w.ran()
	w.officeIsThereOnce()
}

// An open page comes back by itself when the server does.
func TestAnOpenPageReconnects(t *testing.T) {
	v := begin(t)
	w, other := v.window(), v.window()
	w.setUp()
	w.say(office)
	w.waitingPlan()
	w.quiet()
	v.s.kill()
	v.s.start()
	other.open(w.path())
	other.say("looks good, run it")
	other.ran()
	w.ran()
}

func TestAdminsSeeCallsAndErrors(t *testing.T) {
	w := begin(t).window()
	w.setUp()
	w.say(office)
	w.waitingPlan()
	w.quiet()
	calls := regexp.MustCompile(`([1-9][0-9]*) AI calls`).FindStringSubmatch(w.transcript())
	if calls == nil {
		t.Fatalf("the conversation does not say how many calls it took:\n%s", w.looks())
	}
	w.open("/admin/usage")
	w.read("main .card", `Calls\s+`+calls[1]+`\b`)
	w.read("main table", "offline")
	w.open("/admin/errors")
	w.read("main", "No errors")
}

func TestPagesWorkWithoutJavaScript(t *testing.T) {
	w := begin(t).window()
	w.plain = true
	w.must(proto.EmulationSetScriptExecutionDisabled{Value: true}.Call(w.page))
	w.setUp()
	w.fill("#words", office)
	w.press(w.see("#send"))
	w.reloadUntil("article.plan .answer.wait")
	w.fill("#words", "looks good, run it")
	w.press(w.see("#send"))
	w.reloadUntil("article.plan details.receipt")
	w.officeIsThereOnce()
}
