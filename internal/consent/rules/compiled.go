package rules

import _ "embed"

// compiled holds the lexicons as loading needs them, so that nothing has to be
// spelt out at run time. All numbers are unsigned varints, a text is its length
// and its bytes:
//
//	words:   how many, then each text; the first has the number 1
//	lexicon: one for each of languages, in their order:
//	  nodes: how many, how many edges there are in all, then for each node its
//	         class, its value (as a byte), how many edges lead on from it, and
//	         these by word: the step from the word before, and the node it leads to
//	  slips, then wary: how many, then each text
//
//go:embed lexicon.bin
var compiled string

// load gives the dictionary that was compiled. Its texts are parts of the
// compiled ones. Data that cannot be read panics: it is part of the program, and
// every test finds it.
func load(compiled string) *dictionary {
	r := reader{compiled}
	n := r.number()
	d := &dictionary{words: make(map[string]int32, n)}
	for i := range n {
		d.words[r.text()] = int32(i + 1)
	}
	for _, name := range languages {
		x := newLexicon(name)
		r.graph(x)
		r.lists(x.slips)
		r.lists(x.wary)
		d.lexicons = append(d.lexicons, x)
	}
	return d
}

// reader takes one thing after the other from the compiled lexicons.
type reader struct{ rest string }

func (r *reader) number() (n uint64) {
	for shift := 0; ; shift += 7 {
		b := r.rest[0]
		r.rest = r.rest[1:]
		n |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return n
		}
	}
}

func (r *reader) text() string {
	n := r.number()
	s := r.rest[:n]
	r.rest = r.rest[n:]
	return s
}

func (r *reader) graph(x *lexicon) {
	nodes, edges := r.number(), r.number()
	x.classes, x.values, x.edges = make([]class, nodes), make([]int8, nodes), make(map[edge]int32, edges)
	for node := range x.classes {
		x.classes[node], x.values[node] = class(r.number()), int8(r.number())
		word := uint64(0)
		for range r.number() {
			word += r.number()
			x.edges[edgeOf(int32(node), int32(word))] = int32(r.number())
		}
	}
}

// lists puts words where the correction of slips finds them: by their length.
func (r *reader) lists(into map[slipKey][]string) {
	for range r.number() {
		w := r.text()
		into[slipKey(len(w))] = append(into[slipKey(len(w))], w)
	}
}
