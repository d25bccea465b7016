package rules

import (
	"strings"
	"sync"
)

// The lexicons are written in lexicon/, one file a language, and compiled into
// lexicon.bin (compiled.go tells its form). Whoever changes one of the files runs
//
//	go generate ./internal/consent/rules
//
// and commits lexicon.bin with it; a test fails until then.
//
// A line "class: phrase | phrase" goes on with the next line if that is indented;
// "(a|b|) c" stands for "a c", "b c" and "c"; an ordinal is written with its
// value, "third=3", the last one -1.
//
//go:generate go test . -count=1 -run ^TestCompiledLexiconsAreUpToDate$ -renew

// languages in which messages are read; all.txt belongs to each of them.
var languages = []string{"en", "de", "fr", "es", "it", "pt", "nl", "pl", "ja", "zh"}

// lexicon is a language ready to be looked up: a graph of words, in which phrases
// that end alike share their endings.
type lexicon struct {
	name    string
	joined  bool // written without spaces
	edges   map[edge]int32
	classes []class // by node; node 0 is the root
	values  []int8  // of ordinals
	slips   map[slipKey][]string
	wary    map[slipKey][]string // words that are no part of assent
	heard   map[heard]bool       // words that are in slips or wary, while it is compiled
}

// edge is a node and the word that leads on from it, in one number. There are
// fewer of either than 1<<16; what compiles them sees to it.
type edge uint32

func edgeOf(node, word int32) edge { return edge(node)<<16 | edge(uint16(word)) }

// dictionary is all lexicons and the numbers of their words.
type dictionary struct {
	words    map[string]int32
	lexicons []*lexicon
}

// lexicons loads the dictionary on first use.
var lexicons = sync.OnceValue(func() *dictionary { return load(compiled) })

func newLexicon(name string) *lexicon {
	return &lexicon{name: name, joined: name == "ja" || name == "zh", slips: map[slipKey][]string{}, wary: map[slipKey][]string{}}
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
