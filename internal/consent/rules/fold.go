package rules

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// appendFolded makes spellings of a letter comparable: compatibility forms,
// lower case, Latin letters without accents. accented tells that one was lost.
func appendFolded(b []byte, r rune) (out []byte, accented bool) {
	if r < utf8.RuneSelf {
		if r >= 'A' && r <= 'Z' {
			r += 'a' - 'A'
		}
		return append(b, byte(r)), false
	}
	switch r {
	case 'ß', 'ẞ':
		return append(b, "ss"...), false
	case 'ł', 'Ł':
		return append(b, 'l'), true
	case 'ø', 'Ø':
		return append(b, 'o'), true
	case 'œ', 'Œ':
		return append(b, "oe"...), false
	case 'æ', 'Æ':
		return append(b, "ae"...), false
	}
	for _, x := range norm.NFKD.String(string(r)) {
		if unicode.Is(unicode.Mn, x) {
			accented = true
			continue
		}
		b = utf8.AppendRune(b, unicode.ToLower(x))
	}
	return b, accented
}

// foldText folds a whole text.
func foldText(s string) string {
	b := make([]byte, 0, len(s))
	for _, r := range s {
		switch {
		case r == '’':
			r = '\''
		case r == '：':
			r = ':'
		}
		if r >= utf8.RuneSelf && isJoined(r) {
			b = utf8.AppendRune(b, r)
			continue
		}
		b, _ = appendFolded(b, r)
	}
	return string(b)
}
