package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"assent/internal/llm/llmtest"

	"github.com/go-rod/rod/lib/proto"
)

// careful is a plan with parallel work and a question before its last step.
const careful = `{"objective":"Move the office","reasoning":"Ask before the van is booked.","steps":[
{"id":"make","type":"tool","label":"Create the project","tool":"create_project","arguments":{"name":"Office move to Leith"},"result_key":"project"},
{"id":"know","type":"parallel","label":"Gather what we know","steps":[
 {"id":"t","type":"tool","label":"Templates","tool":"list_templates","arguments":{"query":"office"}},
 {"id":"p","type":"tool","label":"Other projects","tool":"list_projects","arguments":{}}]},
{"id":"ask","type":"checkpoint","label":"Confirm the van","prompt":"Book the van for {{ result.project.artifact.name }}?"},
{"id":"van","type":"tool","label":"Add the task","tool":"create_task","arguments":{"project_id":"$0.output.artifact_id","title":"Book the van"}}]}`

// window opens an installation in the browser, signed in as its admin.
func (in *install) window() *window {
	in.t.Helper()
	w := newVisitor(in.t, &server{t: in.t, url: in.url}).window()
	w.open("/login")
	w.fill("#login input[name=email]", adminEmail)
	w.fill("#login input[name=password]", adminPassword)
	w.press(w.see("#login button[type=submit]"))
	w.see("#words")
	return w
}

// drafted makes a conversation with a plan that waits, and opens it.
func (in *install) drafted(w *window, plan string) (session, id string) {
	in.t.Helper()
	session = in.conversation("general")
	var made struct{ ID string }
	in.call("POST", "/plans", map[string]any{"session_id": session, "plan": json.RawMessage(plan)}, &made)
	w.open("/chat/" + session)
	w.waitingPlan()
	return session, made.ID
}

// begun needs a browser, as begin does, and gives an installation with one
// window that is signed in.
func begun(t *testing.T, env ...string) (*install, *window) {
	t.Helper()
	needBrowser(t)
	t.Parallel()
	if len(env) == 0 {
		env = []string{"ASSENT_LLM_PROVIDER=offline"}
	}
	in := setUpInstall(t, env)
	return in, in.window()
}

// act presses what the card offers by hand, without leaving the page.
func (w *window) act(action string) {
	w.t.Helper()
	w.must(w.see(fmt.Sprintf("article.plan button[formaction$='/%s']", action)).Click(proto.InputMouseButtonLeft, 1), "pressing", action)
}

// marks waits until the steps of the card stand as they are given.
func (w *window) marks(want string) {
	w.t.Helper()
	w.until(fmt.Sprintf(`[...document.querySelectorAll("article.plan .steps .num")].map((n) => n.textContent.replace(/\s+/g, " ").trim()).join("|") === %q`, want))
}

const (
	asked   = "Step 1, done|Step 2, done|Step 2.1, done|Step 2.2, done|Step that waits for you: 3|Step 4"
	allDone = "Step 1, done|Step 2, done|Step 2.1, done|Step 2.2, done|Step 3, done|Step 4, done"
)

// TestARunAsksAndIsControlledByHand takes a run through a question, its answer,
// a step back, on again, and back altogether: on the card, live, and on the
// plan's own page.
func TestARunAsksAndIsControlledByHand(t *testing.T) {
	in, w := begun(t)
	session, plan := in.drafted(w, careful)
	w.say("looks good, run it")
	w.read("article.plan .answer.wait", "Book the van for Office move to Leith")
	w.marks(asked)
	w.until(`document.querySelector("#pinned").textContent.includes("Book the van for Office move to Leith")`)
	w.until(`document.title.startsWith("(1) ")`)
	w.read("#lists", "/waiting on you/i")
	w.quiet()
	w.accessible("a chat with a run that asks")
	said := w.transcript()
	w.reload()
	w.shows(said)

	w.open("/plans/" + plan)
	w.read(".answer.wait", "Book the van")
	w.accessible("a plan whose run asks")
	w.press(w.read(".answer button", "Yes, go on"))
	w.until(`location.pathname === "/plans/` + plan + `"`)
	w.reloadUntil(".answer.ok")
	w.open("/chat/" + session)
	w.marks(allDone)
	w.quiet()
	w.accessible("a chat with a run that is done")

	w.act("rollback")
	w.marks("Step 1, done|Step 2, done|Step 2.1, done|Step 2.2, done|Step 3, done|Step 4")
	w.read("article.plan > details > summary .chip", "paused")
	w.accessible("a chat with a run that rests")
	w.act("execute")
	w.marks(allDone)
	w.act("undo")
	w.read("article.plan > details > summary .chip", "taken back")
	w.until(`document.querySelectorAll("article.plan .steps .num.off").length === 6`)
	said = w.transcript()
	w.reload()
	w.shows(said)
	in.nothingYet()
}

func TestARunThatAsksCanBeCancelledOnTheCard(t *testing.T) {
	in, w := begun(t)
	_, plan := in.drafted(w, careful)
	w.say("looks good, run it")
	w.marks(asked)
	w.act("cancel")
	w.marks("Step 1, done|Step 2, done|Step 2.1, done|Step 2.2, done|Step 3, cancelled|Step 4, skipped")
	w.until(`document.querySelector("#pinned").textContent.trim() === ""`)
	w.until(`!document.title.startsWith("(")`)

	// What the page still shows elsewhere is refused with what is possible.
	w.open("/plans/" + plan)
	form := w.see("form[action$='/undo']")
	run := strings.Split(*must(form.Attribute("action")), "/")[2]
	in.call("POST", "/runs/"+run+"/actions", map[string]any{"action": "undo"}, nil)
	w.press(w.see("form[action$='/undo'] button"))
	w.read(".notice.bad", "does not allow that right now")
	w.read(".answer", "taken back")
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestAReceiptIsShownAndDownloaded looks at the record of a run.
func TestAReceiptIsShownAndDownloaded(t *testing.T) {
	in, w := begun(t)
	_, plan := in.drafted(w, strings.Replace(careful, `{"id":"ask","type":"checkpoint","label":"Confirm the van","prompt":"Book the van for {{ result.project.artifact.name }}?"},`, "", 1))
	w.accessible("a chat with a parallel draft")
	w.say("looks good, run it")
	w.must(w.see("article.plan details.receipt summary").Click(proto.InputMouseButtonLeft, 1))
	w.read("article.plan details.receipt", "Deviations from what was approved: none")
	w.open("/plans")
	w.press(w.see("main tbody th a"))
	w.until(`location.pathname === "/plans/` + plan + `"`)
	w.read("#approvals", "Approvals")
	w.accessible("a plan that ran")
	w.press(w.see("section[aria-labelledby=runs] tbody a"))
	w.read("article.sheet", "looks good, run it")
	w.read("article.sheet", "Admin")
	w.read("article.sheet .deviations", "none")
	w.accessible("a receipt")
	r, err := w.page.Timeout(patience).Eval(`async () => {
		const link = document.querySelector("a[download]");
		const answer = await fetch(link.href);
		return answer.headers.get("Content-Disposition").startsWith("attachment") && (await answer.json()).steps.map((s) => s.number + " " + s.status).join(", ");
	}`)
	w.must(err)
	if want := "1 success, 2 success, 2.1 success, 2.2 success, 3 success"; r.Value.Str() != want {
		t.Errorf("the receipt says %s, want %s", r.Value, want)
	}
	w.open("/admin/plans")
	w.accessible("plans and reviews")
}

// TestAHeldStartIsStoppedPausedAndResumed has a model read the approval, so that
// the run waits before its first write.
func TestAHeldStartIsStoppedPausedAndResumed(t *testing.T) {
	needBrowser(t)
	reading := llmtest.Func(func(llmtest.Request) llmtest.Response {
		return llmtest.Text(`{"as":"approve","words":"Make it so","changes":[]}`)
	})
	srv := fakeProvider(t, "openai", reading, llmtest.Text("It waits again."), reading, llmtest.Text("It rests."), llmtest.Text("It asks."))
	in, w := begun(t, providerEnv("openai", srv.URL)...)
	_, plan := in.drafted(w, careful)
	const words = "Make it so, number one."
	w.say(words)
	w.read("article.plan .answer.run", `Starts\s+in [1-5] s`)
	w.accessible("a chat with a start that is counted down")
	w.must(w.read("article.plan .answer.run button", "Stop").Click(proto.InputMouseButtonLeft, 1), "stopping")
	w.waitingPlan()
	in.nothingYet()
	w.quiet()

	w.say(words)
	w.read("article.plan .answer.run", `Starts\s+in [1-5] s`)
	other := newVisitorWindow(w)
	other.open("/plans/" + plan)
	other.press(other.see("form[action$='/pause'] button"))
	other.read(".answer", "Paused")
	w.read("article.plan > details > summary .chip", "paused")
	in.nothingYet()
	w.act("resume")
	w.marks(asked)
}

// newVisitorWindow is a second window of the same browser.
func newVisitorWindow(w *window) *window {
	w.t.Helper()
	return (&visitor{t: w.t, s: w.s, browser: w.page.Browser()}).window()
}

// TestAChangedPlanShowsWhatChanged has a step left out: old and new stand side by
// side until the plan is answered, and on the plan's page for good.
func TestAChangedPlanShowsWhatChanged(t *testing.T) {
	_, w := begun(t)
	w.open("/chat")
	w.say(office)
	w.waitingPlan()
	w.quiet()
	w.say("leave out step 3")
	w.read("article.plan .pair", "Left out")
	w.quiet()
	w.accessible("a chat with a changed plan")
	w.press(w.see("a[href='/plans']"))
	w.press(w.see("main tbody th a"))
	w.read("#versions", "Versions")
	w.read(".pair", "Left out")
	w.accessible("a plan of two versions")
	w.must(w.see("#to").Select([]string{"1"}, true, "text"))
	w.press(w.see(".compare button"))
	w.until(`document.querySelectorAll(".pair").length === 0`)
}
