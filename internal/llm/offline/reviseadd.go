package offline

import (
	"slices"
	"strings"
	"time"

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

// add adds a milestone, task, risk, goal, decision or document to the plan.
func (r *revision) add(t english.Text) bool {
	if askFirst.In(t.Canon()) && !addVerb.In(t.Canon()) || t.Is(skipDet(t), "checkpoint") {
		return r.fail("I cannot add a stop inside a plan; the whole plan waits for your word anyway.")
	}
	t = r.placeLast(r.withoutProject(t))
	m, ok := addVerb.Find(t.Canon())
	if !ok && !addBare.In(t.Canon()) {
		return false
	}
	rest := t
	if ok {
		rest = t.Drop(m.Range)
	}
	if r.movesInTime(t, rest) {
		return false
	}
	if many, under := r.tasksUnder(rest); len(many) > 0 {
		return r.addUnder(many, under)
	}
	p, rest := r.takePlace(rest)
	kind, items := r.wanted(rest)
	if len(items) == 0 {
		return r.fail("I could not tell what to add. Name it, for example “add a milestone “Budget agreed” before the lease”.")
	}
	for _, it := range items {
		if !r.addOne(kind, it, p) {
			return false
		}
	}
	if len(items) == 1 {
		r.just = items[0].title
	}
	return true
}

// movesInTime reports a "put" that moves what is there: "put it in April", "put
// the fair in April".
func (r *revision) movesInTime(whole, rest english.Text) bool {
	dates := r.s.reader.Dates(rest)
	if !whole.Is(0, "put", "set", "have") || len(dates) == 0 {
		return false
	}
	name := target(rest.Drop(english.Range{From: dates[0].From, To: dates[0].To}))
	return isPronoun(name) || everythingWords.In(read(name).Canon()) || r.likeness(read(name)) >= fits
}

// everythingWords mean the whole plan.
var everythingWords = groups.Compile(`^(?:everything|all|all of it|all of them|the lot|all dates|all the dates|the dates|dates|the whole (?:thing|plan|project|lot)|whole thing|whole plan|the plan|plan|the whole|whole)$`)

var listUnder = groups.Compile(`^(?:(?:{det}|more|extra|additional|further|new|another|two|three|four|five|six|some|few|couple|of|\d+) )*tasks (?:under|in|to|for|into|within|below) (?:the )?(?:milestone |phase )?(?P<under>«»|[^.,;:]+?)(?: milestone| phase)? (?::|-|–|—) (?P<list>.+)$`)

// tasksUnder reads "two more tasks under Venue booked: a and b".
func (r *revision) tasksUnder(t english.Text) ([]item, string) {
	m, ok := listUnder.Find(t.Canon())
	if !ok {
		return nil, ""
	}
	under := target(t.Part(m.Groups["under"]))
	if _, _, ok := r.milestoneLike(under); !ok {
		return nil, ""
	}
	list := t.Part(m.Groups["list"])
	return readItems(list, english.Range{From: 0, To: list.Len()}, nil), under
}

func (r *revision) addUnder(items []item, under string) bool {
	i, k, _ := r.milestoneLike(under)
	ms := milestonesOf(argsOf(r.doc.Steps[i].Arguments))
	for _, it := range items {
		ms[k].Tasks = append(ms[k].Tasks, literal(it.title))
	}
	r.setMilestones(i, ms)
	return true
}

// placeFirst tells the milestone before the order: "under “Lease signed” add a
// task order boxes".
var placeFirst = groups.Compile(`^(?:under|in|into|to|for|below) (?:the )?(?:milestone )?(?P<place>«»|[^,;:]+?)(?: milestone)?(?: (?:,|:))? (?P<order>(?:also |please )?(?:add|include|put|insert) .+)$`)

// placeLast turns such an order round, so that the milestone stands behind it.
func (r *revision) placeLast(t english.Text) english.Text {
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

// wanted reads what to add: "a budget milestone", "a milestone called Budget",
// "two risks: a and b", "a task to call the landlord".
func (r *revision) wanted(t english.Text) (assent.Kind, []item) {
	t = trimEdges(t)
	at, kind := -1, assent.KindTask
	for i := range min(t.Len(), 9) {
		k, ok := kindNouns[t.Tokens[i].Word]
		if i > 0 && at < 0 && (isPreposition(t.Tokens[i].Word) || t.Is(i, "called", "named", ":")) {
			break
		}
		if ok && at >= 0 && titleBegins(t, i, at) {
			break
		}
		if ok {
			at, kind = i, k
		} else if at >= 0 {
			break
		}
	}
	if at < 0 {
		it := readItem(t, english.Range{From: 0, To: t.Len()}, r.s.reader.Dates(t))
		it.title = english.Sentence(english.TrimArticle(it.title))
		if it.title == "" {
			return kind, nil
		}
		if len(r.lists()) > 0 && t.Len() <= 3 {
			kind = assent.KindMilestone
		}
		return kind, []item{it}
	}
	before := target(t.Part(english.Range{From: 0, To: at}), "new", "another", "extra", "additional", "further", "one", "more", "two", "three", "separate", "big", "small", "high", "low", "also", "second", "third", "final")
	after := t.Part(english.Range{From: at + 1, To: t.Len()})
	for after.Len() > 0 && after.Is(0, "called", "named", "titled", ":", "-", "–", "to", "for", "that", "about", "of", "saying", "where", "is", "on") {
		after = after.Drop(english.Range{From: 0, To: 1})
	}
	if after.Len() == 0 || before != "" && !onlyStop(before) && len(r.s.reader.Dates(after)) > 0 {
		if before == "" || onlyStop(before) {
			return kind, nil
		}
		it := item{title: english.Sentence(before)}
		if d := r.s.reader.Dates(after); len(d) > 0 {
			it.due = d[0].Day
		}
		return kind, []item{it}
	}
	dates := r.s.reader.Dates(after)
	if strings.HasSuffix(t.Tokens[at].Word, "s") {
		return kind, readItems(after, english.Range{From: 0, To: after.Len()}, dates)
	}
	it := readItem(after, english.Range{From: 0, To: after.Len()}, dates)
	if it.title == "" {
		return kind, nil
	}
	return kind, []item{it}
}

// titleBegins reports whether the noun at i is the first word of a title rather
// than part of what is added: "a milestone Tickets sold".
func titleBegins(t english.Text, i, noun int) bool {
	return t.Tokens[i].Capital && !t.Tokens[noun].Capital || !strings.HasSuffix(t.Tokens[noun].Word, "s") && strings.HasSuffix(t.Tokens[i].Word, "s")
}

// addOne adds one thing.
func (r *revision) addOne(kind assent.Kind, it item, p place) bool {
	if kind == assent.KindMilestone && !r.strict && len(r.lists()) > 0 && p.step < 0 {
		return r.addMilestone(it, p)
	}
	if kind == assent.KindTask && !r.strict && r.addToTasks(it, p) {
		return true
	}
	if kind == assent.KindProject || kind == assent.KindTemplate {
		return r.fail("A second " + string(kind) + " is a plan of its own. Finish or discard this one first.")
	}
	project, ok := r.projectReference()
	if !ok {
		return r.fail("I cannot tell to which project that should be added.")
	}
	a := args{"project_id": project}
	if kind == assent.KindRisk {
		it.title = withLevels(it.title, a)
	}
	a["title"] = literal(it.title)
	if kind == assent.KindMilestone || kind == assent.KindTask {
		if due := r.dueOf(it, p); !due.IsZero() {
			a["due_date"] = due.Format(time.DateOnly)
		}
	}
	st := assent.Step{ID: r.freshID(string(kind)), Type: assent.StepTool, Label: "Add the " + string(kind) + " " + quoted(it.title), Tool: "create_" + string(kind), Arguments: encode(within(a))}
	return r.insert(st, r.index(kind, p))
}

// withLevels reads likelihood and impact off a risk's title into its arguments.
func withLevels(title string, a args) string {
	ad := addition{kind: assent.KindRisk, level: map[string]string{}}
	t := trimJoints(ad.takeLevels(read(title)))
	if t.Len() == 0 || len(ad.level) == 0 {
		return title
	}
	for k, v := range ad.level {
		a[k] = v
	}
	return t.Name(english.Range{From: 0, To: t.Len()})
}

// dueOf dates a milestone that stands first or last when the person gave none;
// in a strict change only what they said counts.
func (r *revision) dueOf(it item, p place) time.Time {
	_, due := r.deadline()
	switch {
	case !it.due.IsZero() || r.strict || due.IsZero() || !due.After(r.begin()):
		return it.due
	case p.front:
		return english.Between(r.begin(), due, int(due.Sub(r.begin()).Hours()/24)/8)
	}
	return it.due
}

// addMilestone puts a milestone into the plan's list, dated between its
// neighbours.
func (r *revision) addMilestone(it item, p place) bool {
	i := r.lists()[0]
	ms := milestonesOf(argsOf(r.doc.Steps[i].Arguments))
	at := len(ms)
	switch {
	case p.front:
		at = 0
	case p.before != "" || p.after != "":
		step, k, ok := r.milestoneLike(p.before + p.after)
		if !ok {
			return r.fail("I found no milestone called " + quoted(p.before+p.after) + " in the plan.")
		}
		i, ms = step, milestonesOf(argsOf(r.doc.Steps[step].Arguments))
		at = k + boolInt(p.after != "")
	}
	m := milestone{Title: literal(it.title)}
	switch {
	case !it.due.IsZero():
		m.DueDate = it.due.Format(time.DateOnly)
	default:
		m.DueDate = r.dateBetween(ms, at)
	}
	r.setMilestones(i, slices.Insert(ms, at, m))
	return true
}

// dateBetween is half-way between the neighbours of place at.
func (r *revision) dateBetween(ms []milestone, at int) string {
	from := r.begin()
	if at > 0 {
		if d, ok := english.ParseDay(ms[at-1].DueDate); ok {
			from = d
		}
	}
	if at == len(ms) {
		if len(ms) > 0 {
			return ms[len(ms)-1].DueDate
		}
		return ""
	}
	to, ok := english.ParseDay(ms[at].DueDate)
	if !ok || to.Before(from) {
		return ""
	}
	return english.Between(from, to, int(to.Sub(from).Hours()/24)/2).Format(time.DateOnly)
}

// addToTasks puts a task into a list of tasks that the plan has: that of a
// milestone if the place names one, else that of the plan.
func (r *revision) addToTasks(it item, p place) bool {
	if p.said && p.step >= 0 {
		return false
	}
	name, under, isUnder := cutUnder(it.title)
	if isUnder {
		if i, k, ok := r.milestoneLike(under); ok {
			ms := milestonesOf(argsOf(r.doc.Steps[i].Arguments))
			ms[k].Tasks = append(ms[k].Tasks, literal(name))
			r.setMilestones(i, ms)
			return true
		}
	}
	if name, i, k, ok := r.cutMilestone(it.title); ok {
		ms := milestonesOf(argsOf(r.doc.Steps[i].Arguments))
		ms[k].Tasks = append(ms[k].Tasks, literal(name))
		r.setMilestones(i, ms)
		return true
	}
	for i, st := range r.doc.Steps {
		a := argsOf(st.Arguments)
		if list, ok := a["tasks"].([]any); ok && st.Tool == "create_tasks" {
			task := map[string]any{"title": literal(it.title)}
			if !it.due.IsZero() {
				task["due_date"] = it.due.Format(time.DateOnly)
			}
			a["tasks"] = append(list, task)
			r.set(i, a)
			r.relabelTasks(i, len(list)+1)
			return true
		}
	}
	return false
}

// cutMilestone splits "order posters to programme printed" where a milestone of
// the plan has just that name.
func (r *revision) cutMilestone(title string) (name string, step, index int, ok bool) {
	low := strings.ToLower(title)
	for _, sep := range []string{" to ", " in ", " for ", " into "} {
		at := strings.LastIndex(low, sep)
		if at <= 0 {
			continue
		}
		under := title[at+len(sep):]
		if i, k, found := r.milestoneLike(under); found && english.Likeness(under, plain(milestonesOf(argsOf(r.doc.Steps[i].Arguments))[k].Title)) >= sureName {
			return title[:at], i, k, true
		}
	}
	return title, 0, 0, false
}

// cutUnder splits "call the landlord to the lease milestone".
func cutUnder(title string) (name, under string, ok bool) {
	low := strings.ToLower(title)
	for _, sep := range []string{" under ", " to the ", " in the ", " to milestone ", " under milestone ", " in milestone "} {
		if at := strings.LastIndex(low, sep); at > 0 && (strings.Contains(low[at:], "milestone") || strings.Contains(sep, "under")) {
			return title[:at], strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(title[at+len(sep):]), "the "), " milestone"), true
		}
	}
	return title, "", false
}

// projectReference is how steps refer to the plan's project.
func (r *revision) projectReference() (string, bool) {
	if i := r.projectStep(); i >= 0 {
		return "$" + itoa(i) + ".output.artifact_id", true
	}
	for _, st := range r.doc.Steps {
		if id := argsOf(st.Arguments).text("project_id"); id != "" {
			return id, true
		}
	}
	if e, ok := r.s.homeProject(); ok {
		return e.ID, true
	}
	return "", false
}

func (r *revision) freshID(base string) string {
	used := map[string]bool{}
	for _, st := range r.doc.Steps {
		used[st.ID] = true
		for _, c := range st.Steps {
			used[c.ID] = true
		}
	}
	id := base
	for n := 2; used[id]; n++ {
		id = base + itoa(n)
	}
	return id
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

func (r *revision) insert(st assent.Step, at int) bool {
	var from []int
	for i := range r.doc.Steps {
		if i == at {
			from = append(from, -1)
		}
		from = append(from, i)
	}
	if at >= len(r.doc.Steps) {
		from = append(from, -1)
	}
	return r.rearranged(from, st)
}

var (
	swapping   = groups.Compile(`^(?:swap|switch|exchange) (?:the )?(?:steps |step )?.+`)
	reordering = groups.Compile(`^(?:move|put|do|run|have|make|shift|place) (?P<what>.+?) (?:to |at |in |right |just )*(?P<where>before|after|first|last|to the end|at the end|to the start|the end|the start|the top|the beginning)(?: (?P<other>.+))?$`)
)

// swap exchanges two steps.
func (r *revision) swap(t english.Text) bool {
	if !swapping.In(t.Canon()) {
		return false
	}
	which := stepsNumbered(t, len(r.doc.Steps))
	if len(which) != 2 {
		which = numbersFrom(t, 1, len(r.doc.Steps))
	}
	if len(which) != 2 {
		return false
	}
	from := identity(len(r.doc.Steps))
	from[which[0]], from[which[1]] = from[which[1]], from[which[0]]
	return r.rearranged(from)
}

func identity(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// reorder moves a step: "do step 4 first", "move the risk before the milestones".
func (r *revision) reorder(t english.Text) bool {
	m, ok := reordering.Find(t.Canon())
	if !ok || len(r.s.reader.Dates(t)) > 0 {
		return false
	}
	what := t.Part(m.Groups["what"])
	i, found := stepNamed(what, r.doc.Steps)
	if !found {
		if _, _, isMilestone := r.milestoneLike(target(what)); isMilestone {
			return r.reorderMilestone(t, m)
		}
		if i, found = stepLike(target(what), r.doc.Steps); !found {
			return false
		}
	}
	to := len(r.doc.Steps) - 1
	where := t.Part(m.Groups["where"]).Canon().Line
	switch {
	case strings.Contains(where, "first") || strings.Contains(where, "start") || strings.Contains(where, "top") || strings.Contains(where, "beginning"):
		to = 0
	case strings.Contains(where, "before") || strings.Contains(where, "after"):
		other := t.Part(m.Groups["other"])
		k, ok := stepNamed(other, r.doc.Steps)
		if !ok {
			if k, ok = stepLike(target(other), r.doc.Steps); !ok {
				return false
			}
		}
		to = k + boolInt(strings.Contains(where, "after")) - boolInt(i < k)
	}
	return r.moveStep(i, to)
}

func (r *revision) moveStep(i, to int) bool {
	var from []int
	for k := range r.doc.Steps {
		if k != i {
			from = append(from, k)
		}
	}
	to = max(0, min(to, len(from)))
	// What every step needs stays in front: first may only mean first possible.
	for first := to; first < len(r.doc.Steps); first++ {
		if _, lost := rearrange(r.doc.Steps, slices.Insert(slices.Clone(from), min(first, len(from)), i)); len(lost) == 0 {
			return r.rearranged(slices.Insert(from, min(first, len(from)), i))
		}
	}
	return r.fail("That order is not possible: the steps after it need its result.")
}

// reorderMilestone moves a milestone within its list; the dates stay in order.
func (r *revision) reorderMilestone(t english.Text, m english.Match) bool {
	i, k, _ := r.milestoneLike(target(t.Part(m.Groups["what"])))
	ms := milestonesOf(argsOf(r.doc.Steps[i].Arguments))
	var dates []string
	for _, x := range ms {
		dates = append(dates, x.DueDate)
	}
	moved := ms[k]
	rest := slices.Delete(slices.Clone(ms), k, k+1)
	at := len(rest)
	where := t.Part(m.Groups["where"]).Canon().Line
	switch {
	case strings.Contains(where, "first") || strings.Contains(where, "start") || strings.Contains(where, "top") || strings.Contains(where, "beginning"):
		at = 0
	case strings.Contains(where, "before") || strings.Contains(where, "after"):
		name := target(t.Part(m.Groups["other"]))
		at = slices.IndexFunc(rest, func(x milestone) bool { return english.Likeness(name, plain(x.Title)) >= fits })
		if at < 0 {
			return r.fail("I found no milestone called " + quoted(name) + " in the plan.")
		}
		at += boolInt(strings.Contains(where, "after"))
	}
	rest = slices.Insert(rest, at, moved)
	for n := range rest {
		rest[n].DueDate = dates[n]
	}
	r.setMilestones(i, rest)
	return true
}
