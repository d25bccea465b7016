package rules

import (
	"os"
	"strings"
	"testing"
)

// source is the lexicons spelt out as they are written: one trie a language, in
// which every phrase has a path of its own.
type source struct {
	t       testing.TB
	words   map[string]int32
	listed  []string // the words by their numbers
	spelled map[string][]int32
	tries   []*trie
}

// trie is a lexicon that is being written out.
type trie struct {
	*lexicon
	next []map[int32]int32 // by node, the node behind each word
}

// sources reads the files of the lexicons.
func sources(t testing.TB) *source {
	t.Helper()
	s := &source{t: t, words: map[string]int32{}, spelled: map[string][]int32{}}
	common, han := s.read("all"), hanForms()
	for _, name := range languages {
		x := &trie{lexicon: newLexicon(name)}
		x.heard = map[heard]bool{}
		x.grow()
		spellings := variants
		if name == "zh" {
			spellings = han
		}
		for _, lines := range [][]entry{common, s.read(name)} {
			for _, e := range lines {
				x.learn(s, e, spellings(e.phrase))
			}
		}
		s.tries = append(s.tries, x)
	}
	return s
}

// entry is a phrase of a file.
type entry struct {
	class  class
	phrase string
	value  int8
}

// read parses a file of phrases.
func (s *source) read(name string) []entry {
	s.t.Helper()
	b, err := os.ReadFile("lexicon/" + name + ".txt")
	if err != nil {
		s.t.Fatal(err)
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
				s.t.Fatalf("%s.txt: there is no class %q", name, head)
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

// learn puts a phrase into the trie, in each of its spellings.
func (x *trie) learn(s *source, e entry, spellings []string) {
	for _, variant := range spellings {
		node, words := int32(0), strings.Fields(variant)
		for _, w := range words {
			for _, id := range s.spell(w) {
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
func (s *source) spell(w string) []int32 {
	ids, ok := s.spelled[w]
	if !ok {
		ts, _ := tokens(w)
		for _, t := range ts {
			ids = append(ids, s.number(t.text))
		}
		s.spelled[w] = ids
	}
	return ids
}

// number gives a word its number.
func (s *source) number(word string) int32 {
	n, ok := s.words[word]
	if !ok {
		s.listed = append(s.listed, word)
		n = int32(len(s.listed))
		s.words[word] = n
	}
	return n
}

// step is the node behind a word, made if need be.
func (x *trie) step(node, word int32) int32 {
	next, ok := x.next[node][word]
	if !ok {
		next = x.grow()
		if x.next[node] == nil {
			x.next[node] = map[int32]int32{}
		}
		x.next[node][word] = next
	}
	return next
}

func (x *trie) grow() int32 {
	x.next, x.classes, x.values = append(x.next, nil), append(x.classes, 0), append(x.values, 0)
	return int32(len(x.next) - 1)
}
