package rules

import (
	"embed"
	"strings"
	"sync"
)

// files holds one lexicon a language. A line "class: phrase | phrase" goes on
// with the next line if that is indented; "(a|b|) c" stands for "a c", "b c"
// and "c"; an ordinal is written with its value, "third=3", the last one -1.
//
//go:embed lexicon/*.txt
var files embed.FS

// languages in which messages are read; all.txt belongs to each of them.
var languages = []string{"en", "de", "fr", "es", "it", "pt", "nl", "pl", "ja", "zh"}

// lexicon is a language ready to be looked up: a trie of words.
type lexicon struct {
	name    string
	joined  bool // written without spaces
	edges   map[edge]int32
	classes []class // by node; node 0 is the root
	values  []int8  // of ordinals
	slips   map[slipKey][]string
	wary    map[slipKey][]string // words that are no part of assent
	heard   map[heard]bool       // words that are in slips or wary
}

// edge is a node and the word that leads on from it, in one number.
type edge uint64

func edgeOf(node, word int32) edge { return edge(node)<<32 | edge(uint32(word)) }

// dictionary is all lexicons and the numbers of their words.
type dictionary struct {
	words    map[string]int32
	spelled  map[string][]int32 // while the lexicons are built
	lexicons []*lexicon
}

// lexicons builds the dictionary on first use.
var lexicons = sync.OnceValue(func() *dictionary {
	d := &dictionary{words: map[string]int32{}, spelled: map[string][]int32{}}
	common, han := read("all"), hanForms()
	for _, name := range languages {
		x := &lexicon{name: name, joined: name == "ja" || name == "zh", edges: map[edge]int32{}, classes: []class{0}, values: []int8{0},
			slips: map[slipKey][]string{}, wary: map[slipKey][]string{}, heard: map[heard]bool{}}
		spellings := variants
		if name == "zh" {
			spellings = han
		}
		for _, lines := range [][]entry{common, read(name)} {
			for _, e := range lines {
				x.learn(d, e, spellings(e.phrase))
			}
		}
		d.lexicons = append(d.lexicons, x)
	}
	d.spelled = nil
	return d
})

// entry is a phrase of a file.
type entry struct {
	class  class
	phrase string
	value  int8
}

// read parses a file of phrases. The files are part of the program; one that
// does not parse is found by every test.
func read(name string) []entry {
	b, err := files.ReadFile("lexicon/" + name + ".txt")
	if err != nil {
		panic(err)
	}
	var out []entry
	c := class(0)
	for _, line := range strings.Split(string(b), "\n") {
		if strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
			continue
		}
		if line[0] != ' ' {
			head, rest, _ := strings.Cut(line, ":")
			if c = names[head]; c == 0 {
				panic(name + ".txt: there is no class " + head)
			}
			line = rest
		}
		for _, p := range alternatives(line) {
			for _, phrase := range expand(strings.TrimSpace(p)) {
				out = append(out, entryOf(c, phrase))
			}
		}
	}
	return out
}

func entryOf(c class, phrase string) entry {
	phrase, rest, ok := strings.Cut(phrase, "=")
	if !ok {
		return entry{class: c, phrase: phrase}
	}
	value, last := int8(1), strings.HasPrefix(rest, "-")
	if rest = strings.TrimPrefix(rest, "-"); last {
		value = -1
	}
	return entry{class: c, phrase: phrase + rest[1:], value: value * int8(rest[0]-'0')}
}

// alternatives splits at each | that stands outside of parentheses.
func alternatives(s string) []string {
	var out []string
	depth, from := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			depth--
		case '|':
			if depth == 0 {
				out = append(out, s[from:i])
				from = i + 1
			}
		}
	}
	return append(out, s[from:])
}

// expand writes out the alternatives in parentheses.
func expand(s string) []string {
	open := strings.IndexByte(s, '(')
	if open < 0 {
		return []string{s}
	}
	depth, end := 0, open
	for ; end < len(s); end++ {
		if s[end] == '(' {
			depth++
		} else if s[end] == ')' {
			if depth--; depth == 0 {
				break
			}
		}
	}
	var out []string
	for _, tail := range expand(s[end+1:]) {
		for _, a := range alternatives(s[open+1 : end]) {
			for _, middle := range expand(a) {
				out = append(out, s[:open]+middle+tail)
			}
		}
	}
	return out
}

// learn puts a phrase into the trie, in each of its spellings.
func (x *lexicon) learn(d *dictionary, e entry, spellings []string) {
	for _, variant := range spellings {
		node, words := int32(0), strings.Fields(variant)
		for _, w := range words {
			for _, id := range d.spell(w) {
				node = x.step(node, id)
			}
			if !x.joined && (e.class&^assents == 0 || len(words) == 1) {
				x.remember(w, e.class)
			}
		}
		if node != 0 && (e.class != neutral || x.classes[node] == 0) {
			x.classes[node] |= e.class
			if e.value != 0 {
				x.values[node] = e.value
			}
		}
	}
}

// spell gives the tokens of a written word.
func (d *dictionary) spell(w string) []int32 {
	ids, ok := d.spelled[w]
	if !ok {
		ts, _ := tokens(w)
		for _, t := range ts {
			ids = append(ids, d.number(t.text))
		}
		d.spelled[w] = ids
	}
	return ids
}

// variants are the spellings of a phrase, also without its apostrophes: "don't", "dont", "c'est", "c est".
// Endings that would become other words ("we'll") stay as they are.
func variants(phrase string) []string {
	if !strings.Contains(phrase, "'") {
		return []string{phrase}
	}
	out := []string{phrase}
	for _, ending := range []string{"'ll", "'re", "'d"} {
		if strings.Contains(phrase, ending) {
			return out
		}
	}
	return append(out, strings.ReplaceAll(phrase, "'", ""), strings.ReplaceAll(phrase, "'", " "))
}

// number gives a word its number.
func (d *dictionary) number(word string) int32 {
	n, ok := d.words[word]
	if !ok {
		n = int32(len(d.words) + 1)
		d.words[word] = n
	}
	return n
}

// step is the node behind a word, made if need be.
func (x *lexicon) step(node, word int32) int32 {
	next, ok := x.edges[edgeOf(node, word)]
	if !ok {
		next = int32(len(x.classes))
		x.edges[edgeOf(node, word)] = next
		x.classes, x.values = append(x.classes, 0), append(x.values, 0)
	}
	return next
}
