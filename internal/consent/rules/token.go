package rules

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// token is a word, a number, a sign or a mark between clauses. A letter of a
// script without spaces is a token of its own.
type token struct {
	text       string // folded
	kind       tokenKind
	start, end int // its bytes in the message
	accented   bool
	capital    bool // its first letter is
}

type tokenKind int

const (
	word     tokenKind = iota
	number             // 3, 3.1
	mark               // , . ; ! and line ends
	question           // ?
	foreign            // a place where something was blanked, or a trick stands
)

// most is how many tokens are read. No answer to a plan is longer; what is,
// holds text that the rules have no business to judge.
const most = 400

// scanner splits a text into tokens.
type scanner struct {
	out   []token
	cur   []byte
	start int
	kind  tokenKind
	acc   bool
	upper bool
}

// tokens splits a message. long is true where it was cut off.
func tokens(s string) (out []token, long bool) {
	sc := scanner{out: make([]token, 0, 16)}
	for i := 0; i < len(s); {
		r, n := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(s[i:])
		}
		sc.rune(s, i, n, r)
		i += n
		if len(sc.out) >= most || len(sc.cur) > 200 {
			return sc.out, true
		}
	}
	sc.flush(len(s))
	return sc.out, false
}

func (sc *scanner) flush(end int) {
	if len(sc.cur) == 0 {
		return
	}
	text := strings.TrimRight(string(sc.cur), "'.")
	if sc.kind == word && versioned(text) {
		sc.out = append(sc.out, token{text: "v", kind: word, start: sc.start, end: sc.start + 1})
		text, sc.kind, sc.cur, sc.start = text[1:], number, sc.cur[1:], sc.start+1
	}
	if text != "" {
		sc.out = append(sc.out, token{text, sc.kind, sc.start, end - (len(sc.cur) - len(text)), sc.acc, sc.upper})
	}
	sc.cur, sc.acc = sc.cur[:0], false
}

func (sc *scanner) one(kind tokenKind, text string, i, n int) {
	sc.flush(i)
	if last := len(sc.out) - 1; kind == foreign && last >= 0 && sc.out[last].kind == foreign && sc.out[last].end == i {
		sc.out[last].end = i + n
		return
	}
	sc.out = append(sc.out, token{text: text, kind: kind, start: i, end: i + n})
}

// add puts a rune into the current word or number.
func (sc *scanner) add(kind tokenKind, r rune, i int) {
	if len(sc.cur) > 0 && sc.kind != kind && !(sc.kind == word && kind == number) {
		if sc.kind == number && kind == word && sc.start+len(sc.cur) == i && r < utf8.RuneSelf {
			sc.kind = word // "3rd"
		} else {
			sc.flush(i)
		}
	}
	if len(sc.cur) == 0 {
		sc.start, sc.kind, sc.upper = i, kind, unicode.IsUpper(r)
	}
	var folded bool
	sc.cur, folded = appendFolded(sc.cur, r)
	sc.acc = sc.acc || folded
}

// rune places one character.
func (sc *scanner) rune(s string, i, n int, r rune) {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z':
		sc.add(word, r, i)
	case r >= '0' && r <= '9':
		sc.add(number, r, i)
	case r == ' ', r == '\t', r == '\r':
		sc.flush(i)
	case r == '\'', r == '’', r == '‘', r == 'ʼ', r == '´':
		if len(sc.cur) > 0 && sc.kind == word {
			sc.cur = append(sc.cur, '\'')
		}
	case r == '.' || r == '-':
		sc.joint(s, i, r)
	case r < utf8.RuneSelf:
		sc.ascii(s, i, r)
	case isJoined(r):
		sc.joined(i, n, r)
	case unicode.IsLetter(r):
		sc.add(word, r, i)
	case unicode.Is(unicode.Mn, r):
		sc.accent(i, n, r)
	case unicode.IsDigit(r):
		sc.add(number, r, i)
	default:
		sc.sign(s, i, n, r)
	}
}

// joint places a point or hyphen: it may stand inside a number or between words.
func (sc *scanner) joint(s string, i int, r rune) {
	next := byte(' ')
	if i+1 < len(s) {
		next = s[i+1]
	}
	inside := len(sc.cur) > 0 && (next >= '0' && next <= '9' || next|0x20 >= 'a' && next|0x20 <= 'z')
	switch {
	case r == '.' && inside:
		sc.cur = append(sc.cur, '.')
	case r == '-' && inside && sc.kind == word:
		sc.flush(i)
	case r == '.' && len(sc.cur) > 0 && sc.kind == number && beforeMonth(s[i+1:]):
		sc.flush(i) // "30. Juni" is one date
	case r == '.' && next == '.':
		sc.one(foreign, "…", i, 1) // three dots leave something unsaid
	default:
		sc.one(mark, string(r), i, 1)
	}
}

// dashes may stand between the ends of a range.
const dashes = "–—−〜～~"

// germanMonths are the months before which an ordinal has a point.
var germanMonths = setOf("januar februar marz maerz april mai juni juli august september oktober november dezember")

// beforeMonth reports a text that goes on with a month.
func beforeMonth(s string) bool {
	s = strings.TrimLeft(s[:min(len(s), 24)], " ")
	end := strings.IndexAny(s, " ,.;!?\n")
	if end < 0 {
		end = len(s)
	}
	return germanMonths[foldText(s[:end])]
}

func (sc *scanner) ascii(s string, i int, r rune) {
	switch {
	case r == '?':
		sc.one(question, "?", i, 1)
	case strings.ContainsRune(",;:!()\n\v\f", r):
		sc.one(mark, string(r), i, 1)
	case r == '*', r == '_', r == '"', r == '~' && !strings.HasPrefix(s[i+1:], "~"):
		sc.flush(i)
	case r == '&':
		sc.one(word, "&", i, 1)
	case r == '$', r == '%', r == '+' && strings.HasPrefix(s[i+1:], "1"):
		sc.one(word, string(r), i, 1)
	case r == '#' && i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9':
		sc.one(word, "#", i, 1)
	default:
		sc.one(foreign, "", i, 1)
	}
}

// joined places a letter of a script without spaces.
func (sc *scanner) joined(i, n int, r rune) {
	text := string(r)
	if r >= 0xff00 {
		text = norm.NFKC.String(text)
	}
	if sound := r == 0xff9e || r == 0xff9f || r == 0x3099 || r == 0x309a; sound && len(sc.out) > 0 && sc.out[len(sc.out)-1].end == i {
		last := &sc.out[len(sc.out)-1]
		last.text, last.end = norm.NFC.String(last.text+text), i+n
		return
	}
	sc.one(word, text, i, n)
}

// accent drops a combining accent behind a Latin letter.
func (sc *scanner) accent(i, n int, r rune) {
	if len(sc.cur) > 0 && r < 0x370 {
		sc.acc = true
		return
	}
	if r >= 0xfe00 && r <= 0xfe0f {
		return // how an emoji is to be drawn
	}
	sc.one(foreign, "", i, n)
}

func (sc *scanner) sign(s string, i, n int, r rune) {
	switch {
	case strings.ContainsRune(dashes, r) && digitBehind(s[i+n:]):
		sc.one(mark, "-", i, n)
	case r >= 0xff01 && r <= 0xff5e || r == '…' || r == '‥':
		sc.wide(s, i, n, r)
	case r >= 0xfe00 && r <= 0xfe0f, r >= 0x1f3fb && r <= 0x1f3ff, r == '〜', r == '～', unicode.IsSpace(r):
		sc.flush(i)
	case r == 0x200d && i > 0 && isEmoji(s[:i]):
		sc.flush(i)
	case strings.ContainsRune("؟⁇⁈⁉❓❔", r):
		sc.one(question, "?", i, n)
	case r == '€', r == '£':
		sc.one(word, string(r), i, n)
	case unicode.IsPunct(r) && !unicode.Is(unicode.Cf, r):
		sc.one(mark, string(r), i, n)
	case unicode.Is(unicode.So, r), unicode.Is(unicode.Sm, r), r >= 0x1f000 && r <= 0x1faff:
		sc.one(word, string(r), i, n)
	default:
		sc.one(foreign, "", i, n) // what cannot be seen
	}
}

// digitBehind reports a text that goes on with a number.
func digitBehind(s string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(s[:min(len(s), 8)], " "))
	return unicode.IsDigit(r)
}

// wide places the full-width form of an ASCII sign.
func (sc *scanner) wide(s string, i, n int, r rune) {
	before := len(sc.out)
	if r == '…' || r == '‥' {
		sc.one(foreign, "…", i, n)
		return
	}
	sc.flush(i)
	before = max(before, len(sc.out))
	sc.ascii(s, i, r-0xfee0)
	if len(sc.out) > before {
		sc.out[len(sc.out)-1].end = i + n
	}
}

// isSign reports an emoji or another sign that is no letter.
func (t token) isSign() bool {
	r, _ := utf8.DecodeRuneInString(t.text)
	return t.kind == word && isPicture(r)
}

// isEmoji reports whether a text ends with an emoji, to which a joiner belongs.
func isEmoji(s string) bool {
	r, n := utf8.DecodeLastRuneInString(s)
	if r >= 0xfe00 && r <= 0xfe0f {
		r, _ = utf8.DecodeLastRuneInString(s[:len(s)-n])
	}
	return isPicture(r)
}

func isPicture(r rune) bool { return unicode.Is(unicode.So, r) || r >= 0x1f000 && r <= 0x1faff }

// isJoined reports letters of Chinese and Japanese, which stand without spaces.
func isJoined(r rune) bool {
	return r >= 0x3040 && r <= 0x30ff && r != 0x30fb || r >= 0x3400 && r <= 0x9fff || r >= 0xf900 && r <= 0xfaff || r >= 0xff66 && r <= 0xff9f ||
		r == '々' || r == '〇' || r >= 0x20000 && r <= 0x3ffff
}

// versioned reports a word like "v2".
func versioned(w string) bool {
	return len(w) > 1 && w[0] == 'v' && strings.Trim(w[1:], "0123456789") == ""
}
