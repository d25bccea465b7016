package offline

import (
	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// want is what a message asks for.
type want string

// Wants by family.
const (
	wantCreate   want = "create"   // a project
	wantTemplate want = "template" // make a template

	wantList   want = "list"
	wantSearch want = "search"
	wantOpen   want = "open" // one thing by name

	wantAdd    want = "add"
	wantChange want = "change"
	wantLink   want = "link"
	wantDelete want = "delete"

	wantAudit want = "audit"

	wantRevise  want = "revise"
	wantRun     want = "run"
	wantDiscard want = "discard"
	wantAskPlan want = "ask_plan"

	wantUndo    want = "undo"
	wantRestore want = "restore" // bring back what was deleted

	wantHelp    want = "help"
	wantGreet   want = "greet"
	wantThanks  want = "thanks"
	wantWho     want = "who"
	wantKey     want = "key"
	wantConsent want = "consent"
	wantDay     want = "day"
	wantCannot  want = "cannot"
	wantNothing want = "nothing" // "do not add any tasks"

	wantRemind  want = "remind"
	wantOwner   want = "owner"
	wantPlans   want = "plans"   // which wait
	wantDid     want = "did"     // what was done last
	wantAsked   want = "asked"   // what the person said
	wantHistory want = "history" // what changed when
	wantUndoOne want = "undo_one"

	wantUnclear want = "unclear"
)

// recogniser says that words of a shape ask for something, and how surely.
type recogniser struct {
	want    want
	score   int
	pattern english.Pattern
}

// rules compiles patterns of one want and score.
func rules(w want, score int, patterns ...string) []recogniser {
	out := make([]recogniser, len(patterns))
	for i, p := range patterns {
		out[i] = recogniser{w, score, groups.Compile(p)}
	}
	return out
}

func joinRules(all ...[]recogniser) []recogniser {
	var out []recogniser
	for _, r := range all {
		out = append(out, r...)
	}
	return out
}

// recognisers are every pattern, by family; the highest score wins, the first of
// equals.
var recognisers = joinRules(toldRules, helpRules, planRules, deleteRules, editRules, auditRules, queryRules, createRules)

// understanding is a message with what it asks for.
type understanding struct {
	want  want
	score int
}

// sure is the score from which words are taken to mean what a pattern says even
// where something waits.
const sure = 80

// understand finds what a message asks for, in the situation.
func understand(s *situation, a *ask) understanding {
	a = a.gist()
	best, m := understanding{want: wantUnclear}, moodOf(a.text)
	bare, undertaking, musing := s.withoutProject(a.text), isUndertaking(a.text), muses(a.text)
	for _, r := range recognisers {
		score := r.score
		switch {
		case m != moodWish && changesWorkspace(r.want), undertaking && r.want == wantChange, musing && r.want == wantCreate:
			continue
		case r.want == wantRevise && !s.planWaits():
			score -= 80 // words about a plan that may as well be about the workspace
		case isPlanWant(r.want) && !s.planWaits():
			score -= 45
		}
		if score > best.score && (a.has(r.pattern) || overProject(r.want) && r.pattern.In(bare)) {
			best = understanding{r.want, score}
		}
	}
	if m == moodRefuse && best.score < sure && !s.planWaits() {
		return understanding{wantNothing, sure}
	}
	if m != moodWish || musing && best.want == wantUnclear {
		return best
	}
	return s.inContext(a, best)
}

// overProject reports whether the pattern of a want is looked for behind a
// project's name too: "there is a risk in the office move that it rains".
func overProject(w want) bool { return w == wantAdd || w == wantList }

// withoutProject is the text without the name of a project that the state knows.
func (s *situation) withoutProject(t english.Text) english.Canon {
	if _, r, ok := s.knownProject(t); ok {
		t = t.Drop(r)
	}
	return t.Canon()
}

func isPlanWant(w want) bool {
	switch w {
	case wantRevise, wantRun, wantDiscard, wantAskPlan:
		return true
	}
	return false
}

// inContext corrects what patterns alone cannot know: what is created, and what
// a bare wish means in the conversation's context.
func (s *situation) inContext(a *ask, u understanding) understanding {
	switch kind, ok := createdKind(a.text); {
	case a.text.Is(0, "open") && !a.text.Is(1, "a", "an", "another", "new") && s.namesProject(a.text):
		u = understanding{wantOpen, 97}
	case u.want == wantRestore && len(a.dates) > 0, s.beginsSomething(a): // by a day, nothing is brought back
		u = understanding{wantCreate, 97}
	case !ok:
	case kind == assent.KindProject && (u.want == wantAdd || u.score < 96):
		u = understanding{wantCreate, 97}
	case kind == assent.KindTemplate && u.want != wantDelete && u.want != wantHelp:
		u = understanding{wantTemplate, 97}
	case kind != assent.KindProject && kind != assent.KindTemplate && (u.want == wantCreate || u.want == wantUnclear):
		u = understanding{wantAdd, 97}
	}
	if len(a.dates) > 0 && u.score < 92 && errand.In(a.canon) {
		return understanding{wantAdd, 92}
	}
	if u.score >= 40 {
		return u
	}
	if s.state.ContextType != assent.ContextProjectCreate && len(s.state.Projects) > 0 && len(a.dates) > 0 && ought.In(a.canon) {
		return understanding{wantChange, 84}
	}
	switch {
	case s.state.ContextType == assent.ContextProjectCreate && len(a.text.Tokens) > 1:
		return understanding{wantCreate, 50}
	case looksLikeDoing(a):
		return understanding{wantCreate, 45}
	}
	return u
}

var (
	setsUp = groups.Compile(`^(?:set up|setting up|put together|put on|kick off|get going with) .+`)
	mustBe = groups.Compile(`^[^,]+ , (?:(?:and|it|this|that|which|all|everything) )*(?:must|should|has to|have to|needs to|need to|will|to) be .+`)
)

// isUndertaking reports what begins like a project, whatever it says later on:
// "renovate the bathroom, must be ready by Christmas".
func isUndertaking(t english.Text) bool {
	c := t.Canon()
	return setsUp.In(c) || t.Len() > 0 && english.IsDoing(t.Tokens[0].Word) && mustBe.In(c)
}

// ought says of something there is by when it is to be so: "the venue should be
// booked by January".
var ought = groups.Compile(`^(?:the|my|our|all) .+ (?:should|must|has to|have to|needs to|need to) (?:now )?be [^ ]+`)

// errand is a bare piece of work; with a day it is a task.
var errand = groups.Compile(`^(?:call|email|order|buy|book|pay|ask|print|fix|contact|renew|sign|collect|chase|check with) .+`)

func (s *situation) namesProject(t english.Text) bool {
	_, _, ok := s.knownProject(t)
	return ok
}

// planWaits reports whether a plan awaits the person's word.
func (s *situation) planWaits() bool {
	_, ok := s.waiting()
	return ok
}

// waiting is the plan that the reading names, else the newest one that waits.
func (s *situation) waiting() (plan, bool) {
	var found plan
	ok := false
	for _, p := range s.state.Plans {
		if !p.waits() {
			continue
		}
		if r := s.state.Reading; r != nil && r.PlanID == p.PlanID {
			return p, true
		}
		if !ok {
			found, ok = p, true
		}
	}
	return found, ok
}

// createdKind is the kind of thing that a wish to create names first: in "add a
// task to the office move project" a task, in "create a report writing project"
// a project.
func createdKind(t english.Text) (assent.Kind, bool) {
	at := createVerb(t)
	if at < 0 {
		return "", false
	}
	kind, found, noun := assent.Kind(""), false, 0
	for i := at; i < t.Len(); i++ {
		if i > at && (isPreposition(t.Tokens[i].Word) || t.Ends(i) || t.Tokens[i].Kind == english.Quote && found ||
			t.Is(i, "called", "named", "titled", "that", "which", "and", ",", ":", "from", "using", "as", "because", "so", "is", "are", "we", "i", "about", "-", "–", "—", "where", "until", "before", "if")) {
			break
		}
		if k, ok := kindNouns[t.Tokens[i].Word]; ok && !t.Is(i+1, "list", "board") {
			if found && titleBegins(t, i, noun) {
				break
			}
			kind, found, noun = k, true, i
		}
	}
	return kind, found
}

var (
	wishes = groups.Compile(`{we} (?:would like|would love|want|plan|intend|hope|aim|dream)(?: of| to)`)
	begins = groups.Compile(`^(?:open|start|publish|release|found|build) (?:a|an|another|my own|our own|our first|my first)`)
)

// beginsSomething reports a wish to begin a thing of one's own, which is no thing
// of the workspace: "I would like to open a small café".
func (s *situation) beginsSomething(a *ask) bool {
	_, named := firstNoun(a.text)
	whole := read(a.raw).Canon()
	return !named && !s.namesProject(a.text) && (begins.In(a.canon) && wishes.In(whole) || a.text.Is(0, "publish") && len(a.dates) > 0 && wishes.In(whole))
}

// createVerb is the token after a verb of creation near the start; -1 if there
// is none.
func createVerb(t english.Text) int {
	for i := 0; i < min(3, t.Len()); i++ {
		for _, v := range createVerbs {
			if t.IsPhrase(i, v.words) {
				return i + v.size
			}
		}
	}
	return -1
}

var createVerbs = []struct {
	words string
	size  int
}{{"set up", 2}, {"kick off", 2}, {"spin up", 2}, {"put together", 2}, {"open up", 2}, {"jot down", 2}, {"write down", 2}, {"create", 1}, {"make", 1}, {"add", 1}, {"build", 1},
	{"start", 1}, {"new", 1}, {"setup", 1}, {"kickoff", 1}, {"begin", 1}, {"need", 1}, {"needs", 1}, {"want", 1}, {"generate", 1}, {"record", 1}, {"log", 1}, {"write", 1},
	{"raise", 1}, {"register", 1}, {"open", 1}, {"initiate", 1}, {"creating", 1}, {"adding", 1}, {"insert", 1}, {"draft", 1}, {"track", 1}, {"note", 1}, {"capture", 1}}

var kindNouns = map[string]assent.Kind{
	"project": assent.KindProject, "projects": assent.KindProject, "task": assent.KindTask, "tasks": assent.KindTask, "todo": assent.KindTask,
	"todos": assent.KindTask, "ticket": assent.KindTask, "tickets": assent.KindTask, "milestone": assent.KindMilestone, "milestones": assent.KindMilestone, "phase": assent.KindMilestone,
	"document": assent.KindDocument, "documents": assent.KindDocument, "note": assent.KindDocument, "notes": assent.KindDocument, "minutes": assent.KindDocument,
	"report": assent.KindDocument, "memo": assent.KindDocument, "brief": assent.KindDocument, "risk": assent.KindRisk, "risks": assent.KindRisk,
	"decision": assent.KindDecision, "decisions": assent.KindDecision, "goal": assent.KindGoal, "goals": assent.KindGoal, "objective": assent.KindGoal,
	"template": assent.KindTemplate, "templates": assent.KindTemplate, "reports": assent.KindDocument, "memos": assent.KindDocument,
	"objectives": assent.KindGoal, "item": assent.KindTask, "items": assent.KindTask,
}

// looksLikeDoing reports a bare undertaking: a verb that projects are told with,
// and something to do it to, or a deadline.
func looksLikeDoing(a *ask) bool {
	t := a.text
	if t.Len() < 2 || t.Is(t.Len()-1, "?") {
		return false
	}
	first := t.Tokens[0].Word
	if english.IsDoing(first) && !t.Is(0, "do", "have", "get", "run", "make", "want", "need") {
		return true
	}
	for _, d := range a.dates {
		if d.From > 1 && !t.Is(0, "what", "when", "who", "where", "why", "how", "is", "are", "can", "do", "does", "show", "list") {
			return true
		}
	}
	return false
}
