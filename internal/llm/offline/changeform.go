package offline

import (
	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// form is a way in which things are changed.
type form struct {
	name  string
	shape english.Pattern // recognises it; the groups target, value and why cut it
}

// forms are tried in order.
var forms = []form{
	{"rename", groups.Compile(`^(?:rename|retitle|relabel)(?: (?P<target>.+?))? (?:to|as|into|->|:) (?P<value>.+)$`)},
	{"rename", groups.Compile(`^(?:change|set|update|edit|correct|fix) (?:the )?(?:name|title)(?: of| for)?(?: (?P<target>.+?))? (?:to|as|into) (?P<value>.+)$`)},
	{"rename", groups.Compile(`^(?P<target>.+?) (?:should|must|needs to|has to|is to|shall) (?:now )?be (?:called|named|titled|renamed(?: to)?) (?P<value>.+)$`)},
	{"rename", groups.Compile(`^(?:call|name|rename|retitle) (?P<target>(?:{det} )?(?:{project}|{task}|{milestone}|it|this|that)) (?P<value>.+)$`)},
	{"describe", groups.Compile(`^(?:describe)(?: (?P<target>.+?))? (?:as|:) (?P<value>.+)$`)},
	{"describe", groups.Compile(`^(?:change|set|update|add|edit|give) (?:{det} )?(?:description|details)(?: of| to| for| on)?(?: (?P<target>.+?))? (?:to|as|:|saying|that) (?P<value>.+)$`)},
	{"assign", groups.Compile(`^(?:assign|reassign|give|hand)(?: (?P<target>.+?))? to (?P<value>.+)$`)},
	{"mine", groups.Compile(`^(?:i|me) (?:will|am going to|can|want to|would like to)? ?(?:do|take|take on|take over|handle|take care of|look after) (?P<target>.+)$`)},
	{"unassign", groups.Compile(`^(?:unassign) (?P<target>.+)$`)},
	{"unblock", groups.Compile(`^(?:unblock|remove the blocker (?:of|from)|clear the blocker (?:of|from|on)) (?P<target>.+)$`)},
	{"unblock", groups.Compile(`^(?P<target>.+?) (?:is|are|got) (?:now |finally )?(?:no longer|not) (?:blocked|stuck|on hold)(?: any ?more)?(?: .*)?$`)},
	{"unblock", groups.Compile(`^(?P<target>.+?) (?:is|has been|was|got|are) (?:now |finally )?unblocked`)},
	{"block", groups.Compile(`^(?:block|mark|set|flag|put)(?: (?P<target>.+?))?(?: (?:as|to))? blocked(?: ?[,:-]?)(?: (?:because|since|by|as|due to|until|on|with|the reason is|reason)(?: of| that| :)?)?(?: (?P<why>.+))?$`)},
	{"block", groups.Compile(`^(?:block)(?: (?P<target>.+?))? (?:because|since|as|due to|until|with|:|on|for)(?: of| that)? (?P<why>.+)$`)},
	{"block", groups.Compile(`^(?:block) (?P<target>.+)$`)},
	{"block", groups.Compile(`^(?P<target>.+?) (?:is|are|got|has been|was) (?:now |currently )?(?:blocked|stuck|held up|stalled)(?: ?[,:-]?)(?: (?:because|since|by|as|due to|until|on|with|waiting for|at)(?: of| that)?)?(?: (?P<why>.+))?$`)},
	{"reopen", groups.Compile(`^(?:reopen|re-open|restart|unarchive|reactivate|resume|undo|uncheck|untick)(?: work on)? (?P<target>.+)$`)},
	{"reopen", groups.Compile(`^(?:mark|set)(?: (?P<target>.+?))?(?: as)? (?:not done|undone|open|todo|to do|not finished|incomplete|unfinished)(?: again)?$`)},
	{"reopen", groups.Compile(`^(?P<target>.+?) (?:is|are|was) (?:not done|not finished|not complete|not ready|open again|undone)(?: .*)?$`)},
	{"hold", groups.Compile(`^(?:put|set|place|mark|pause|park|shelve)(?: (?P<target>.+?))?(?: as)? on (?:hold|ice|pause)$`)},
	{"hold", groups.Compile(`^(?:pause|park|shelve) (?P<target>.+)$`)},
	{"archive", groups.Compile(`^(?:archive) (?P<target>.+)$`)},
	{"cancel", groups.Compile(`^(?:cancel|drop) (?P<target>.+)$`)},
	{"cancel", groups.Compile(`^(?:mark|set)(?: (?P<target>.+?))?(?: as| to)? (?:canceled|cancelled|not needed|dropped)$`)},
	{"cancel", groups.Compile(`^(?P<target>.+?) (?:is|was|has been) (?:canceled|cancelled|no longer needed|not needed)(?: .*)?$`)},
	{"publish", groups.Compile(`^(?:publish|release) (?P<target>.+)$`)},
	{"start", groups.Compile(`^(?:mark|set|move|put|flag)(?: (?P<target>.+?))?(?: as| to| into)? (?:in progress|in-progress|started|underway|under way|doing|active|ongoing)$`)},
	{"start", groups.Compile(`^(?:start|begin|started|pick up|working|work|i am working|i started|activate|we started|starting)(?: (?:on|working on|work on|with))? (?P<target>.+)$`)},
	{"start", groups.Compile(`^(?P<target>.+?) (?:is|are|has|was) (?:now |already )?(?:in progress|started|underway|under way|active|being worked on)(?: .*)?$`)},
	{"happened", groups.Compile(`^(?:{det} )?risk (?P<target>.+?) (?:has )?(?:happened|materialised|occurred|come true|came true)$`)},
	{"happened", groups.Compile(`^(?:mark|set)(?: (?P<target>.+?))?(?: as)? (?:happened|occurred|materialised)$`)},
	{"happened", groups.Compile(`^(?P<target>.+?) (?:risk )?(?:has )?(?:happened|materialised|occurred|came true)$`)},
	{"mitigated", groups.Compile(`^(?:mark|set)(?: (?P<target>.+?))?(?: as)? mitigated$`)},
	{"mitigated", groups.Compile(`^(?P<target>.+?) (?:is|was|has been) (?:now )?mitigated$`)},
	{"missed", groups.Compile(`^(?:mark|set)(?: (?P<target>.+?))?(?: as| to)? missed$`)},
	{"missed", groups.Compile(`^(?:we |i )?(?:have )?missed (?P<target>.+)$`)},
	{"done", groups.Compile(`^(?:mark|set|flag|tick|check|move|put|update|change)(?: (?:the )?status of)?(?: (?P<target>.+?))?(?: off)?(?: as| to| into)? (?:{done}|reached|met|achieved|hit)$`)},
	{"done", groups.Compile(`^(?P<target>[^:]+) : (?:done|finished|complete|completed)$`)},
	{"done", groups.Compile(`^(?:all )?(?:done|finished|completed|complete)(?: with (?P<target>.+))?$`)},
	{"done", groups.Compile(`^(?:tick off|check off|cross off|close off|close out|close|complete|finish|finished|finish off|resolve|resolved|completed|done|tick|wrap up|done with|finished with|i am done with|we are done with|get rid of) (?P<target>.+)$`)},
	{"done", groups.Compile(`^(?:{we}) (?:have |just |finally |already |all )*(?:finished|done|completed|closed|reached|wrapped up|sorted|hit|met|resolved|handled|ticked off|shipped|delivered|made)(?: (?:with|off|out))* (?P<target>.+)$`)},
	{"done", groups.Compile(`^(?P<target>.+?) (?:is|are|was|were|has been|have been|got) (?:now |finally |all |already |just |completely |officially |fully |also )*(?:{done}|reached|met|achieved|hit|signed off|shipped|delivered)(?: (?:now|already|today|yesterday|finally|too|as well))*$`)},
	{"done", groups.Compile(`^(?:tick|check|mark)(?: (?P<target>.+?)) (?:off|done)$`)},
	{"done", groups.Compile(`^(?:{we}) (?:have |just |finally |already )+(?P<target>(?:[a-z]+ed|bought|sent|written|paid|chosen|found|sold|made|built) .+)$`)},
}

// statusOf is the status that a form gives to a kind; "" where it has none.
var statusOf = map[string]map[assent.Kind]string{
	"done":      {assent.KindMilestone: "reached", assent.KindProject: "done", assent.KindGoal: "met", assent.KindRisk: "closed", assent.KindDecision: "decided", assent.KindTask: "done"},
	"reopen":    {assent.KindTask: "todo", assent.KindMilestone: "open", assent.KindProject: "active", assent.KindGoal: "open", assent.KindRisk: "open"},
	"start":     {assent.KindTask: "in_progress", assent.KindProject: "active"},
	"hold":      {assent.KindProject: "on_hold"},
	"archive":   {assent.KindProject: "archived"},
	"cancel":    {assent.KindTask: "cancelled", assent.KindGoal: "dropped", assent.KindDecision: "superseded"},
	"happened":  {assent.KindRisk: "happened"},
	"mitigated": {assent.KindRisk: "mitigated"},
	"missed":    {assent.KindMilestone: "missed"},
}

// naturalKind is the kind that a form is about when no noun says so.
var naturalKind = map[string]assent.Kind{"hold": assent.KindProject, "archive": assent.KindProject, "happened": assent.KindRisk, "mitigated": assent.KindRisk,
	"missed": assent.KindMilestone, "publish": assent.KindDocument}

// formMatch is a form with what it cut out of the words.
type formMatch struct {
	form
	target, value, why english.Text
}

func matchForm(t english.Text) (formMatch, english.Text, bool) {
	c := t.Canon()
	for _, f := range forms {
		m, ok := f.shape.Find(c)
		if !ok {
			continue
		}
		part := func(name string) english.Text { return t.Part(m.Groups[name]) }
		return formMatch{f, part("target"), part("value"), part("why")}, t, true
	}
	return formMatch{}, t, false
}

func withoutEnd(t english.Text) english.Text {
	for t.Len() > 1 && (t.Is(t.Len()-1, ".", "!", "?", "please", "now", ",", "today") && !t.Is(t.Len()-2, "due", "by", "for", "to", "until") || t.Tokens[t.Len()-1].Kind == english.Break) {
		t = t.Drop(english.Range{From: t.Len() - 1, To: t.Len()})
	}
	return t
}
