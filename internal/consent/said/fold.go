package said

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// letters are those that no normal form takes apart.
var letters = strings.NewReplacer("ß", "ss", "ł", "l", "ø", "o", "œ", "oe", "æ", "ae", "’", "'", "ー", "ー")

// fold makes spellings comparable: compatibility forms, lower case, Latin
// letters without accents. Kana and Han keep their marks.
func fold(s string) string {
	var b strings.Builder
	for _, r := range letters.Replace(strings.ToLower(norm.NFKC.String(s))) {
		if isJoined(r) {
			b.WriteRune(r)
			continue
		}
		for _, x := range norm.NFKD.String(string(r)) {
			if !unicode.Is(unicode.Mn, x) {
				b.WriteRune(x)
			}
		}
	}
	return b.String()
}

// isJoined reports letters of scripts that are written without spaces.
func isJoined(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || r == 'ー'
}

// words splits a folded text into runs of letters and digits; of scripts
// without spaces every sign is one.
func words(s string) []string {
	var out []string
	cur := 0
	flush := func(to int) {
		if cur < to {
			out = append(out, s[cur:to])
		}
	}
	for i, r := range s {
		switch {
		case isJoined(r):
			flush(i)
			out = append(out, string(r))
			cur = i + len(string(r))
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush(i)
			cur = i + len(string(r))
		}
	}
	flush(len(s))
	return out
}

// Name reports whether a title or another text value stands in the words, word
// for word and in one piece; case, accents and punctuation do not count.
func Name(text, value string) bool {
	have, want := words(fold(text)), words(fold(value))
	if len(want) == 0 {
		return false
	}
	for i := 0; i+len(want) <= len(have); i++ {
		n := 0
		for n < len(want) && have[i+n] == want[n] {
			n++
		}
		if n == len(want) {
			return true
		}
	}
	return false
}

// Words splits a text into its words, folded.
func Words(text string) []string { return words(fold(text)) }
