package rules

import "strings"

// class is what a word or phrase does in a message.
type class int

const (
	yes      class = iota + 1 // assent: "yes", "agreed"
	run                       // an order to run: "go ahead", "do it"
	praise                    // "looks good": assent when nothing else is said
	object                    // what is run: "it", "the plan", "everything"
	courtesy                  // "please", "thanks"
	filler                    // "then", "now", "so"
	no                        // refusal of the whole: "no", "forget it"
	later                     // "not yet", "wait": it keeps waiting
	not                       // negation of what stands beside it
	hedge                     // "maybe", "I think", "not sure"
	when                      // conditions and reported speech: "if", "said", "tomorrow"
	ask                       // question words
	but                       // contrast: what follows changes something
	remove                    // "leave out"
	add                       // "add"
	set                       // "change", "make", "instead"
	stop
	pause
	resume
	undoAll
	undoStep
	cancelRun
)

// language is the vocabulary of one language; phrases are separated by |.
type language struct {
	name  string
	words map[class]string
	// joined languages are written without spaces.
	joined bool
}

// lexicon is a language ready to be looked up: phrase → class, and the length in
// words of its longest phrase.
type lexicon struct {
	name       string
	joined     bool
	phrases    map[string]class
	longest    int
	vocabulary map[string]bool
	typos      map[int][]string // words of harmless phrases by length, for slips of the finger
	resumes    map[string]bool  // what also means "go on" where something is paused
}

func build(l language) lexicon {
	x := lexicon{name: l.name, joined: l.joined, phrases: map[string]class{}, vocabulary: map[string]bool{}, typos: map[int][]string{}, resumes: map[string]bool{}}
	for c := yes; c <= cancelRun; c++ {
		for _, p := range strings.Split(l.words[c], "|") {
			p = fold(strings.TrimSpace(p))
			if p == "" {
				continue
			}
			if c == resume {
				x.resumes[p] = true
			}
			// A word that changes something does so even where it could also be a
			// negation or a condition ("without", "only"); else the first use counts.
			if had, taken := x.phrases[p]; !taken || had >= not && had <= but && c >= remove && c <= set {
				x.phrases[p] = c
			}
			x.learn(p, c)
			n := len(strings.Fields(p))
			if l.joined {
				n = len([]rune(p))
			}
			x.longest = max(x.longest, n)
		}
	}
	return x
}

// learn remembers the words of a phrase.
func (x lexicon) learn(phrase string, c class) {
	for _, w := range strings.Fields(phrase) {
		if !x.vocabulary[w] && c <= filler && !x.joined && len(w) >= minSlip {
			x.typos[len(w)] = append(x.typos[len(w)], w)
		}
		x.vocabulary[w] = true
	}
}

// lexicons are built once; nothing changes them.
var lexicons = buildAll()

func buildAll() []lexicon {
	var out []lexicon
	for _, l := range []language{english(), german(), french(), spanish(), italian(), portuguese(), dutch(), polish(), japanese(), chinese()} {
		out = append(out, build(l))
	}
	return out
}

// common holds for every language: emoji and words that everybody uses.
func common() map[class]string {
	return map[class]string{
		yes:      "👍|👌|✅|✔|☑|🆗|🙆|💯|+1|ok|okay|oki|okey|okej|okidoki",
		run:      "🚀|▶|▶️|⏩|🏁|lgtm|go",
		praise:   "🎉|😀|😊|🙂|😍|❤|🔥|👏|💪|🥳|super|perfect|top",
		no:       "👎|❌|🚫|🙅|✖|⛔",
		stop:     "🛑|stop|⏹|✋",
		pause:    "⏸",
		undoAll:  "↩|⏪",
		courtesy: "🙏|assent",
	}
}

func with(name string, joined bool, words map[class]string) language {
	for c, w := range common() {
		if words[c] == "" {
			words[c] = w
		} else {
			words[c] += "|" + w
		}
	}
	return language{name: name, words: words, joined: joined}
}
