package offline

import (
	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// linkForm is a way to say that one thing depends on another. In turned ones
// the first thing is what the second waits for.
type linkForm struct {
	shape  english.Pattern
	turned bool
	kind   string // of the relation; depends_on if empty
}

var linkForms = []linkForm{
	{shape: groups.Compile(`^(?:make|let|have) (?P<a>.+?) (?:depend on|wait for|dependent on|wait on|come after|wait until) (?P<b>.+)$`)},
	{shape: groups.Compile(`^(?:make|let|have) (?P<a>.+?) (?:block|come before|precede) (?P<b>.+)$`), turned: true},
	{shape: groups.Compile(`^(?P<a>.+?) (?:depends|depend|relies|hinges|is dependent|should depend|must depend) (?:on|upon) (?P<b>.+)$`)},
	{shape: groups.Compile(`^(?P<a>.+?) (?:is |are )?(?:waiting|waits) (?:for|on) (?P<b>.+)$`)},
	{shape: groups.Compile(`^(?P<a>.+?) (?:can not|can only|may not|must not|should not|may only|will not|could not|can) (?:start|begin|happen|be done|be started|go|proceed|be finished|go ahead)(?: [^ .]+)? (?:until|before|after|without|unless|once|when) (?P<b>.+?)(?: (?:is|has been|are|was) (?:done|finished|complete|completed|signed|ready|there|over))?$`)},
	{shape: groups.Compile(`^(?P<a>.+?) (?:has to|must|should|needs to|will have to|have to) (?:wait|come|happen|go|be done|be finished)(?: done)? (?:for|after|until|on) (?P<b>.+?)(?: (?:is|has been|are|was) (?:done|finished|complete|completed|ready))?$`)},
	{shape: groups.Compile(`^(?P<a>.+?) (?:has to|must|should|needs to|will have to|have to) (?:come|happen|go|be done|be finished)(?: done)? before (?P<b>.+?)$`), turned: true},
	{shape: groups.Compile(`^(?P<a>.+?) (?:blocks|is a prerequisite (?:for|of)|is required for|is a precondition (?:for|of)|comes before|precedes|is needed (?:for|before)) (?P<b>.+)$`), turned: true},
	{shape: groups.Compile(`^(?:add|create|make|set|set up|put|insert|record|define) (?:{det} |new )*(?:dependency|dependencies|link|relation)(?: :)? (?:from|between|of) (?P<a>.+?) (?:to|on|and|with|->) (?P<b>.+)$`)},
	{shape: groups.Compile(`^(?:add|create|make|set|set up|put|insert|record|define) (?:{det} |new )*(?:dependency|dependencies)(?: (?:that|so that|where|so))? (?P<a>.+?) (?:depends on|waits for|on|needs|after) (?P<b>.+)$`)},
	{shape: groups.Compile(`^(?P<a>.+?) mitigates (?P<b>.+)$`), kind: "mitigates"},
	{shape: groups.Compile(`^(?P<a>.+?) supports (?P<b>.+)$`), kind: "supports"},
	{shape: groups.Compile(`^(?P<a>.+?) documents (?P<b>.+)$`), kind: "documents"},
	{shape: groups.Compile(`^(?:link|connect|tie|relate|chain) (?P<a>.+?) (?:to|with|and) (?P<b>.+)$`), kind: "relates_to"},
}

// link makes one thing depend on another.
func (s *situation) link(a *ask) (write, *answer) {
	m, t := s.takeProject(withoutEnd(a.text))
	for _, f := range linkForms {
		hit, ok := f.shape.Find(t.Canon())
		if !ok {
			continue
		}
		first, second := t.Part(hit.Groups["a"]), t.Part(hit.Groups["b"])
		if f.turned {
			first, second = second, first
		}
		return s.linked(f, m, first, second)
	}
	n := say("I understood that two things belong together, but not which. Say it like “the task “Order furniture” depends on “Sign the lease””.")
	return write{}, &n
}

func (s *situation) linked(f linkForm, m mention, from, to english.Text) (write, *answer) {
	in, next := s.inMention(m)
	if next != nil && m.named() {
		return write{}, next
	}
	ends := make([]entity, 2)
	for i, t := range []english.Text{from, to} {
		kind, named := nounOf(t)
		if !named || kind == assent.KindProject || kind == assent.KindTemplate {
			kind = assent.KindTask
			if i == 1 && f.kind == "mitigates" {
				kind = assent.KindRisk
			}
		}
		found := s.thing(kind, target(t, "starting", "doing"), in)
		if found.next != nil {
			return write{}, found.next
		}
		ends[i] = found.entity
		if in.ID == "" {
			in = entity{ID: found.ProjectID}
		}
	}
	relation, verb := f.kind, "depends on"
	if relation == "" {
		relation = "depends_on"
	} else {
		verb = spokenStatus(relation)
	}
	text := quoted(ends[0].label()) + " " + verb + " " + quoted(ends[1].label())
	return write{call: call{"create_relation", args{"type": relation, "from_id": ends[0].ID, "to_id": ends[1].ID}}, label: "Note that " + text,
		done: "Noted: " + text + "."}, nil
}
