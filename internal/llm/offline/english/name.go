package english

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sentence makes the first letter a capital, unless the word has capitals of its
// own (iPhone).
func Sentence(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	first, _, _ := strings.Cut(s, " ")
	if r == utf8.RuneError || strings.IndexFunc(first[min(n, len(first)):], unicode.IsUpper) >= 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

// Lower makes the first letter small, unless the word is an acronym or a name
// with capitals of its own.
func Lower(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	first, _, _ := strings.Cut(s, " ")
	if r == utf8.RuneError || first == "I" || strings.IndexFunc(first[min(n, len(first)):], unicode.IsUpper) >= 0 {
		return s
	}
	return string(unicode.ToLower(r)) + s[n:]
}

// Squeeze makes every run of blanks one blank.
func Squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

// Clip cuts s to at most n words.
func Clip(s string, n int) string {
	w := strings.Fields(s)
	if len(w) <= n {
		return strings.Join(w, " ")
	}
	return strings.Join(w[:n], " ")
}

// nouns maps a verb that projects are told with to the noun of its doing.
// An empty noun means that the object alone is the name ("plan my wedding").
var nouns = map[string]string{
	"move": "move", "relocate": "relocation", "launch": "launch", "redesign": "redesign", "relaunch": "relaunch", "renovate": "renovation",
	"migrate": "migration", "implement": "implementation", "introduce": "introduction", "upgrade": "upgrade", "refurbish": "refurbishment",
	"replace": "replacement", "review": "review", "release": "release", "publish": "publication", "close": "closure", "restructure": "restructuring",
	"onboard": "onboarding", "rebrand": "rebranding", "expand": "expansion", "modernise": "modernisation", "modernize": "modernization",
	"integrate": "integration", "develop": "development", "deploy": "deployment", "roll out": "rollout", "rollout": "rollout", "open": "opening", "set up": "set-up",
	"setup": "set-up", "convert": "conversion", "extend": "extension", "acquire": "acquisition", "sell": "sale", "buy": "purchase", "purchase": "purchase",
	"prepare": "preparation", "automate": "automation", "audit": "audit", "evaluate": "evaluation", "rewrite": "rewrite", "refactor": "refactoring",
	"redecorate": "redecoration", "repaint": "repainting", "outsource": "outsourcing", "digitise": "digitisation", "digitize": "digitization",
	"consolidate": "consolidation", "test": "test", "update": "update", "redo": "renewal", "overhaul": "overhaul", "restore": "restoration",
	"plan": "", "organise": "", "arrange": "", "host": "", "hold": "", "throw": "", "run": "", "coordinate": "", "write": "", "produce": "", "do": "", "have": "",
	"conduct": "", "manage": "", "start": "", "create": "", "celebrate": "", "get": "", "want": "", "need": "", "make": "", "deliver": "", "begin": "",
	"kick off": "", "kickoff": "", "film": "", "record": "", "put on": "", "stage": "", "go on": "", "attend": "", "track": "",
}

var prepositions = wordSet("to from in into onto at for with on across within between over around of about")

// Nominal names a doing: ("moving", "our office to Leith") is "Office move to
// Leith", ("plan", "my wedding") is "Wedding", ("build", "a shed") is "Build a
// shed" since it has no noun of its own here.
func Nominal(verb, rest string) string {
	rest = Squeeze(rest)
	base := Infinitive(verb)
	noun, known := nouns[base]
	object, tail := splitObject(rest)
	object = TrimArticle(object)
	switch {
	case !known && base == "marry":
		return "Wedding"
	case !known && rest == "":
		return Sentence(base)
	case !known:
		return Sentence(base + " " + rest)
	case base == "set up" && strings.HasSuffix(object, "ing"): // "set up hiring for two nurses"
		return Sentence(Squeeze(object + " " + tail))
	case verb == "set up" && object != "": // "set up a study on sleep" is about the study
		return Sentence(Squeeze(object + " " + tail))
	case noun == "" && object == "":
		return Sentence(TrimArticle(rest))
	case noun == "":
		return Sentence(Squeeze(object + " " + tail))
	case object == "":
		return Sentence(Squeeze(noun + " " + tail))
	}
	return Sentence(Squeeze(object + " " + noun + " " + tail))
}

// IsDoing reports whether w is a form of a verb that projects are told with.
func IsDoing(w string) bool {
	_, known := nouns[Infinitive(w)]
	return known
}

// splitObject cuts "our office to Leith" before its first preposition.
func splitObject(s string) (object, tail string) {
	words := strings.Fields(s)
	for i, w := range words {
		if prepositions[strings.ToLower(w)] {
			return strings.Join(words[:i], " "), strings.Join(words[i:], " ")
		}
	}
	return s, ""
}

// TrimArticle takes "the", "our" and the like off the front.
func TrimArticle(s string) string {
	for {
		first, rest, ok := strings.Cut(s, " ")
		switch strings.ToLower(first) {
		case "the", "a", "an", "our", "my", "your", "their", "some", "this", "that", "his", "her", "its":
			if ok {
				s = strings.TrimSpace(rest)
				continue
			}
		}
		return s
	}
}

var irregular = map[string]string{"running": "run", "getting": "get", "putting": "put", "setting": "set", "rolling": "roll", "having": "have",
	"making": "make", "writing": "write", "hosting": "host", "holding": "hold", "throwing": "throw", "buying": "buy", "selling": "sell",
	"married": "marry", "marrying": "marry", "beginning": "begin", "doing": "do", "kicking": "kick", "going": "go", "planning": "plan",
	"planned": "plan", "being": "be", "starting": "start", "hiring": "hire", "building": "build", "training": "train", "opening": "open",
	"testing": "test", "wanting": "want", "needing": "need", "tracking": "track", "staging": "stage", "digging": "dig", "shipping": "ship",
	"cutting": "cut", "attending": "attend", "recording": "record", "filming": "film", "auditing": "audit", "reviewing": "review",
	"onboarding": "onboard", "extending": "extend", "refactoring": "refactor", "rebranding": "rebrand", "conducting": "conduct",
	"converting": "convert", "expanding": "expand", "publishing": "publish", "launching": "launch", "relaunching": "relaunch",
	"developing": "develop", "deploying": "deploy", "delivering": "deliver", "redesigning": "redesign", "rewriting": "rewrite"}

// Infinitive gives the base form of a verb's -ing form, roughly; other words
// stay as they are.
func Infinitive(w string) string {
	w = strings.ToLower(w)
	if base, ok := irregular[w]; ok {
		return base
	}
	base, ok := strings.CutSuffix(w, "ing")
	if !ok || len(base) < 3 {
		return w
	}
	if _, known := nouns[base+"e"]; known {
		return base + "e"
	}
	if _, known := nouns[base]; known {
		return base
	}
	n := len(base)
	switch {
	case base[n-1] == base[n-2] && base[n-1] != 'l' && base[n-1] != 's':
		return base[:n-1]
	case strings.HasSuffix(base, "at"), strings.HasSuffix(base, "v"), strings.HasSuffix(base, "c"), strings.HasSuffix(base, "is"),
		strings.HasSuffix(base, "iz"), strings.HasSuffix(base, "u"), strings.HasSuffix(base, "ng") && n > 4:
		return base + "e"
	}
	return base
}

// Doing turns a milestone's name into the work that leads to it: "Lease signed"
// is "Sign the lease"; a name without a participle is "Prepare" and the name.
func Doing(name string) string {
	words := strings.Fields(name)
	if len(words) >= 2 {
		if verb, ok := participles[strings.ToLower(words[len(words)-1])]; ok {
			return verb + " the " + Lower(TrimArticle(strings.Join(words[:len(words)-1], " ")))
		}
	}
	return "Prepare: " + Lower(name)
}

var participles = map[string]string{"signed": "Sign", "done": "Finish", "finished": "Finish", "complete": "Complete", "completed": "Complete",
	"ready": "Get ready", "approved": "Get approval for", "agreed": "Agree", "booked": "Book", "sent": "Send", "chosen": "Choose", "hired": "Hire",
	"launched": "Launch", "tested": "Test", "built": "Build", "written": "Write", "published": "Publish", "ordered": "Order", "paid": "Pay",
	"confirmed": "Confirm", "fixed": "Fix", "reviewed": "Review", "delivered": "Deliver", "installed": "Install", "selected": "Select",
	"planned": "Plan", "designed": "Design", "drafted": "Draft", "closed": "Close", "set": "Set", "found": "Find", "bought": "Buy",
	"migrated": "Migrate", "trained": "Train", "cleaned": "Clean", "packed": "Pack", "invited": "Invite", "decided": "Decide", "live": "Take live"}
