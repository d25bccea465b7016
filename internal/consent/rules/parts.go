package rules

import (
	"embed"
	"strconv"
	"strings"
	"sync"

	"assent/internal/consent/said"
)

// partFiles hold, one file a language, the words with which people name several
// steps at once. A line is "class: phrase | phrase" as in the lexicons; a class
// that is a kind of thing is its singular, with an s its plural, with a question
// mark a word that is both.
//
//go:embed parts/*.txt
var partFiles embed.FS

// partClass is what a phrase does where steps are named.
type partClass int

const (
	partWord    partClass = iota // a word that may stand in a label
	partNumber                   // 3, 3.1
	partCount                    // two
	partCounter                  // a word behind a number that makes it a count: 3個
	partNth                      // third, last
	partPrefix                   // 第 before a number makes it an nth
	partSuffix                   // 番目 behind a number does
	partAll                      // all, every
	partBoth
	partFew // a quantity that nobody can count: "some"
	partKind
	partTo
	partTill // behind the end of a range: まで
	partFrom
	partAfter
	partBefore
	partOn  // "3 onwards"
	partAnd // begins another part of a list
	partSkip
)

var partClasses = map[string]partClass{"count": partCount, "counter": partCounter, "nth": partNth, "prefix": partPrefix, "suffix": partSuffix, "all": partAll, "both": partBoth, "few": partFew,
	"to": partTo, "from": partFrom, "after": partAfter, "before": partBefore, "on": partOn, "and": partAnd, "skip": partSkip, "one": partSkip, "till": partTill}

// numerus is whether a word for a kind means one thing or several.
type numerus int

const (
	either numerus = iota
	single
	several
)

// aStep is the kind of every step.
const aStep = "step"

// part is a phrase with what it does.
type part struct {
	class   partClass
	value   int
	kind    string // of partKind
	numerus numerus
	text    string // of partNumber
	token   int
	tokens  int
}

// partTable is the phrases of a language by their folded words.
type partTable struct {
	phrases map[string]part
	longest int
}

// partTables are those of all languages, built on first use.
var partTables = sync.OnceValue(func() map[string]partTable {
	out, han := map[string]partTable{}, hanForms()
	for _, name := range languages {
		spellings := variants
		if name == "zh" {
			spellings = han
		}
		out[name] = readParts(name, spellings)
	}
	return out
})

func readParts(name string, spellings func(string) []string) partTable {
	b, err := partFiles.ReadFile("parts/" + name + ".txt")
	if err != nil {
		panic(err)
	}
	out := partTable{phrases: map[string]part{}}
	var p part
	for line := range strings.Lines(string(b)) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		if line[0] != ' ' {
			head, rest, _ := strings.Cut(line, ":")
			p, line = partOf(name, head), rest
		}
		for _, alternative := range alternatives(line) {
			for _, phrase := range expand(strings.TrimSpace(alternative)) {
				phrase, p.value = valued(phrase)
				for _, spelt := range spellings(phrase) {
					out.learn(spelt, p)
				}
			}
		}
	}
	return out
}

// partOf gives the meaning of the head of a line. The files are part of the
// program; one that does not parse is found by every test.
func partOf(name, head string) part {
	if c, ok := partClasses[head]; ok {
		return part{class: c}
	}
	p := part{class: partKind, numerus: single}
	if k, ok := strings.CutSuffix(head, "?"); ok {
		head, p.numerus = k, either
	} else if k, ok := strings.CutSuffix(head, "s"); ok {
		head, p.numerus = k, several
	}
	if p.kind = head; head != aStep && len(said.Kinds(head)) != 1 {
		panic(name + ".txt: there is no kind " + head)
	}
	return p
}

// valued splits "erst=1e" into its phrase and its value.
func valued(phrase string) (string, int) {
	head, tail, ok := strings.Cut(phrase, "=")
	if !ok {
		return phrase, 0
	}
	n := len(tail) - len(strings.TrimLeft(tail, "-0123456789"))
	value, err := strconv.Atoi(tail[:n])
	if err != nil {
		panic(phrase + " has no value")
	}
	return head + tail[n:], value
}

func (t *partTable) learn(phrase string, p part) {
	ts, _ := tokens(phrase)
	key := keyOf(ts)
	if key == "" {
		return
	}
	t.phrases[key] = p
	t.longest = max(t.longest, len(ts))
}

func keyOf(ts []token) string {
	var b strings.Builder
	for _, t := range ts {
		if t.kind != word && t.kind != number {
			return ""
		}
		b.WriteString(t.text)
		b.WriteByte(' ')
	}
	return b.String()
}

// at finds the longest phrase that tokens begin with.
func (t partTable) at(ts []token) (part, bool) {
	for n := min(t.longest, len(ts)); n > 0; n-- {
		if p, ok := t.phrases[keyOf(ts[:n])]; ok {
			p.tokens = n
			return p, true
		}
	}
	return part{}, false
}
