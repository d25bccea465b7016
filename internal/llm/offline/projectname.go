package offline

import (
	"strings"

	"assent/internal/llm/offline/english"
)

// namings are the ways in which people name a project outright, the clearest
// first. The group is the name; what is named with a verb is told as a doing.
var namings = []struct {
	pattern english.Pattern
	doing   bool
}{
	{groups.Compile(`(?:called|named|titled|with the name|with the title|name it|call it|name is|name :|title :|project :|call the project|name the project|entitled|known as|under the name(?: of)?) :? ?(?P<name>«»)`), false},
	{groups.Compile(`(?:called|named|titled|with the name|with the title|name it|call it|call the project|name the project|its name is|the name is|name is|name :|title :|entitled|known as|under the name(?: of)?)(?: should be)? (?P<name>[^.,;?!¶:]+)`), false},
	{groups.Compile(`{project} (?:for |: )?(?P<name>«»)`), false},
	{groups.Compile(`(?P<name>«») {project}`), false},
	{groups.Compile(`^(?:(?:also|and|please) )*(?:draft|plan|make|create|set up|start|do|prepare|sketch)(?: me| us)? (?:one|another|another one|one more|a second one) (?:for|about|on|to) (?P<doing>[^.,;?!¶:]+)`), true},
	{groups.Compile(`{project} {plan} (?:to|for|of|on|about) (?P<doing>[^.,;?!¶]+)`), true},
	{groups.Compile(`{project} (?:to|in which we|where we|that will|which will|that) (?P<doing>[^.,;?!¶]+)`), true},
	{groups.Compile(`{project} (?:for|about|around|on|covering|regarding|concerning|of|-|–|—|:) (?P<doing>[^.,;?!¶]+)`), true},
	{groups.Compile(`^(?:(?:{create}|have) )?(?:(?:{det}|new|me|us|up|small|big|proper|quick|simple|little) )*project (?P<name>[^.,;?!¶:]+)`), false},
	{groups.Compile(`(?:{create}|have|start) (?:{det} |new |me |us |up |small |big |proper |quick |simple |little )*(?P<name>[^.,;?!¶]+?) (?:as a )?{project}`), false},
	{groups.Compile(`^{project} (?P<name>[^.,;?!¶]+)`), false},
	{groups.Compile(`^(?:the |our |my )?(?P<name>[^.,;?!¶:]+?) {project}$`), false},
}

// mendedThing is a thing of which it is told what should be done with it: "our
// roof leaks and we want it replaced".
var mendedThing = groups.Compile(`^(?:our|my|the) (?P<thing>[^ .,]+(?: [^ .,]+)?) (?:(?:leaks|is|are|has|needs|looks|does|do|keeps|was|broke|fails) .*?(?:want|need|would like|have|get|like) (?:it|them|that|this) (?:to be )?|(?:must|has to|have to|needs to|need to|should) be )(?P<verb>[a-z]+ed)`)

func repairName(t english.Text) string {
	m, ok := mendedThing.Find(t.Canon())
	if !ok {
		return ""
	}
	verb := t.Tokens[m.Groups["verb"].From].Word
	for _, base := range []string{strings.TrimSuffix(verb, "d"), strings.TrimSuffix(verb, "ed")} {
		if english.IsDoing(base) {
			return english.Nominal(base, t.Slice(m.Groups["thing"].From, m.Groups["thing"].To))
		}
	}
	return ""
}

// statements tell a project as something that people do.
var statements = []english.Pattern{
	groups.Compile(`^(?:i|we) (?:run|have|own|am|are|work|live|got) [^.,;?!¶]+? and (?:now |i |we )*(?:want|need|would like)(?: to)? (?P<doing>[^.,;?!¶]+)`),
	groups.Compile(`^(?:{we}|my [^ ]+|our [^ ]+|the [^ ]+|i am|it is) (?:(?:are|am|is|will|will be|have|has|want|wants|need|needs|plans|intends|hopes|would like|have decided|decided|plan|intend|hope|aim|must|should) )+(?:(?:going|planning|about|to|looking|trying|be|have|thinking of|thinking about|in the process of|soon|finally|also|organise|help with|help) )*(?P<doing>[^.,;?!¶]+)`),
	groups.Compile(`(?:,|\.|;|!|\?|¶|so|and|–|-) (?:(?:please|can you|could you|would you|help me|help us|to|i want to|we want to|let us|i need to|we need to|i have to|we have to|so|now) )*(?P<doing>(?:plan|organise|arrange|prepare|coordinate|throw|host) (?:{det} )?[^.,;?!¶:]+)`),
	groups.Compile(`^(?:{create} (?:me |us )?(?:{det} )?{plan} (?:for|to) )(?P<doing>[^.,;?!¶]+)`),
	groups.Compile(`^(?:i|we) (?P<doing>(?:move|relocate|launch|relaunch|redesign|renovate|migrate|introduce|upgrade|replace|open|host|organise|rebuild|restructure) [^.,;?!¶]+)`),
	groups.Compile(`^(?:i|we) (?:have got|have|got|am|are|need|want) (?P<doing>[^.,;?!¶]+)`),
}

// projectName derives a name, and what the project is about, from the words that
// are left when lists and dates are gone. Quoted names win, then "called X",
// then what the sentence says is to be done.
func projectName(t english.Text) (name, about string) {
	for len(t.Tokens) > 0 && t.Ends(0) {
		t = t.Drop(english.Range{From: 0, To: 1})
	}
	if n := count(t, english.Quote); n == 1 && !hasNaming(t) {
		for i, tok := range t.Tokens {
			if tok.Kind == english.Quote {
				return t.Name(english.Range{From: i, To: i + 1}), tok.Inside
			}
		}
	}
	c := t.Canon()
	for _, n := range namings {
		m, ok := n.pattern.Find(c)
		if !ok {
			continue
		}
		if r, found := m.Groups["name"]; found {
			if name := cleanName(t, r); name != "" {
				return name, name
			}
		}
		if r, found := m.Groups["doing"]; found {
			if name := doingName(t.Part(r)); name != "" {
				return name, t.Slice(r.From, r.To)
			}
		}
	}
	if name := repairName(t); name != "" {
		return name, t.Slice(0, sentenceEnd(t, 0))
	}
	for _, p := range statements {
		if m, ok := p.Find(c); ok {
			r := m.Groups["doing"]
			if name := doingName(t.Part(r)); name != "" {
				return name, t.Slice(r.From, r.To)
			}
		}
	}
	first := english.Range{From: 0, To: sentenceEnd(t, 0)}
	return doingName(t.Part(first)), t.Slice(first.From, first.To)
}

var quoteNamed = groups.Compile(`(?:called|named|titled|name it|call it|entitled) [^«]`)

func hasNaming(t english.Text) bool { return quoteNamed.In(t.Canon()) }

func count(t english.Text, k english.Kind) int {
	n := 0
	for _, tok := range t.Tokens {
		if tok.Kind == k {
			n++
		}
	}
	return n
}

// sentenceEnd is where the clause that begins at i ends.
func sentenceEnd(t english.Text, i int) int {
	for ; i < t.Len(); i++ {
		if t.Ends(i) || t.Is(i, ",", ":", "-", "–", "—", "(") {
			return i
		}
	}
	return i
}

// nameEnds are words with which a name surely has ended.
var nameEnds = wordSet(`because so but which who whose with including using where when while if then and's please thanks that should having since as
	due starting under until based having plus has is are will let give add make show`)

// cleanName cuts a name at the first word that cannot belong to it.
func cleanName(t english.Text, r english.Range) string {
	for i := r.From; i < r.To; i++ {
		if i > r.From && (nameEnds[t.Tokens[i].Word] && !t.Tokens[i].Capital || t.Is(i, "and") && endsAfterAnd(t, i+1) || t.Is(i, "to") && t.Is(i+1, "be")) {
			r.To = i
			break
		}
	}
	if r.To > r.From && !t.Tokens[r.From].Capital && (nameEnds[t.Tokens[r.From].Word] || isPreposition(t.Tokens[r.From].Word) || t.Is(r.From, "out", "and", "so", "that")) {
		return ""
	}
	for r.To > r.From && t.Is(r.To-1, "and", "for", "to", "with", "a", "the", "by", "in", "on", "of", "(", ")", "at", "it", "me", "us", "new") {
		r.To--
	}
	name := t.Name(r)
	if emptyName[strings.ToLower(name)] {
		return ""
	}
	return name
}

// endsAfterAnd reports whether what follows an "and" is another wish and no part
// of the name.
func endsAfterAnd(t english.Text, i int) bool {
	return t.Is(i, "add", "give", "set", "make", "create", "include", "put", "then", "with", "i", "we", "it", "show", "use", "have", "let", "do", "tell", "start",
		"need", "want", "break", "split", "please", "run", "finish", "call", "keep", "save", "also", "a", "an", "its", "that", "this")
}

// emptyName are what is left of a wish without a subject.
var emptyName = wordSet(`project new the a an it this that one something up another me us please for to fresh first next my our create start begin
	make set setup plan projects thing things anything whatever stuff`)

// doingName names a doing: "moving our office to Leith", "the website relaunch".
func doingName(t english.Text) string {
	t = cutClause(t).Respelled()
	for t.Len() > 1 && (t.Is(0, "to", "be", "please", "up", "me", "us", "for", "about", "of", "also", "the", "help", "just", "new", "it", "a", "an", "going", "planning", "and", "do", "is") && !t.Is(0, "be", "new") ||
		t.Is(0, "be", "is") || t.Is(0, "with") && t.Is(1, "the", "our", "my")) {
		t = t.Drop(english.Range{From: 0, To: 1})
	}
	if t.Len() == 0 {
		return ""
	}
	if t.Is(0, "get", "getting") && t.Is(1, "married") || t.Is(0, "marry", "marrying", "married") {
		return "Wedding"
	}
	whole := english.Range{From: 0, To: t.Len()}
	verb, size := t.Tokens[0].Word, 1
	for _, phrasal := range []string{"set up", "setting up", "kick off", "kicking off", "roll out", "rolling out", "put on", "putting on", "get ready", "getting ready"} {
		if t.IsPhrase(0, phrasal) {
			first, second, _ := strings.Cut(phrasal, " ")
			verb, size = english.Infinitive(first)+" "+second, 2
		}
	}
	if verb == "get ready" {
		verb = "prepare"
	}
	doing := size == 2 || english.IsDoing(verb) || strings.HasSuffix(verb, "ing") && t.Len() > 1 && t.Is(1, "the", "our", "my", "a", "an", "new", "all", "to", "for")
	name := ""
	switch {
	case doing && t.Len() > size && !nounAfter(t, verb, size):
		name = english.Nominal(verb, english.Squeeze(dropOwners(t.Drop(english.Range{From: 0, To: size}))))
	case doing && t.Len() == size:
		name = english.Sentence(verb)
	default:
		name = t.Name(whole)
	}
	name = strings.TrimRight(strings.TrimSpace(name), " ,;:.!?")
	if emptyName[strings.ToLower(name)] {
		return ""
	}
	return english.Clip(name, 10)
}

// nounAfter reports whether the first word is no verb here but part of a noun
// ("launch party", "move coordination", "review board").
func nounAfter(t english.Text, verb string, size int) bool {
	if size > 1 || strings.HasSuffix(verb, "ing") || verb != english.Infinitive(verb) {
		return false
	}
	next := t.Tokens[1].Word
	noun := map[string]bool{"party": true, "day": true, "event": true, "plan": true, "campaign": true, "process": true, "week": true, "of": true, "board": true, "in": true}
	return noun[next]
}

// dropOwners takes "our" and "my" out of the middle of a name.
func dropOwners(t english.Text) string {
	var drop []english.Range
	for i := range t.Tokens {
		if i > 0 && t.Is(i, "our", "my", "your", "their") && !t.Is(i-1, "of") {
			drop = append(drop, english.Range{From: i, To: i + 1})
		}
	}
	return t.Drop(drop...).String()
}

// cutClause cuts at a joint after which a new thought begins.
func cutClause(t english.Text) english.Text {
	for i := 1; i < t.Len(); i++ {
		if nameEnds[t.Tokens[i].Word] && !t.Tokens[i].Capital || t.Is(i, "and") && endsAfterAnd(t, i+1) || t.Is(i, "as") || t.Is(i, "to") && t.Is(i+1, "be") {
			return t.Part(english.Range{From: 0, To: i})
		}
	}
	for t.Len() > 1 && t.Is(t.Len()-1, "and", "for", "to", "with", "by", "in", "on", "at", "a", "the", "soon", "now", "(", ")", "project") {
		t = t.Part(english.Range{From: 0, To: t.Len() - 1})
	}
	return t
}
