package offline

import (
	"slices"
	"strings"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// place is where something is to be added.
type place struct {
	front, end    bool
	before, after string // named by words
	step          int    // before or after a step by number, from 0; -1 if not
	said          bool
}

var (
	addVerb   = groups.Compile(`^(?:(?:i |we |you |it |there |be |can |could |please |just |also |would |like |should |to |need |needs |want |have )*(?:add|include|insert|put in|put|append|throw in|need|needs|want|like|be|also|plus|with|have|create|note|record|list|another|one more))(?: (?:in|also|too))*`)
	addBare   = groups.Compile(`^(?:(?:{det} |new |another )+(?:milestones?|tasks?|risks?|goals?|decisions?|notes?) (?::|called|named|that|of) .+|(?:(?:another|one|two|three|four|five|six|some|a few|a couple of|\d+) )?(?:more|extra|additional|further) (?:milestones?|tasks?|risks?|goals?) .+)`)
	placeEnd  = groups.Compile(`(?:(?:as the |at the |in the |to the |on the )?(?:very )?(?:last|end|bottom)(?: (?:milestone|step|task|one|of the plan|of the list))?|in last place|last)$`)
	placeHead = groups.Compile(`(?:as the |at the |in the |to the |to |on )?(?:very )?(?:first|beginning|start|front|top|begin)(?: (?:milestone|step|task|one|of all|of the plan|place|position|thing))*$`)
	placeBy   = groups.Compile(`(?P<side>before|after|ahead of|behind|following|in front of|right before|right after|just before|just after) (?P<name>.+)$`)
	askFirst  = groups.Compile(`(?:ask me|check with me|confirm with me|wait for me|stop and ask|checkpoint|pause)(?: .*)?`)
)

// placeFirst tells the milestone before the order: "under “Lease signed” add a
// task order boxes".
var placeFirst = groups.Compile(`^(?:under|in|into|to|for|below) (?:the )?(?:milestone )?(?P<place>«»|[^,;:]+?)(?: milestone)?(?: (?:,|:))? (?P<order>(?:also |please )?(?:add|include|put|insert) .+)$`)

// placeInside tells where before the name: "add a milestone after the venue called
// Permits".
var placeInside = groups.Compile(`^(?P<order>.+?) (?P<where>(?:before|after|ahead of|behind) .+?) (?P<named>(?:called|named|titled) .+)$`)

// placeLast turns such an order round, so that the milestone stands behind it.
func (r *revision) placeLast(t english.Text) english.Text {
	if m, ok := placeInside.Find(t.Canon()); ok {
		return read(t.Part(m.Groups["order"]).String() + " " + t.Part(m.Groups["named"]).String() + " " + t.Part(m.Groups["where"]).String())
	}
	m, ok := placeFirst.Find(t.Canon())
	if !ok {
		return t
	}
	place := target(t.Part(m.Groups["place"]))
	if _, _, found := r.milestoneLike(place); !found {
		return t
	}
	return read(t.Part(m.Groups["order"]).String() + " under milestone " + place)
}

// withoutProject drops the name of the project that the plan is about anyway:
// "add a task to the office move: call the landlord".
func (r *revision) withoutProject(t english.Text) english.Text {
	own := &situation{state: state{Projects: []entity{{Name: r.projectName()}}}}
	if r.projectStep() < 0 {
		own = r.s
	}
	if _, at, ok := own.knownProject(t); ok && at.From > 0 && isPreposition(t.Tokens[at.From].Word) {
		return t.Drop(at)
	}
	return t
}

func skipDet(t english.Text) int {
	i := 0
	for t.Is(i, "add", "include", "insert", "put", "in", "a", "an", "the", "another", "one") {
		i++
	}
	return i
}

// takePlace reads "first", "at the end", "before the lease", "after step 2".
func (r *revision) takePlace(t english.Text) (place, english.Text) {
	p := place{step: -1}
	if m, ok := placeBy.Find(t.Canon()); ok && m.From > 0 {
		name := t.Part(m.Groups["name"])
		side := t.Part(m.Groups["side"]).Canon().Line
		if len(r.s.reader.Dates(t.Part(english.Range{From: m.From, To: t.Len()}))) > 0 && !strings.Contains(side, "after") {
			return p, t
		}
		words := target(name)
		if strings.Contains(side, "after") || strings.Contains(side, "behind") || strings.Contains(side, "following") {
			p.after = words
		} else {
			p.before = words
		}
		if i, ok := stepNamed(name, r.doc.Steps); ok {
			p.step = i
		}
		p.said = true
		return p, t.Drop(english.Range{From: m.From, To: t.Len()})
	}
	for _, c := range []struct {
		pattern english.Pattern
		set     *bool
	}{{placeHead, &p.front}, {placeEnd, &p.end}} {
		if m, ok := c.pattern.Find(t.Canon()); ok && m.From > 0 {
			*c.set, p.said = true, true
			return p, t.Drop(m.Range)
		}
	}
	if t.Is(0, "first", "last") {
		p.front, p.end, p.said = t.Is(0, "first"), t.Is(0, "last"), true
		t = t.Drop(english.Range{From: 0, To: 1})
	}
	return p, t
}

// index is where a new step goes.
func (r *revision) index(kind assent.Kind, p place) int {
	first := r.projectStep() + 1
	end := len(r.doc.Steps)
	if i := slices.IndexFunc(r.doc.Steps, func(st assent.Step) bool { return st.Tool == "publish_document" }); i >= first {
		end = i
	}
	switch {
	case p.step >= 0:
		return max(first, p.step+boolInt(p.after != ""))
	case p.before+p.after != "":
		if i, ok := stepLike(p.before+p.after, r.doc.Steps); ok {
			return max(first, i+boolInt(p.after != ""))
		}
		if i, _, ok := r.milestoneLike(p.before + p.after); ok {
			return max(first, i+boolInt(p.after != ""))
		}
	case p.front:
		return first
	case p.end:
		return len(r.doc.Steps)
	}
	return end
}
