package e2e

import (
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/proto"

	"assent/internal/llm"
	"assent/internal/llm/llmtest"
)

// greeter is an OpenAI-compatible endpoint that knows one key.
func greeter(t *testing.T) *llmtest.Server {
	t.Helper()
	return llmtest.NewOpenAI(t, llmtest.Func(func(llmtest.Request) llmtest.Response {
		return llmtest.Text("Good ", "morning, Ada.").Usage(llm.Tokens{In: 1000, Out: 200})
	})).RequireKey(secretKey)
}

// setModel puts everyday conversations on a model of an endpoint, by the pages.
func (w *window) setModel(url string) {
	w.t.Helper()
	w.open("/admin/models/providers")
	w.fill("#provider-name", "main")
	w.fill("#provider-base_url", url)
	w.fill("#provider-api_key", secretKey)
	w.press(w.see("#provider button[type=submit]"))
	w.read(".rows", "Key set")
	w.choose("#add-balanced-provider", "main")
	w.fill("#add-balanced-model", "m1")
	w.press(w.see("#add-balanced button[type=submit]"))
	w.press(w.see("#list-balanced [aria-label='Move main/m1 up']"))
	w.read("#list-balanced li:first-child", "main/m1")
}

// choose picks an option by keyboard: it needs no scripts in the page.
func (w *window) choose(selector, option string) {
	w.t.Helper()
	w.focus(w.see(selector))
	w.write(option)
	for _, c := range option {
		w.must(proto.InputDispatchKeyEvent{Type: proto.InputDispatchKeyEventTypeChar, Text: string(c)}.Call(w.page), "choosing", option)
	}
}

// An admin sets a model by the pages, tests it, and the next conversation is
// answered by it, without a restart; after one too.
func TestAnAdminSetsAModelByThePages(t *testing.T) {
	v := begin(t)
	w := v.window()
	w.setUp()
	srv := greeter(t)
	w.setModel(srv.URL)
	w.press(w.see("#list-balanced [aria-label='Test main/m1']"))
	w.read("#tested", `main/m1 answers.*First token after .*1,000 tokens in, 200 out`)
	w.press(w.read("#prices + *, section[aria-labelledby=prices] a", "m1"))
	w.fill("#price-in", "1")
	w.fill("#price-out", "free")
	w.press(w.see("#price button[type=submit]"))
	w.read("#price-out-error", "amount of US dollars")
	w.fill("#price-out", "2")
	w.press(w.see("#price button[type=submit]"))
	w.read("section[aria-labelledby=prices] tbody", `\$2\.00`)
	w.open("/")
	w.say("good morning")
	w.read("#transcript", "Good morning, Ada")
	v.s.kill()
	v.s.start()
	w.open("/admin/models")
	w.press(w.see("#list-balanced [aria-label='Test main/m1']"))
	w.read("#tested", "main/m1 answers")
	if html, err := w.page.HTML(); err != nil || strings.Contains(html, secretKey) {
		t.Errorf("the page tells the key, %v", err)
	}
}

// A tool that an admin switches off is off in the next conversation.
func TestAnAdminSwitchesAToolOff(t *testing.T) {
	w := begin(t).window()
	w.setUp()
	w.open("/admin/tools")
	w.press(w.see("[aria-label='Change Create a project']"))
	w.choose("#tool-policy", "Deny")
	w.press(w.see("#tool button[type=submit]"))
	w.open("/admin/tools?policy=deny")
	w.read("main tbody", "create_project")
	w.open("/")
	w.say(office)
	w.read("#transcript", `may not use the tool "create_project"`)
	w.quiet()
	if n := w.count("article.plan .answer.wait"); n != 0 {
		t.Errorf("a plan with the tool waits:\n%s", w.looks())
	}
}

func TestAnAdminKeepsSecrets(t *testing.T) {
	w := begin(t).window()
	w.setUp()
	w.open("/admin/secrets")
	w.fill("#secret-name", "crm-key")
	w.fill("#secret-value", "planted-0815")
	w.press(w.see("#secret button[type=submit]"))
	w.read(".rows", "secret:crm-key")
	if html, err := w.page.HTML(); err != nil || strings.Contains(html, "planted-0815") {
		t.Errorf("the page tells the secret, %v", err)
	}
	w.press(w.see("[aria-label='Delete the secret crm-key']"))
	w.press(w.see("main form button.danger"))
	w.read("main", "No secret is set")
}

// The pages of models, tools and secrets do all of it without JavaScript.
func TestAdministrationWithoutJavaScript(t *testing.T) {
	w := begin(t).window()
	w.plain = true
	w.must(proto.EmulationSetScriptExecutionDisabled{Value: true}.Call(w.page))
	w.setUp()
	w.setModel(greeter(t).URL)
	w.press(w.see("#list-balanced [aria-label='Test main/m1']"))
	w.read("#tested", "main/m1 answers")
	w.press(w.see("#list-balanced [aria-label='Remove offline/rules']"))
	if got := w.texts("#list-balanced .name"); len(got) != 1 || got[0] != "main/m1" {
		t.Errorf("the list is %v", got)
	}
	w.open("/admin/tools/delete_task")
	w.choose("#tool-policy", "Deny")
	w.press(w.see("#tool button[type=submit]"))
	w.open("/admin/tools?policy=deny")
	w.read("main tbody", "delete_task")
}

func TestAdministrationIsAccessible(t *testing.T) {
	w := begin(t).window()
	w.setUp()
	w.setModel(greeter(t).URL)
	w.press(w.see("#list-balanced [aria-label='Test main/m1']"))
	w.see("#tested")
	w.accessible("models with a test")
	for _, p := range []string{"/admin/models/providers", "/admin/models/providers/main", "/admin/models/prices", "/admin/models/prices?model=m1", "/admin/tools", "/admin/tools/delete_task", "/admin/secrets", "/admin/budgets", "/admin/budgets/new"} {
		w.open(p)
		w.accessible(p)
	}
	w.open("/admin/models/providers")
	w.fill("#provider-name", "no name")
	w.fill("#provider-base_url", "nowhere")
	w.press(w.see("#provider button[type=submit]"))
	w.see("#provider-name-error")
	w.accessible("a provider that is refused")
}

// An admin bounds everybody's day without JavaScript's help; what is wrong
// stands at its field.
func TestAnAdminSetsBudgets(t *testing.T) {
	w := begin(t).window()
	w.setUp()
	w.open("/")
	w.say("what can you do?")
	w.read("#transcript", "built-in offline planner")
	w.quiet()
	w.open("/admin/budgets")
	w.read("main", "No budget is set")
	w.accessible("budgets")
	w.fill("#everybody-calls_per_day", "many")
	w.press(w.see("#everybody button[type=submit]"))
	w.read("#everybody-calls_per_day-error", "whole number")
	w.accessible("a budget that is refused")
	w.fill("#everybody-calls_per_day", "1")
	w.press(w.see("#everybody button[type=submit]"))
	w.read("section[aria-labelledby=people] tbody", "Used up")
	w.accessible("a budget that is used up")
	w.open("/")
	w.say("list my projects")
	w.read("#transcript", "calls of a model for today are used up")
}
