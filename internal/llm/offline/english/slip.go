package english

import (
	"math/bits"
	"slices"
	"unicode/utf8"
)

// Distance is the Damerau-Levenshtein distance of a and b in its common form
// (optimal string alignment): insert, delete, replace, swap of neighbours.
func Distance(a, b string) int {
	ra, rb := []rune(a), []rune(b)
	older, prev, row := make([]int, len(rb)+1), make([]int, len(rb)+1), make([]int, len(rb)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(ra); i++ {
		row[0] = i
		for j := 1; j <= len(rb); j++ {
			cost := 1
			if ra[i-1] == rb[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && ra[i-1] == rb[j-2] && ra[i-2] == rb[j-1] {
				row[j] = min(row[j], older[j-2]+1)
			}
		}
		older, prev, row = prev, row, older
	}
	return prev[len(rb)]
}

// near holds for each key of an English keyboard those beside it.
var near = map[rune]string{
	'q': "wa", 'w': "qeas", 'e': "wrsd", 'r': "etdf", 't': "ryfg", 'y': "tugh", 'u': "yihj", 'i': "uojk", 'o': "ipkl", 'p': "ol",
	'a': "qwsz", 's': "weadzx", 'd': "ersfxc", 'f': "rtdgcv", 'g': "tyfhvb", 'h': "yugjbn", 'j': "uihknm", 'k': "iojlm", 'l': "opk",
	'z': "asx", 'x': "sdzc", 'c': "dfxv", 'v': "fgcb", 'b': "ghvn", 'n': "hjbm", 'm': "jkn",
}

// slipOf reports whether typed may be a slip of word: one swap, one missing or
// doubled letter, or one wrong key; two such from nine letters on. The first
// letter is right in words of up to five letters, and a wrong key in them is one
// beside the right one, since short words have too many true neighbours.
func slipOf(typed, word string) bool {
	n := utf8.RuneCountInString(word)
	d := Distance(typed, word)
	switch {
	case n < 4 || d == 0:
		return false
	case d == 1 && n >= 6:
		return true
	case d == 1:
		return typed[0] == word[0] && easySlip([]rune(typed), []rune(word))
	case d == 2:
		return n >= 9 && typed[0] == word[0]
	}
	return false
}

// easySlip reports whether a distance of one is a swap, a lost or extra letter
// or a neighbouring key.
func easySlip(typed, word []rune) bool {
	if len(typed) == len(word)+1 {
		return len(word) >= 5 || doubled(typed)
	}
	if len(typed) != len(word) {
		return len(word) >= 5
	}
	var at []int
	for i := range typed {
		if typed[i] != word[i] {
			at = append(at, i)
		}
	}
	if len(at) == 2 {
		return true
	}
	for _, r := range near[word[at[0]]] {
		if r == typed[at[0]] {
			return true
		}
	}
	return false
}

func doubled(w []rune) bool {
	for i := 1; i < len(w); i++ {
		if w[i] == w[i-1] {
			return true
		}
	}
	return false
}

// Speller corrects slips of known words, and only those: names, places and all
// else stay as they are.
type Speller struct {
	words    []entry
	known    map[string]bool
	calendar []entry // words that are looked for in capitalised tokens too
}

// entry is a known word with the set of its letters, by which most others are
// told apart quickly.
type entry struct {
	word    string
	letters uint32
}

func lettersOf(w string) (set uint32) {
	for i := range len(w) {
		set |= 1 << (w[i] & 31)
	}
	return set
}

// NewSpeller makes a speller of the words that patterns use. Words in keep are
// true words that lie close to one of them ("lease", "leave") and are never
// changed. The words of dates and numbers are always known.
func NewSpeller(words, keep []string) *Speller {
	s := &Speller{known: map[string]bool{}}
	for _, w := range calendarWords() {
		if !s.known[w] && len(w) >= 6 {
			s.calendar = append(s.calendar, entry{w, lettersOf(w)})
		}
		s.add(w)
	}
	for _, w := range numberNames() {
		s.add(w)
	}
	for _, w := range words {
		s.add(w)
	}
	for _, w := range keep {
		s.known[w] = true
	}
	return s
}

func (s *Speller) add(w string) {
	if !s.known[w] {
		s.known[w] = true
		s.words = append(s.words, entry{w, lettersOf(w)})
	}
}

// Known reports whether w is a word that the speller leaves alone.
func (s *Speller) Known(w string) bool { return s.known[w] }

// Correct gives the known word of which w is a slip, else w. Where two fit
// equally well it changes nothing.
func (s *Speller) Correct(w string) string {
	return s.closest(w, s.words)
}

func (s *Speller) closest(w string, among []entry) string {
	if len(w) < 4 || s.known[w] {
		return w
	}
	letters := lettersOf(w)
	best, distance, tie := w, 6, false
	for _, e := range among {
		k := e.word
		if lengthGap(w, k) > 2 || bits.OnesCount32(letters^e.letters) > 2+2*bit(len(k) >= 9) || !slipOf(w, k) {
			continue
		}
		d := 2*Distance(w, k) - bit(anagram(w, k))
		switch {
		case d < distance:
			best, distance, tie = k, d, false
		case d == distance:
			tie = !sameStem(best, k)
		}
	}
	if tie {
		return w
	}
	return best
}

// anagram reports whether two words have the same letters, so that a slip
// between them is a swap, the most common one.
func anagram(a, b string) bool {
	x, y := []byte(a), []byte(b)
	slices.Sort(x)
	slices.Sort(y)
	return string(x) == string(y)
}

func lengthGap(a, b string) int {
	if len(a) > len(b) {
		return len(a) - len(b)
	}
	return len(b) - len(a)
}

// sameStem reports whether two forms of one word ("task", "tasks") compete; then
// the first found is as good as the other.
func sameStem(a, b string) bool { return Stem(a) == Stem(b) }

// correct replaces slips in place. A capital inside a sentence is a name, so
// there only slips of month and day names are corrected, and of these the long.
func (t Text) correct(s *Speller) {
	if s == nil {
		return
	}
	start := true
	for i := range t.Tokens {
		tok := &t.Tokens[i]
		if tok.Kind == Word {
			written := tok.Word
			if tok.Capital && !start {
				tok.Word = s.closest(tok.Word, s.calendar)
			} else {
				tok.Word = s.Correct(tok.Word)
			}
			tok.Slip = tok.Word != written
		}
		start = tok.Kind == Break || tok.Kind == Bullet || tok.Word == "." || tok.Word == "!" || tok.Word == "?" || tok.Word == ":"
	}
}
