package consent_test

import (
	"strings"
	"testing"

	"assent/internal/assent"
	"assent/internal/consent"
	"assent/internal/consent/rules"
	"assent/internal/store"
)

func waitingItem(kind rules.ItemKind, title string) rules.Item {
	return rules.Item{Kind: kind, PlanID: "p-" + title, Version: 1, RunID: map[bool]string{true: "r-" + title}[kind != rules.Waiting], Title: title, Seen: true,
		Steps: []rules.StepInfo{{ID: "a", Number: "1", Label: "First"}, {ID: "b", Number: "2", Label: "Second"}}}
}

func TestALimitOfCostIsNoChange(t *testing.T) {
	t.Parallel()
	sit := rules.Situation{Items: []rules.Item{waitingItem(rules.Waiting, "Move")}}
	for message, want := range map[string]struct {
		as      assent.ReadingAs
		micros  int64
		changes int
	}{
		"go ahead, but not over two dollars":               {assent.ReadApprove, 2_000_000, 0},
		"yes, max $5":                                      {assent.ReadApprove, 5_000_000, 0},
		"yes, but leave out 2 and no more than 50 cents":   {assent.ReadApproveWithChanges, 500_000, 1},
		"yes, but not over two euros":                      {assent.ReadUnclear, 0, 0},
		"leave out 2 and no more than 50 cents":            {assent.ReadChange, 0, 0},
		"no, not for over two dollars":                     {assent.ReadReject, 0, 0},
		"would that cost more than two dollars?":           {assent.ReadQuestion, 0, 0},
		"My boss said: “go ahead, but not over 2 dollars”": {"", 0, 0},
	} {
		r, _ := consent.Read(message, sit, assent.DefaultCurrency)
		if want.as != "" && r.As != want.as || want.as == "" && r.Counts {
			t.Errorf("%q is read as %+v", message, r)
			continue
		}
		if (r.CostLimitMicros == nil) != (want.micros == 0) || r.CostLimitMicros != nil && *r.CostLimitMicros != want.micros {
			t.Errorf("%q limits the cost to %v", message, r.CostLimitMicros)
		}
		if r.As == assent.ReadApproveWithChanges && len(r.Changes) != want.changes {
			t.Errorf("%q holds the changes %+v", message, r.Changes)
		}
		for _, words := range append([]string{r.Words}, wordsOf(r.Changes)...) {
			if !strings.Contains(message, words) {
				t.Errorf("%q rests on %q", message, words)
			}
		}
	}
}

func wordsOf(changes []assent.Change) []string {
	var out []string
	for _, c := range changes {
		out = append(out, c.Words)
	}
	return out
}

func TestItIsDoneAlreadyAnswersARunThatWaits(t *testing.T) {
	t.Parallel()
	waits := rules.Situation{Items: []rules.Item{waitingItem(rules.WaitingHuman, "Move")}}
	for _, message := range []string{"it is done already", "It's done.", "already done", "yes, it has been done", "I did it myself", "count it as done", "das ist schon erledigt", "c'est déjà fait", "ya está hecho", "已经完成了"} {
		r, sure := consent.Read(message, waits, assent.DefaultCurrency)
		if !sure || r.As != assent.ReadApprove || !r.Counts || r.Input != "done" || r.RunID != "r-Move" {
			t.Errorf("%q is read as %+v", message, r)
		}
	}
	for _, message := range []string{"is it done already?", "it is not done", "it is done already, but undo it", "when it is done", "my colleague says “it is done already”", "well done"} {
		if r, _ := consent.Read(message, waits, assent.DefaultCurrency); r.Input != "" {
			t.Errorf("%q is read as %+v", message, r)
		}
	}
	two := rules.Situation{Items: append(waits.Items, waitingItem(rules.WaitingHuman, "Party"))}
	if r, _ := consent.Read("it is done already", two, assent.DefaultCurrency); r.As != assent.ReadUnclear || r.Counts {
		t.Errorf("with two runs that wait it is read as %+v", r)
	}
	if r, _ := consent.Read("it is done already", rules.Situation{Items: []rules.Item{waitingItem(rules.Waiting, "Move")}}, assent.DefaultCurrency); r.Counts {
		t.Errorf("where a plan waits it is read as %+v", r)
	}
}

// say stores a message with a reading.
func (w *world) say(t *testing.T, role assent.MessageRole, content string, as assent.ReadingAs) assent.Message {
	t.Helper()
	m := assent.Message{ID: w.NewID(), SessionID: w.session, Role: role, Content: content, SeenSeq: 1000, MayApprove: role == assent.RoleUser && !w.weak}
	if as != "" {
		m.Reading = &assent.Reading{As: as, Words: content}
	}
	if err := w.Write(t.Context(), func(tx *store.Tx) error { m.CreatedAt = tx.Now(); return tx.CreateMessage(m) }); err != nil {
		t.Fatal(err)
	}
	return m
}

func (w *world) clarify(t *testing.T, m assent.Message) string {
	t.Helper()
	text, err := w.consent.Clarify(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestUnclearIsAskedOnce: first a question, then how to answer, then nothing;
// something else in between, and it is asked anew.
func TestUnclearIsAskedOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if text := w.clarify(t, w.say(t, assent.RoleUser, "hmm", assent.ReadUnclear)); text != "" {
		t.Errorf("where nothing waits the product asks %q", text)
	}
	w.waiting(t, "Move. To Leith?", step("a", "note"))
	w.say(t, assent.RoleUser, "what is it?", assent.ReadQuestion)
	for i, want := range []string{"Shall I run version 1 of “Move To Leith” as it stands?", "To run version 1, say “yes, go ahead”", ""} {
		if text := w.clarify(t, w.say(t, assent.RoleUser, "hmm", assent.ReadUnclear)); !strings.Contains(text, want) || want == "" && text != "" {
			t.Errorf("time %d it says %q", i+1, text)
		}
	}
	w.say(t, assent.RoleUser, "what is it?", assent.ReadQuestion)
	if text := w.clarify(t, w.say(t, assent.RoleUser, "hmm", assent.ReadUnclear)); !strings.HasPrefix(text, "Shall I run") {
		t.Errorf("after something else it says %q", text)
	}
	w.waiting(t, "Party", step("a", "note"))
	if text := w.clarify(t, w.say(t, assent.RoleUser, "yes", assent.ReadUnclear)); !strings.HasPrefix(text, "I still cannot tell which one") && !strings.HasPrefix(text, "Which one do you mean: “Move To Leith” or “Party”?") {
		t.Errorf("with two plans it says %q", text)
	}
}

// TestTheProductsOwnQuestionsAreAboutThePlan: a yes to them counts; one to a
// question of the model does not.
func TestTheProductsOwnQuestionsAreAboutThePlan(t *testing.T) {
	t.Parallel()
	for content, other := range map[string]bool{
		"Shall I run version 1 of “Move” as it stands? If you meant something else, say what.": false,
		"Which one do you mean: “Move” or “Party”? Nothing runs until you say.":                false,
		"Shall I go on with “Move”? It waits until you answer.":                                false,
		"Do you also want a list of firms?":                                                    true,
		"Shall I run version 1 of “Move” as it stands? And shall I delete the old one?":        true,
		"Here it is.": false,
	} {
		w := newWorld(t)
		w.waiting(t, "Move", step("a", "note"))
		w.say(t, assent.RoleAssistant, content, "")
		sit, _, err := w.consent.Situation(t.Context(), w.session, 1000)
		if err != nil || sit.AsksElse != other {
			t.Errorf("%q asks something else: %v, %v", content, sit.AsksElse, err)
		}
	}
}

// TestTheQuestionOfARunIsNothingElse: to repeat what a run asks is to ask about
// what waits.
func TestTheQuestionOfARunIsNothingElse(t *testing.T) {
	t.Parallel()
	for content, other := range map[string]bool{
		"The note is there. Send the invitations?":                           false,
		"The plan waits: shall I send the invitations?":                      false,
		"Send the invitations? And would you like a reminder on Monday too?": true,
	} {
		w := newWorld(t)
		p := w.waiting(t, "Party", step("a", "note"), assent.Step{ID: "ask", Type: assent.StepCheckpoint, Prompt: "Send the invitations?"})
		_, r := w.approve(t, p, consent.ByRules)
		w.plans.Drive(t.Context(), r.RunID)
		w.say(t, assent.RoleAssistant, content, "")
		sit, _, err := w.consent.Situation(t.Context(), w.session, 1000)
		if err != nil || len(sit.Items) != 1 || sit.Items[0].Kind != rules.WaitingHuman || sit.AsksElse != other {
			t.Errorf("%q: %+v, %v", content, sit, err)
		}
	}
}

func TestWhichPlanIsMeant(t *testing.T) {
	t.Parallel()
	const asked = "Which one do you mean: “Boxes” or “Party”? Nothing runs until you say."
	for name, tt := range map[string]struct {
		first, question, answer string
		as                      assent.ReadingAs
		plan                    string
		weak                    bool // the first words came under a token that may not approve
	}{
		"a name":                     {"yes", asked, "the party", assent.ReadApprove, "Party", false},
		"a name after a no":          {"no", asked, "the boxes", assent.ReadReject, "Boxes", false},
		"a question":                 {"yes", asked, "what does the party do?", "", "", false},
		"a doubt":                    {"yes", asked, "maybe the party", "", "", false},
		"a name, later":              {"yes", asked, "the party, but not yet", "", "", false},
		"neither":                    {"yes", asked, "yes", "", "", false},
		"both":                       {"yes", asked, "the boxes and the party", "", "", false},
		"words that were no consent": {"what is that?", asked, "the party", "", "", false},
		"words that could be none":   {"yes", asked, "the party", "", "", true},
		"nobody asked":               {"yes", "Fine.", "the party", "", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			plans := map[string]string{}
			for _, title := range []string{"Boxes", "Party"} {
				plans[title] = w.waiting(t, title, step("a", "note")).ID
			}
			w.weak = tt.weak
			w.say(t, assent.RoleUser, tt.first, assent.ReadUnclear)
			w.say(t, assent.RoleAssistant, tt.question, "")
			sit, _, err := w.consent.Situation(t.Context(), w.session, 1000)
			if err != nil {
				t.Fatal(err)
			}
			r, ok, err := w.consent.Which(t.Context(), w.session, tt.answer, sit)
			if err != nil || ok != (tt.as != "") || ok && (r.As != tt.as || r.PlanID != plans[tt.plan] || r.Words != tt.answer) {
				t.Errorf("read as %+v, %v, %v", r, ok, err)
			}
		})
	}
}
