package rules

import (
	"slices"
	"strconv"
	"strings"

	"assent/internal/consent/said"
)

// choice is the steps that a stretch of a message names.
type choice struct {
	ids    []string
	named  bool // it names steps by more than a word of a label
	unsure bool // it names steps, and which ones cannot be known
	// borders are the tokens of words like "until" that part steps from others,
	// and so are no condition.
	borders []int
}

func (c *choice) put(ids ...string) {
	for _, id := range ids {
		if !slices.Contains(c.ids, id) {
			c.ids = append(c.ids, id)
		}
	}
}

// choose finds every step that the clauses from one to another name: by number,
// by ordinal ("the last two"), by kind ("both risks"), by a range or by words of
// a label. Loose numbers count without the word for a step beside them. Where
// words could mean one of several steps, none is named.
func (m *understood) choose(first, last int, it Item, loose bool) choice {
	from, to := m.clauses[first].pieces[0].from, m.clauses[last].pieces[len(m.clauses[last].pieces)-1].to
	s := chooser{m: m, it: it, loose: loose}
	except, all := m.allBut(first, last)
	if except >= 0 && !m.best.lex.joined {
		from = except
	}
	for _, g := range s.groups(s.parts(from, to, except >= 0)) {
		s.take(g)
	}
	s.inherit()
	s.resolve()
	if all && !s.out.unsure && len(s.out.ids) > 0 {
		s.out.ids = allOthers(it, s.out.ids)
	}
	if s.out.unsure || len(s.out.ids) == len(s.top()) && len(s.out.ids) > 1 {
		s.out.ids, s.out.unsure = nil, true // who leaves everything out means something else
	}
	return s.out
}

// allBut finds the token behind "all but", -1 where nothing is excepted;
// removed tells that those others are what is left out.
func (m *understood) allBut(first, last int) (behind int, removed bool) {
	behind = -1
	for i := first; i <= last; i++ {
		for _, x := range m.clauses[i].pieces {
			switch {
			case x.class&except != 0 && behind < 0:
				behind = x.to
			case x.class&remove != 0:
				removed = true
			}
		}
	}
	return behind, removed && behind >= 0
}

// allOthers is every top step but some.
func allOthers(it Item, ids []string) []string {
	var out []string
	for _, s := range it.Steps {
		if !nested(s) && !slices.Contains(ids, s.ID) {
			out = append(out, s.ID)
		}
	}
	return out
}

// chooser reads the members of one list.
type chooser struct {
	m     *understood
	it    Item
	loose bool
	list  []*wish
	out   choice
}

// parts reads tokens.
func (s *chooser) parts(from, to int, excepted bool) []part {
	m, table := s.m, partTables()[s.m.best.lex.name]
	classes := m.classes()
	var out []part
	for i := from; i < to; i++ {
		t, c := m.tokens[i], classes[i]
		p, ok := part{}, false
		if t.kind == word || t.kind == number {
			p, ok = table.at(m.tokens[i:to])
		}
		switch {
		case t.kind == mark && t.text == "-" && i > from && m.tokens[i-1].kind == number:
			p = part{class: partTo, tokens: 1}
		case t.kind == mark && t.text == "." && i > from && m.tokens[i-1].kind == number:
			p = part{class: partSuffix, tokens: 1}
		case (t.text == "o" || t.text == "a") && i > from && m.tokens[i-1].kind == number && m.tokens[i-1].end == t.start:
			p = part{class: partSuffix, tokens: 1} // 2ª
		case t.kind == mark, c&(and|but) != 0 && c&^(and|but|filler|add) == 0:
			p = part{class: partAnd, tokens: 1}
		case c&(remove|except) != 0 && !m.best.lex.joined && c&ordinal == 0:
			p = part{class: partSkip, tokens: 1}
		case t.kind == number && (c&date != 0 || i+1 < to && classes[i+1]&date != 0 && len(m.tokens[i+1].text) > 2 || i > from && classes[i-1]&(date|limit) != 0):
			p = part{class: partSkip, tokens: 1} // 3 March
		case t.kind == number && !ok:
			p = part{class: partNumber, text: t.text, tokens: 1}
		case excepted && p.class == partAll:
			p = part{class: partSkip, tokens: p.tokens}
		case !ok && c&^neutral != 0:
			p = part{class: partSkip, tokens: 1}
		case !ok:
			p = part{class: partWord, text: t.text, tokens: 1}
		}
		p.token = i
		out = append(out, p)
		i += p.tokens - 1
	}
	return out
}

// classes are those of each token.
func (m *understood) classes() []class {
	if m.byToken == nil {
		m.byToken = make([]class, len(m.tokens))
		for _, x := range m.best.pieces {
			for i := x.from; i < x.to; i++ {
				m.byToken[i] = x.class
			}
		}
	}
	return m.byToken
}

// groups splits at the words and marks of lists.
func (s *chooser) groups(ps []part) [][]part {
	var out [][]part
	from := 0
	for i, p := range ps {
		if p.class == partAnd {
			out = append(out, ps[from:i])
			from = i + 1
		}
	}
	return slices.DeleteFunc(append(out, ps[from:]), func(g []part) bool {
		return !slices.ContainsFunc(g, func(p part) bool { return p.class != partSkip })
	})
}

// wish is what one member of a list says.
type wish struct {
	nths, counts []int
	numbers      []string
	kind         string
	numerus      numerus
	kinds        int
	all, both    bool
	few          bool
	span         bool // from one to another
	bound        partClass
	words        []string
	modified     bool // a word nobody knows stands before the kind
	borders      []part
}

// take reads one member.
func (s *chooser) take(ps []part) {
	w := &wish{}
	behindNth := false
	for i, p := range ps {
		next := part{}
		if i+1 < len(ps) {
			next = ps[i+1]
		}
		switch p.class {
		case partNumber:
			s.number(w, p, ps, i, next, behindNth)
		case partCount:
			s.count(w, p, ps, i)
		case partNth:
			if (p.text == "" && len(w.numbers) == 1 && w.kinds == 0 && !w.span && w.bound == 0) && len(w.nths) == 0 {
				if n, err := strconv.Atoi(w.numbers[0]); err == nil { // "las 2 últimas"
					w.counts, w.numbers = append(w.counts, n), nil
				}
			}
			w.nths = append(w.nths, p.value)
		case partKind:
			w.kindOf(p, i > 0 && ps[i-1].class == partWord)
		case partAll:
			w.all = true
		case partBoth:
			w.both = true
		case partFew:
			w.few = true
		case partTill:
			w.borders = append(w.borders, p)
		case partTo:
			w.borders = append(w.borders, p)
			w.span = w.span || i > 0 && (next.class != partWord || s.m.best.lex.joined) && w.has()
		case partFrom, partAfter, partBefore, partOn:
			s.border(w, p, ps, i)
		case partWord:
			w.words = append(w.words, p.text)
		}
		behindNth = p.class == partNth || behindNth && p.class == partSkip
	}
	s.list = append(s.list, w)
}

func (w *wish) has() bool { return len(w.numbers)+len(w.nths)+len(w.counts) > 0 }

// kindOf takes the word for a kind; the more special of "risk step" counts.
func (w *wish) kindOf(p part, behindWord bool) {
	w.modified = w.modified || behindWord
	switch {
	case w.kind == "" || w.kind == aStep:
		w.kind, w.numerus = p.kind, p.numerus
		if p.kind != aStep {
			w.kinds++
		}
	case p.kind == aStep:
		w.numerus = max(w.numerus, p.numerus)
	case p.kind != w.kind:
		w.kinds++
	}
}

// number takes digits: the number of a step, or a count.
func (s *chooser) number(w *wish, p part, ps []part, i int, next part, behindNth bool) {
	n, err := strconv.Atoi(p.text)
	switch {
	case err == nil && (next.class == partSuffix || i > 0 && (ps[i-1].class == partPrefix || s.ordinalBefore(p))):
		w.nths = append(w.nths, n)
	case err == nil && (next.class == partCounter || behindNth && w.kind == "" || next.class == partKind && next.numerus == several && !w.span):
		w.counts = append(w.counts, n)
	default:
		w.numbers = append(w.numbers, p.text)
	}
}

// ordinalBefore reports a 第 that another phrase has swallowed.
func (s *chooser) ordinalBefore(p part) bool {
	return p.token > 0 && s.m.tokens[p.token-1].text == "第"
}

// count takes a number in words: behind the word for one step it is its name.
func (s *chooser) count(w *wish, p part, ps []part, i int) {
	named := w.kind != "" && w.numerus != either && len(w.nths) == 0 && (i > 0 && (ps[i-1].class == partKind || len(w.numbers) > 0))
	if named || w.span && len(w.numbers) > 0 {
		w.numbers = append(w.numbers, strconv.Itoa(p.value))
		return
	}
	w.counts = append(w.counts, p.value)
}

// border takes "after" and its like where a number or an ordinal stands on the
// side that its language puts it on.
func (s *chooser) border(w *wish, p part, ps []part, i int) {
	w.borders = append(w.borders, p)
	if p.class == partOn {
		if w.has() {
			w.bound = partFrom
		}
		return
	}
	if s.m.best.lex.joined {
		if w.has() {
			w.bound = p.class
		}
		return
	}
	for _, x := range ps[i+1:] {
		switch x.class {
		case partNumber, partNth:
			if w.has() {
				w.few = true // "2 after 3"
			}
			w.bound = p.class
			return
		case partSkip, partKind:
		default:
			return
		}
	}
}

// inherit gives members of a list the kind that is named only once: "the first
// and the last risk", "steps 2, 3 and 5".
func (s *chooser) inherit() {
	for i, w := range s.list {
		if i > 0 && w.kind == "" && len(w.counts) == 1 && !(len(w.nths) > 0) && len(s.list[i-1].numbers) > 0 && s.list[i-1].kind == aStep {
			w.numbers, w.counts = []string{strconv.Itoa(w.counts[0])}, nil // "steps two and four"
		}
		if w.kind != "" || !w.has() || len(w.words) > 0 {
			continue
		}
		for _, other := range slices.Concat(s.list[i+1:], reversed(s.list[:i])) {
			if other.kind != "" && (len(other.nths) > 0 && len(w.nths) > 0 || len(other.numbers) > 0 && len(w.numbers) > 0) {
				w.kind, w.numerus, w.kinds = other.kind, other.numerus, other.kinds
				break
			}
		}
	}
}

func reversed(ws []*wish) []*wish {
	out := slices.Clone(ws)
	slices.Reverse(out)
	return out
}

// resolve finds the steps of each member.
func (s *chooser) resolve() {
	for _, w := range s.list {
		ids, named, sure := s.steps(w)
		s.out.named = s.out.named || named
		s.out.unsure = s.out.unsure || !sure
		s.out.put(ids...)
		if !sure || !w.span && w.bound == 0 {
			continue
		}
		for _, p := range w.borders {
			for k := range p.tokens {
				s.out.borders = append(s.out.borders, p.token+k)
			}
		}
	}
}

// steps finds those of one member; sure is false where it names some that
// cannot be told.
func (s *chooser) steps(w *wish) (ids []string, named, sure bool) {
	if w.both && len(w.nths) > 0 && len(w.counts) == 0 {
		w.counts, w.both = []int{2}, false // "die letzten beiden"
	}
	if !s.loose && w.kind == "" && w.bound == 0 && (len(w.nths) == 0 || len(w.counts) == 0 || len(w.words) > 0) {
		w.numbers, w.nths, w.counts, w.bound, w.span = nil, nil, nil, 0, false
	}
	explicit := w.has() || w.kind != "" || w.both && s.loose || w.all && s.loose && len(w.words) > 0
	switch {
	case w.few && (explicit || s.loose):
		return nil, true, false
	case !explicit && w.all && s.loose && w.bound == 0 && len(w.words) == 0:
		return nil, false, true
	case !explicit:
		found := s.labelled(s.it.Steps, w.words)
		if len(found) > 1 {
			return nil, false, false
		}
		return found, false, true
	case w.kinds > 1:
		return nil, true, false
	case w.kind != "" && w.kind != aStep && len(w.numbers) > 0:
		ids, sure = s.numberedKind(w)
		return ids, true, sure
	case len(w.numbers) > 0 && len(w.nths)+len(w.counts) > 0, len(w.numbers) > 1 && !w.span:
		return nil, true, false
	case len(w.numbers) > 0:
		ids, sure = s.numbered(w)
		return ids, true, sure
	}
	ids, sure = s.among(w)
	return ids, true, sure
}

// numbered finds steps by their numbers.
func (s *chooser) numbered(w *wish) ([]string, bool) {
	numbers := w.numbers
	switch {
	case w.span:
		if numbers = between(numbers); numbers == nil {
			return nil, false
		}
	case w.bound != 0:
		return s.bounded(w.bound, numbers)
	}
	var out []string
	for _, n := range numbers {
		id, ok := numbered(s.it, n)
		if !ok {
			return nil, false
		}
		out = append(out, id)
	}
	return out, true
}

// between writes out a range of numbers: of steps, or of children of one.
func between(ends []string) []string {
	if len(ends) != 2 {
		return nil
	}
	head := ""
	if i, k := strings.LastIndexByte(ends[0], '.'), strings.LastIndexByte(ends[1], '.'); i >= 0 && i == k && ends[0][:i] == ends[1][:k] {
		head = ends[0][:i+1]
	}
	a, erra := strconv.Atoi(ends[0][len(head):])
	b, errb := strconv.Atoi(ends[1][len(head):])
	if erra != nil || errb != nil || a >= b || b-a > 100 {
		return nil
	}
	var out []string
	for ; a <= b; a++ {
		out = append(out, head+strconv.Itoa(a))
	}
	return out
}

// bounded finds the steps on one side of a step.
func (s *chooser) bounded(bound partClass, numbers []string) ([]string, bool) {
	n, err := strconv.Atoi(numbers[0])
	if err != nil || len(numbers) > 1 {
		return nil, false
	}
	top := s.top()
	switch {
	case n < 1 || n > len(top):
		return nil, false
	case bound == partBefore:
		return top[:n-1], n > 1
	case bound == partAfter:
		return top[n:], n < len(top)
	}
	return top[n-1:], true
}

// among finds steps by ordinal, count, kind and quantity.
func (s *chooser) among(w *wish) ([]string, bool) {
	kind := w.kind
	if kind == aStep {
		kind = ""
	}
	of, sure := s.universe(w, kind)
	if !sure || len(of) == 0 && kind == "" {
		return nil, false
	}
	if len(of) == 0 {
		return nil, !w.all && !w.both && !w.has() // a kind that the plan has nothing of
	}
	if kind == "task" && (len(w.nths) > 0 || len(w.counts) > 0) {
		one, _ := nths(w, of)
		if other, _ := nths(w, s.top()); !slices.Equal(one, other) && w.numerus != either {
			return nil, false // the last task may be the last step
		}
	}
	return nths(w, of)
}

// nths takes those steps that a member means out of those that it may mean.
func nths(w *wish, of []string) ([]string, bool) {
	switch {
	case w.both || w.all && len(w.counts) > 0:
		return of, len(of) == 2 && w.both || len(w.counts) == 1 && w.counts[0] == len(of)
	case len(w.nths) == 2 && w.span && len(w.counts) == 0:
		a, b := place(w.nths[0], of), place(w.nths[1], of)
		if a < 0 || b <= a {
			return nil, false
		}
		return of[a : b+1], true
	case w.span || len(w.counts) > 1:
		return nil, false
	case w.bound != 0 && len(w.nths) == 1 && len(w.counts) == 0:
		at := place(w.nths[0], of)
		switch {
		case at < 0:
			return nil, false
		case w.bound == partBefore:
			return of[:at], at > 0
		case w.bound == partAfter:
			return of[at+1:], at+1 < len(of)
		}
		return of[at:], true
	case w.bound != 0:
		return nil, false
	case len(w.nths) > 0 && len(w.counts) == 1:
		return ends(w.nths, w.counts[0], of)
	case len(w.nths) > 0:
		var out []string
		for _, n := range w.nths {
			at := place(n, of)
			if at < 0 {
				return nil, false
			}
			out = append(out, of[at])
		}
		return out, w.numerus != several || len(w.nths) > 1
	case len(w.counts) == 1:
		return of, w.counts[0] == len(of) && w.kind != "" && (w.kind != aStep || w.counts[0] > 1)
	case w.kind == aStep && len(w.words) == 0:
		return nil, false
	case w.all || w.numerus == several:
		return of, true
	}
	return of, len(of) == 1
}

// ends are the first or the last steps of a count.
func ends(nths []int, count int, of []string) ([]string, bool) {
	switch {
	case len(nths) != 1 || count < 1 || count > len(of):
		return nil, false
	case nths[0] == 1:
		return of[:count], true
	case nths[0] == -1:
		return of[len(of)-count:], true
	}
	return nil, false
}

// place is where an ordinal stands; -1 where there is no such step.
func place(n int, of []string) int {
	if n < 0 {
		n = len(of) + n + 1
	}
	if n < 1 || n > len(of) {
		return -1
	}
	return n - 1
}

// numberedKind finds "milestone 2": the second milestone, unless step 2 is a
// milestone as well.
func (s *chooser) numberedKind(w *wish) ([]string, bool) {
	of, sure := s.universe(w, w.kind)
	numbers := w.numbers
	if w.span {
		numbers = between(numbers)
	}
	if !sure || len(numbers) == 0 || w.bound != 0 || len(w.nths)+len(w.counts) > 0 {
		return nil, false
	}
	var nth, byNumber []string
	for _, n := range numbers {
		if id, ok := numbered(s.it, n); ok && (w.kind == "task" || slices.Contains(of, id)) {
			byNumber = append(byNumber, id)
		}
		if at, err := strconv.Atoi(n); err == nil && place(at, of) >= 0 && at > 0 {
			nth = append(nth, of[at-1])
		}
	}
	switch {
	case len(nth) == len(numbers) && (len(byNumber) == 0 || slices.Equal(nth, byNumber)):
		return nth, true
	case len(byNumber) == len(numbers) && len(nth) == 0:
		return byNumber, true
	}
	return nil, false
}

// universe is the steps that a member may mean: of its kind, and with its words
// in their labels.
func (s *chooser) universe(w *wish, kind string) ([]string, bool) {
	of := s.ofKind(kind)
	if kind == "task" && len(of) == 0 {
		of, kind = s.of(s.top()), "" // a step is called a task as well
	}
	if s.mixed(kind, of) && (w.all || w.numerus == several || w.both) && !w.has() {
		return nil, false
	}
	if len(w.words) == 0 {
		return idsOf(of), true
	}
	from := of
	if kind == "" {
		from = s.it.Steps
	}
	if found := s.labelled(from, w.words); len(found) > 0 {
		return found, true
	}
	return idsOf(of), !w.modified
}

func idsOf(steps []StepInfo) []string {
	var out []string
	for _, st := range steps {
		out = append(out, st.ID)
	}
	return out
}

func (s *chooser) of(ids []string) []StepInfo {
	return slices.DeleteFunc(slices.Clone(s.it.Steps), func(st StepInfo) bool { return !slices.Contains(ids, st.ID) })
}

// top are the steps that are no children.
func (s *chooser) top() []string {
	var out []string
	for _, st := range s.it.Steps {
		if !nested(st) {
			out = append(out, st.ID)
		}
	}
	return out
}

// ofKind are the steps that work on a kind of thing: by their tool, and where
// no tool does, by their label.
func (s *chooser) ofKind(kind string) []StepInfo {
	if kind == "" {
		return s.of(s.top())
	}
	var byTool, byLabel []StepInfo
	for _, st := range s.it.Steps {
		tool := said.Kinds(strings.ReplaceAll(st.Tool, "_", " "))
		switch {
		case slices.Contains(tool, kind):
			byTool = append(byTool, st)
		case len(tool) == 0 && slices.Contains(said.Kinds(st.Label), kind):
			byLabel = append(byLabel, st)
		}
	}
	if len(byTool) > 0 {
		return byTool
	}
	return byLabel
}

// mixed reports steps of a kind by tool beside others that only speak of it.
func (s *chooser) mixed(kind string, of []StepInfo) bool {
	for _, st := range s.it.Steps {
		if kind == "" || slices.Contains(idsOf(of), st.ID) || len(said.Kinds(strings.ReplaceAll(st.Tool, "_", " "))) > 0 || !slices.Contains(said.Kinds(st.Label), kind) {
			continue
		}
		parent := slices.ContainsFunc(of, func(c StepInfo) bool { return strings.HasPrefix(c.Number, st.Number+".") })
		if !parent {
			return true
		}
	}
	return false
}

// labelled finds the steps whose labels share most words with those said. Words
// of the plan's title name the plan, not a step.
func (s *chooser) labelled(steps []StepInfo, words []string) []string {
	var found []string
	most := 0
	for _, st := range steps {
		n := s.shares(st.Label, words)
		if n > most {
			found, most = nil, n
		}
		if n == most && n > 0 {
			found = append(found, st.ID)
		}
	}
	return found
}

func (s *chooser) shares(label string, words []string) int {
	ts, _ := tokens(label)
	if s.m.best.lex.joined {
		return pairs(foldText(label), words)
	}
	n := 0
	for _, t := range ts {
		known := s.m.known.has(t.text) || s.m.known.has(stem(t.text))
		if len(t.text) > 3 && !known && slices.ContainsFunc(words, func(w string) bool { return stem(w) == stem(t.text) }) {
			n++
		}
	}
	return n
}

// pairs counts the pairs of neighbouring signs that a label shares, where words
// are not set apart.
func pairs(label string, signs []string) int {
	n := 0
	for i := 0; i+1 < len(signs); i++ {
		if strings.Contains(label, signs[i]+signs[i+1]) {
			n++
		}
	}
	return n
}
