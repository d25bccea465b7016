package rules

import (
	"encoding/binary"
	"flag"
	"maps"
	"os"
	"reflect"
	"slices"
	"testing"
)

var renew = flag.Bool("renew", false, "compile the lexicons anew")

// TestCompiledLexiconsAreUpToDate holds that lexicon.bin is what the files of the
// lexicons compile to; with -renew it is made so.
func TestCompiledLexiconsAreUpToDate(t *testing.T) {
	t.Parallel()
	now := compile(t, sources(t))
	if *renew {
		if err := os.WriteFile("lexicon.bin", now, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(now) != compiled {
		t.Fatal("lexicon.bin does not hold what lexicon/*.txt, and the code that spells them out, say now, and replies are read by what it holds: " +
			"run `go generate ./internal/consent/rules` and commit internal/consent/rules/lexicon.bin")
	}
}

// TestCompiledLexiconsSayWhatTheirSourcesSay walks every phrase of the sources
// through the graph it was compiled into: the same words lead on from it, to the
// same class and value, and there are no others.
func TestCompiledLexiconsSayWhatTheirSourcesSay(t *testing.T) {
	t.Parallel()
	s := sources(t)
	d := load(string(compile(t, s)))
	if !maps.Equal(d.words, s.words) {
		t.Errorf("%d words are numbered, of %d", len(d.words), len(s.words))
	}
	for i, x := range s.tries {
		got := d.lexicons[i]
		leading := make([]int, len(got.classes)) // how many words lead on from a node
		for e := range got.edges {
			leading[e>>16]++
		}
		phrases := 0
		var same func(node, in int32)
		same = func(node, in int32) {
			if x.classes[node] != got.classes[in] || x.values[node] != got.values[in] || len(x.next[node]) != leading[in] {
				t.Fatalf("%s: a phrase of class %x is compiled into class %x, its value %d into %d, its %d ways on into %d",
					x.name, x.classes[node], got.classes[in], x.values[node], got.values[in], len(x.next[node]), leading[in])
			}
			if x.classes[node] != 0 {
				phrases++
			}
			for word, next := range x.next[node] {
				into, ok := got.edges[edgeOf(in, word)]
				if !ok {
					t.Fatalf("%s: %q leads nowhere", x.name, s.listed[word-1])
				}
				same(next, into)
			}
		}
		same(0, 0)
		if !reflect.DeepEqual(x.slips, got.slips) || !reflect.DeepEqual(x.wary, got.wary) {
			t.Errorf("%s: the words for the correction of slips are others", x.name)
		}
		t.Logf("%s: %d phrases, %d nodes are %d, %d edges", x.name, phrases, len(x.classes), len(got.classes), len(got.edges))
	}
}

// A lexicon grows by phrases that multiply. What is compiled of them must stay
// small, as an idle server holds about four times as much.
func TestCompiledLexiconsAreSmall(t *testing.T) {
	t.Parallel()
	const most = 640 << 10
	if len(compiled) > most {
		t.Errorf("the compiled lexicons take %d bytes, at most %d should do", len(compiled), most)
	}
}

func BenchmarkLoad(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		load(compiled)
	}
}

// compile writes the lexicons as load reads them.
func compile(t testing.TB, s *source) []byte {
	t.Helper()
	const most = 1<<16 - 1 // of either, for an edge to hold
	if len(s.listed) > most {
		t.Fatalf("%d words are more than an edge can hold", len(s.listed))
	}
	b := texts(nil, s.listed)
	for _, x := range s.tries {
		nodes := x.shared()
		if len(nodes) > most {
			t.Fatalf("%s: %d nodes are more than an edge can hold", x.name, len(nodes))
		}
		b = graph(b, nodes)
		b = texts(b, byLength(x.slips))
		b = texts(b, byLength(x.wary))
	}
	return b
}

// node is a node of the graph, with its edges by word.
type node struct {
	class class
	value int8
	edges []branch
}

// branch is a word and the node that it leads to.
type branch struct{ word, to int32 }

// shared gives the smallest graph that says what the trie says: nodes from which
// all goes on alike are one. A node of the trie is younger than the one it hangs
// on, so that going backwards meets what follows first; the root comes last, and
// is put first.
func (x *trie) shared() []node {
	var out []node
	known, as := map[string]int32{}, make([]int32, len(x.next))
	for at := len(x.next) - 1; at >= 0; at-- {
		n := node{class: x.classes[at], value: x.values[at]}
		for _, word := range slices.Sorted(maps.Keys(x.next[at])) {
			n.edges = append(n.edges, branch{word, as[x.next[at][word]]})
		}
		key := string(n.append(nil))
		id, ok := known[key]
		if !ok {
			id = int32(len(out))
			known[key] = id
			out = append(out, n)
		}
		as[at] = id
	}
	slices.Reverse(out)
	for _, n := range out {
		for i := range n.edges {
			n.edges[i].to = int32(len(out)-1) - n.edges[i].to
		}
	}
	return out
}

func graph(b []byte, nodes []node) []byte {
	edges := 0
	for _, n := range nodes {
		edges += len(n.edges)
	}
	b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(len(nodes))), uint64(edges))
	for _, n := range nodes {
		b = n.append(b)
	}
	return b
}

func (n node) append(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(n.class))
	b = binary.AppendUvarint(b, uint64(uint8(n.value)))
	b = binary.AppendUvarint(b, uint64(len(n.edges)))
	before := int32(0)
	for _, e := range n.edges {
		b = binary.AppendUvarint(b, uint64(e.word-before))
		b = binary.AppendUvarint(b, uint64(e.to))
		before = e.word
	}
	return b
}

func texts(b []byte, list []string) []byte {
	b = binary.AppendUvarint(b, uint64(len(list)))
	for _, w := range list {
		b = binary.AppendUvarint(b, uint64(len(w)))
		b = append(b, w...)
	}
	return b
}

func byLength(lists map[slipKey][]string) []string {
	var out []string
	for _, n := range slices.Sorted(maps.Keys(lists)) {
		out = append(out, lists[n]...)
	}
	return out
}
