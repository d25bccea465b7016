package offline

import (
	"time"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// addition is what a wish to add one thing says.
type addition struct {
	kind     assent.Kind
	titles   []item
	priority string
	due      time.Time
	under    string // the milestone it belongs to
	why      string // rationale, mitigation or description
	body     string
	level    map[string]string // likelihood, impact
}

var (
	addHead = []english.Pattern{
		groups.Compile(`^(?:remind me|reminder|do not let me forget|do not forget|make sure (?:we|i|to)|remember|todo|to do)(?: (?:to|:|about|that|we|i|of|-))*`),
		groups.Compile(`^(?:the )?(?:biggest |main |new |another |one |a )*risk (?:is|could be|:)(?: that)?`),
		groups.Compile(`^(?:there is|we have|we see|i see|i spotted|we face)(?: (?:a|an|the|another|new|big|serious|real|major|high|small|some))* (?:risk|danger|chance)(?: (?:that|of|:|with|is))?`),
		groups.Compile(`^(?:{we}) (?:have |just |finally |already )*(?:decided|agreed|chose|settled)(?: (?:to|that|on|in favour of))?`),
		groups.Compile(`^(?:(?:{we}|it) (?:also |still |really |should also )*)?(?:{add}|needs|have|another|one more)(?: me| us| down| up| in)?(?: (?:{det}|new|another|quick|small|urgent|high|low|medium|priority|top|big|major|minor|following|more|extra|additional|further|key|follow-up|meeting|\d+|one|two|three|four|five|six|seven|eight|some|few|couple of|these|those|context|action|published|draft|work))* (?:{task}|{milestone}|{risk}|{decision}|{goal}|{document}|{template})(?: (?:called|named|titled|:|-|–|—|saying|that says|which says|with the title|with title|for|to|that|about|of|on|is|called|labelled|namely|regarding))*`),
		groups.Compile(`^(?:{task}|{milestone}|{risk}|{decision}|{goal}|{document})(?: (?::|-|–|—))+`),
		groups.Compile(`^(?:{we}|someone|somebody) (?:need to|have to|must|should|needs to|has to|ought to|have got to)`),
		groups.Compile(`^(?:add|put|create|log|record|note|capture|track|stick|throw|need to|jot down|write down)`),
	}
	addTail = []english.Pattern{
		groups.Compile(`(?:(?:,|;|-|–|—|\.|and|so|please) )*(?:add|put|note|log|record|track|make|save) (?:it|that|this|them|those|these)(?: down)?(?: as (?:{det} )?(?:new |high |low |urgent |big |major )*(?:{task}|{milestone}|{document}|{risk}|{decision}|{goal}))?(?: [.!])*$`),
		groups.Compile(`(?:to|on|onto|in|into) (?:{det} )?(?:[^ .]+ )??(?:todo list|to do list|task list|list|todos|tasks|backlog|plate|milestones|risk register|risks|decision log|decisions|goals|register|log)(?: [.!])*$`),
		groups.Compile(`as (?:{det} )?(?:new |high |low |urgent |big |major )*(?:{task}|{milestone}|{document}|{risk}|{decision}|{goal})(?: [.!])*$`),
	}
	underColon     = groups.Compile(`(?:under|below|within) (?:the )?(?P<name>«»|[^.,;?!¶:]+?) (?::|-|–|—)`)
	underMilestone = groups.Compile(`(?:under|in|to|for|within|below|at) (?:the )?(?:milestone|phase|stage) (?P<name>«»|[^.,;?!¶:]+?)(?: (?:with|due|by|called|priority|:)|$)`)
	milestoneAfter = groups.Compile(`(?:under|in|to|for|within|below) (?:the )?(?P<name>«»|[^ .,;?!¶:]+(?: [^ .,;?!¶:]+){0,3}?) (?:milestone|phase|stage)`)
	reason         = groups.Compile(`(?:,? ?(?:because|since|as we|the reason is|reason :|rationale :|so that|due to|on account of))(?: of| that)? (?P<why>.+)$`)
	mitigation     = groups.Compile(`(?:, |; |\. |with )?(?:the )?(?:mitigation|mitigate(?: it)?|mitigated|countermeasure)(?: (?:is|:|by|would be|to))* (?P<why>.+)$`)
	bodyAfter      = groups.Compile(`(?:saying|that says|which says|with the text|with text|with the content|with content|containing|reading :|stating|: |with the following(?: text| content)?(?: :)?|about the fact that) ?(?P<body>.+)$`)
	riskLevel      = groups.Compile(`(?:with |a |, |and )*(?P<level>high|medium|low|big|small) (?P<what>likelihood|probability|impact|risk)`)
	riskVerb       = groups.Compile(`(?:with )?(?P<what>likelihood|probability|impact)(?: (?:is|of|:|=))? (?P<level>high|medium|low)`)
)

// addition adds tasks, milestones, risks, decisions, goals and documents.
func (s *situation) addition(a *ask) (write, *answer) {
	m, t := s.takeProject(a.text)
	if text, ok := contextText(t); ok {
		return s.addToContext(m, text)
	}
	ad := readAddition(t, s.reader)
	if ad.kind == assent.KindProject {
		next := s.createProject(a)
		return write{}, &next
	}
	f := s.projectFor(m, ad)
	if f.next != nil {
		return write{}, f.next
	}
	if len(ad.titles) == 0 {
		next := sayf("What should the %s be called? Give me its title in a sentence.", ad.kind)
		return write{}, &next
	}
	var under entity
	if ad.under != "" {
		mf := s.thing(assent.KindMilestone, ad.under, f.entity)
		if mf.next != nil {
			return write{}, mf.next
		}
		under = mf.entity
	}
	return ad.write(f.entity, under, s.today()), nil
}

// projectFor is the project that something is added to: the one that is named or
// meant, else that of the milestone it belongs to.
func (s *situation) projectFor(m mention, ad addition) found {
	if _, home := s.homeProject(); m.named() || home || ad.under == "" {
		return s.project(m)
	}
	under := s.thing(assent.KindMilestone, ad.under, entity{})
	if under.next != nil {
		return under
	}
	return found{entity: s.projectByID(under.ProjectID)}
}

// readAddition reads what to add; the project is gone from t already.
func readAddition(t english.Text, r english.Reader) addition {
	ad := addition{kind: addedKind(t), level: map[string]string{}}
	ad.priority = readPriority(t)
	t = ad.takeDetails(t)
	many := ad.many(t)
	if many {
		t = ad.takeShared(t, r)
	}
	t = ad.takeDates(t, r)
	for _, p := range addHead {
		if m, ok := p.Find(t.Canon()); ok {
			t = t.Drop(m.Range)
			break
		}
	}
	for _, p := range addTail {
		if m, ok := p.Find(t.Canon()); ok && m.From > 0 {
			t = t.Drop(m.Range)
		}
	}
	t = trimJoints(withoutEmptyBrackets(t))
	if t.Len() == 0 {
		ad.titleFromBody()
		return ad
	}
	whole := english.Range{From: 0, To: t.Len()}
	if many {
		ad.titles = readItems(t, whole, r.Dates(t))
		return ad
	}
	if title := t.Name(whole); title != "" {
		ad.titles = []item{{title: quoteInside(t, title)}}
	}
	return ad
}
