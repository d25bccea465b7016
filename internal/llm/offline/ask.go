package offline

import (
	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// ask is a message taken apart: courtesy and words about the mode are gone from
// text, so that what is left is what the person wants.
type ask struct {
	raw   string
	text  english.Text
	canon english.Canon
	mode  assent.Mode // as asked in the words; empty if they do not say
	dates []english.Span
}

func newAsk(raw string, r english.Reader) *ask {
	a := &ask{raw: raw, text: read(raw)}
	if a.text.Len() > maxTokens {
		return a // is not read any further
	}
	a.takeMode()
	a.takeCourtesy()
	a.refresh(r)
	return a
}

// refresh computes what follows from text.
func (a *ask) refresh(r english.Reader) {
	a.canon = a.text.Canon()
	a.dates = r.Dates(a.text)
}

// How many words and marks at the start and at the end of a long text say what it
// is for; what stands between them are its particulars.
const (
	gistStart = 250
	gistEnd   = 100
)

// gist is a with the middle of a long text left out, so that finding out what it
// asks for takes no longer than for a short one.
func (a *ask) gist() *ask {
	if a.text.Len() <= gistStart+gistEnd {
		return a
	}
	g := *a
	g.text = a.text.Drop(english.Range{From: gistStart, To: a.text.Len() - gistEnd})
	g.canon = g.text.Canon()
	return &g
}

// has reports whether a pattern occurs.
func (a *ask) has(p english.Pattern) bool { return p.In(a.canon) }

var (
	showFirst = []english.Pattern{
		groups.Compile(`(?:(?:but|and|so|, ) )*(?:please )?(?:let me (?:see|review|check|look at|read|approve|have a look at)|show me|i (?:want|would like|need) to (?:see|review|check|approve|look at)|i will (?:review|check|look at)|run) (?:{det} )?(?:{plan}|it|that|this|everything|what you would do|what you will do|what you plan)(?: {plan})?(?: to do)? (?:first|before(?: ~ (?:anything|it|that|this|execute|executing|running|run))?(?: (?:you )?(?:do|run|start|create|execute|make|change|touch)(?: anything| it| a thing)?)?|beforehand)`),
		groups.Compile(`(?:(?:but|and) )*(?:show|give|draft|write|prepare|make|send|propose|sketch)(?: me| us| up)? (?:{det} )?{plan} (?:first|only|beforehand|before anything happens|for (?:review|approval|me to review|me to approve))`),
		groups.Compile(`(?:(?:but|and|just) )*(?:do not|not|without|never) (?:run|execut|start|do|creat|chang|touch|mak|apply)(?:e|ing|ting)?(?: it| anything| something| a thing| the plan)* (?:yet|first|until (?:i|we) (?:say so|say|approve|confirm|have seen it|have approved)|before (?:i|we) (?:say so|approve|confirm|have seen it))`),
		groups.Compile(`(?:(?:but|and|just) )*(?:do not|without) (?:do|run|execute|change|create)(?:ing)? anything`),
		groups.Compile(`(?:but )?(?:show|give|send) me (?:a|the) draft`),
		groups.Compile(`(?:as a )?draft(?: only| mode)|only (?:a )?draft(?: it)?|just (?:a )?draft(?: it)?|as a draft|draft it(?: first)?|draft first|plan only|only plan(?: it)?|just plan it|dry run|show (?:me )?first|ask (?:me )?first|check with me first|plan first|wait for my (?:okay|go ahead|approval|word)|for (?:my )?(?:review|approval) first|i want to approve it(?: first)?|let me approve(?: it)?(?: first)?|show me (?:the |a |your )?plan$`),
	}
	draftVerb     = groups.Compile(`^(?:(?:please|can you|could you|let us) )*(?:draft|sketch|propose|outline|prepare|write|make|come up with|put together|work out|give me|show me|i need|i want|we need) (?:me |us |up )?(?:a |the |some )?(?:rough |first |quick |detailed |simple )?(?:plan|draft|proposal|outline) (?:for|to|of|on|that)`)
	draftsProject = groups.Compile(`^(?:(?:please|can you|could you|let us) )*(?:draft|sketch|propose|outline) (?:me |us |up )?(?:{det} |new )*project`)
	draftsOne     = groups.Compile(`^(?:(?:also|and|please|can you|could you|now) )*(?:draft|sketch|outline|propose)(?: me| us)? (?:one|another|another one|one more|a second one) (?:for|about|on)`)
	justDo        = groups.Compile(`(?:and |so |please )*(?:just do it|do it (?:right )?(?:now|away|straight away|immediately)|no need to (?:ask|confirm|review|show me)(?: first| me)?|do not (?:ask|wait)(?: for (?:me|approval))?|go ahead and do it|without (?:asking|review|approval|confirmation)|straight away|right away|execute (?:it )?(?:immediately|directly|right away))`)
	reviewIt      = groups.Compile(`(?:and |but )*(?:have|let|get) (?:it|the plan|that|a reviewer|another agent|an agent|the reviewer) (?:reviewed?|review it|check it|checked|critique it|look at it)(?: first| by (?:an? |the )?(?:agent|reviewer))?`)
)

// takeMode reads and removes words about how far to go without asking.
func (a *ask) takeMode() {
	for _, p := range showFirst {
		if a.take(p) {
			a.mode = assent.ModeDraftOnly
		}
	}
	if a.take(reviewIt) && a.mode == "" {
		a.mode = assent.ModeAgentReview
	}
	if m, ok := draftVerb.Find(a.text.Canon()); ok {
		a.mode = assent.ModeDraftOnly
		a.text = a.text.Drop(m.Range)
	}
	if draftsProject.In(a.text.Canon()) || draftsOne.In(a.text.Canon()) {
		a.mode = assent.ModeDraftOnly
	}
	if a.take(justDo) && a.mode == "" {
		a.mode = assent.ModeAutoExecute
	}
}

// take removes the first match of p.
func (a *ask) take(p english.Pattern) bool {
	m, ok := p.Find(a.text.Canon())
	if ok {
		a.text = a.text.Drop(m.Range)
	}
	return ok
}

var (
	courtesyFront = groups.Compile(`^{courtesy}(?: {courtesy})*`)
	courtesyBack  = groups.Compile(`(?:(?:,|and) )?(?:please|thanks|thank you|cheers|ta|thanks a lot|many thanks|thank you very much|if you can|if possible|if you could|when you can|when you have time|asap|for me|will you|would you|could you|can you|okay|thx|x|xx)(?: (?:please|thanks|so much|very much|a lot|in advance|!|\.|\?))*(?: [.!?])*$`)
)

// politely is how an order is put as a question.
var politely = groups.Compile(`^(?:(?:please|hey|hi|hello|so|and|well|,) )*(?:could|can|would|will) (?:you|we)`)

// takeCourtesy removes what is said only to be polite. A message that is nothing
// else stays whole.
func (a *ask) takeCourtesy() {
	whole := a.text
	if politely.In(a.text.Canon()) && a.text.Is(a.text.Len()-1, "?") {
		a.text = a.text.Drop(english.Range{From: a.text.Len() - 1, To: a.text.Len()}) // an order, and no question
	}
	for _, p := range []english.Pattern{courtesyFront, courtesyBack, courtesyFront} {
		if m, ok := p.Find(a.text.Canon()); ok && !(a.text.Is(m.To-1, "x") && a.text.Tokens[m.To-1].Capital) { // “Project X” is no kiss
			a.text = a.text.Drop(m.Range)
		}
	}
	if a.text.Is(0, "tell", "show", "remind") && a.text.Is(1, "me", "us") && a.text.Is(2, "how", "what", "which", "whether", "if", "when", "where", "who", "why") {
		a.text = a.text.Drop(english.Range{From: 0, To: 2})
	}
	for len(a.text.Tokens) > 0 && a.text.Is(0, ",", ".", "!", "-", "–", "—", ";", ":") {
		a.text = a.text.Drop(english.Range{From: 0, To: 1})
	}
	if len(a.text.Tokens) == 0 {
		a.text = whole
	}
}
