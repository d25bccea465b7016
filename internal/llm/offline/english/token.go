package english

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind is what a token is.
type Kind uint8

// Kinds of tokens.
const (
	Word   Kind = iota
	Number      // 3, 15th, 2027-01-31, 15/1
	Quote       // “…”, with its inside in Token.Inside
	Punct       // one mark
	Break       // one or more line ends
	Bullet      // the mark of a list item at the start of a line
)

// Token is one piece of a text. Word is its lower-case form with slips
// corrected; Start and End delimit it in the text's Raw form.
type Token struct {
	Kind       Kind
	Word       string
	Inside     string // of a Quote
	Start, End int
	Capital    bool // written with a capital first letter
	Slip       bool // Word is not what was written, but what was meant
}

// Text is a text cut into tokens.
type Text struct {
	Raw     string
	Tokens  []Token
	spelled bool // slips are written as they were meant
}

// Respelled is t with its slips written as they were meant.
func (t Text) Respelled() Text {
	t.spelled = true
	return t
}

// Parse cuts s into tokens. Contractions become two tokens ("what's": what, is).
// The speller may be nil.
func Parse(s string, speller *Speller) Text { return ParseUpTo(s, speller, len(s)) }

// ParseUpTo parses only so much of s that the text has more than most tokens, if
// s has.
func ParseUpTo(s string, speller *Speller, most int) Text {
	t := Text{Raw: s}
	l := lexer{src: s, fresh: true}
	for len(t.Tokens) <= most && l.next() {
		if n := len(t.Tokens); n > 0 && l.token.Word == "/" && t.Tokens[n-1].Word == "w" && t.Tokens[n-1].End == l.token.Start {
			t.Tokens[n-1].Word, t.Tokens[n-1].End = "with", l.token.End
			continue
		}
		t.Tokens = append(t.Tokens, expand(l.token, s)...)
	}
	t.correct(speller)
	return t
}

// Len is the number of tokens.
func (t Text) Len() int { return len(t.Tokens) }

// Slice is the original text from token i up to, not including, token j. Where
// tokens were dropped in between, a blank stands.
func (t Text) Slice(i, j int) string {
	if i < 0 || j > len(t.Tokens) || i >= j {
		return ""
	}
	var b strings.Builder
	for k := i; k < j; k++ {
		if k > i {
			gap := t.Raw[t.Tokens[k-1].End:t.Tokens[k].Start]
			if strings.TrimSpace(gap) != "" {
				gap = " "
			}
			b.WriteString(gap)
		}
		if t.spelled && t.Tokens[k].Slip {
			b.WriteString(t.Tokens[k].Word)
			continue
		}
		b.WriteString(t.Raw[t.Tokens[k].Start:t.Tokens[k].End])
	}
	return strings.TrimSpace(b.String())
}

// Drop gives t without the tokens of the ranges.
func (t Text) Drop(ranges ...Range) Text {
	if len(ranges) == 0 {
		return t
	}
	out := Text{Raw: t.Raw, spelled: t.spelled}
	for i, tok := range t.Tokens {
		if !slices.ContainsFunc(ranges, func(r Range) bool { return i >= r.From && i < r.To }) {
			out.Tokens = append(out.Tokens, tok)
		}
	}
	return out
}

// Part gives the tokens of r as a text of their own.
func (t Text) Part(r Range) Text {
	if r.From < 0 || r.To > len(t.Tokens) || r.From >= r.To {
		return Text{Raw: t.Raw, spelled: t.spelled}
	}
	return Text{Raw: t.Raw, Tokens: t.Tokens[r.From:r.To], spelled: t.spelled}
}

// Quoted makes the tokens of r one quotation, so that they are read as a name.
func (t Text) Quoted(r Range) Text {
	first, last := t.Tokens[r.From], t.Tokens[r.To-1]
	q := Token{Kind: Quote, Word: "«»", Inside: t.Slice(r.From, r.To), Start: first.Start, End: last.End, Capital: first.Capital}
	return Text{Raw: t.Raw, Tokens: slices.Concat(t.Tokens[:r.From], []Token{q}, t.Tokens[r.To:]), spelled: t.spelled}
}

// String is the text that is left.
func (t Text) String() string { return t.Slice(0, len(t.Tokens)) }

// Is reports whether token i exists and is one of words.
func (t Text) Is(i int, words ...string) bool {
	if i < 0 || i >= len(t.Tokens) {
		return false
	}
	for _, w := range words {
		if t.Tokens[i].Word == w {
			return true
		}
	}
	return false
}

// IsPhrase reports whether the tokens from i on are the words of phrase, which
// are parted by one blank.
func (t Text) IsPhrase(i int, phrase string) bool {
	for more := true; more; i++ {
		var w string
		if w, phrase, more = strings.Cut(phrase, " "); !t.Is(i, w) {
			return false
		}
	}
	return true
}

// Ends reports whether token i ends a sentence (a mark, a line end, or the end).
func (t Text) Ends(i int) bool {
	return i >= len(t.Tokens) || t.Tokens[i].Kind == Break || t.Is(i, ".", "?", "!", ";")
}

type lexer struct {
	src   string
	pos   int
	fresh bool // at the start of a line
	token Token
	open  map[rune]int // where the line ends in which no more quotation of a kind closes
}

func (l *lexer) next() bool {
	for l.pos < len(l.src) {
		r, n := utf8.DecodeRuneInString(l.src[l.pos:])
		switch {
		case r == '\n' || r == '\r':
			l.lineEnd()
			return true
		case unicode.IsSpace(r):
			l.pos += n
		case l.fresh && l.bullet():
			l.fresh = false
			return true
		case l.quote(r, n):
			l.fresh = false
			return true
		case unicode.IsDigit(r):
			l.fresh = false
			l.number()
			return true
		case unicode.IsLetter(r):
			l.fresh = false
			l.word()
			return true
		default:
			l.fresh = false
			l.emit(Punct, l.pos+n)
			return true
		}
	}
	return false
}

func (l *lexer) emit(k Kind, end int) {
	raw := l.src[l.pos:end]
	first, _ := utf8.DecodeRuneInString(raw)
	l.token = Token{Kind: k, Word: strings.ToLower(raw), Start: l.pos, End: end, Capital: unicode.IsUpper(first)}
	if k == Word {
		l.token.Word = strings.ReplaceAll(l.token.Word, "’", "'")
	}
	l.pos = end
}

func (l *lexer) lineEnd() {
	end := l.pos
	for end < len(l.src) && strings.ContainsRune(" \t\r\n", rune(l.src[end])) {
		end++
	}
	l.emit(Break, end)
	l.token.Word = "¶"
	l.fresh = true
}

// bullet reads "-", "*", "•", "1." or "2)" at the start of a line, if a blank
// follows; "[ ]" after it belongs to it.
func (l *lexer) bullet() bool {
	rest := l.src[l.pos:]
	end := 0
	switch {
	case strings.HasPrefix(rest, "- "), strings.HasPrefix(rest, "* "), strings.HasPrefix(rest, "+ "):
		end = 2
	case strings.HasPrefix(rest, "• "), strings.HasPrefix(rest, "– "):
		_, n := utf8.DecodeRuneInString(rest)
		end = n + 1
	default:
		for end < len(rest) && end < 3 && rest[end] >= '0' && rest[end] <= '9' {
			end++
		}
		if end == 0 || end+1 >= len(rest) || (rest[end] != '.' && rest[end] != ')') || rest[end+1] != ' ' {
			return false
		}
		end += 2
	}
	for _, box := range []string{"[ ] ", "[x] ", "[] "} {
		if strings.HasPrefix(rest[end:], box) {
			end += len(box)
			break
		}
	}
	l.emit(Bullet, l.pos+end)
	l.token.Word = "•"
	return true
}

var closers = map[rune]string{'“': "”\"“", '"': "\"”", '«': "»", '„': "“”", '‘': "’'", '\'': "'’", '`': "`"}

// quote reads a quotation on one line. A single quote opens one only where no
// letter stands before it, and closes one only where none follows.
func (l *lexer) quote(r rune, n int) bool {
	ends, ok := closers[r]
	if !ok {
		return false
	}
	if l.pos < l.open[r] {
		return false
	}
	single := r == '\'' || r == '‘'
	start := l.pos + n
	for i, c := range l.src[start:] {
		if c == '\n' {
			return l.leaveOpen(r, start+i)
		}
		after := start + i + utf8.RuneLen(c)
		if c == utf8.RuneError || !strings.ContainsRune(ends, c) || (single && letterAt(l.src, after)) {
			continue
		}
		inside := strings.TrimSpace(l.src[start : start+i])
		if inside == "" {
			return false
		}
		l.emit(Quote, after)
		l.token.Inside, l.token.Word = inside, "«»"
		return true
	}
	return l.leaveOpen(r, len(l.src))
}

// leaveOpen remembers that up to end no quotation closes that r opens, so that a
// line full of such marks is not searched anew at each of them.
func (l *lexer) leaveOpen(r rune, end int) bool {
	if l.open == nil {
		l.open = map[rune]int{}
	}
	l.open[r] = end
	return false
}

func letterAt(s string, i int) bool {
	r, _ := utf8.DecodeRuneInString(s[min(i, len(s)):])
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// number reads digits with inner marks (2027-01-31, 15/1, 1,000) and letters
// glued behind them (15th, 5k).
func (l *lexer) number() {
	end := l.pos
	for end < len(l.src) {
		c := l.src[end]
		inner := strings.IndexByte(",./:-", c) >= 0 && end+1 < len(l.src) && isDigit(l.src[end+1])
		if !isDigit(c) && !inner {
			break
		}
		end++
	}
	end = max(end, l.pos+runeLen(l.src[l.pos:]))
	for end < len(l.src) {
		r, n := utf8.DecodeRuneInString(l.src[end:])
		if !unicode.IsLetter(r) {
			break
		}
		end += n
	}
	l.emit(Number, end)
}

func runeLen(s string) int { _, n := utf8.DecodeRuneInString(s); return n }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }

// word reads letters and digits with inner apostrophes, hyphens, "&", "@", "_",
// and a point before a small letter (node.js).
func (l *lexer) word() {
	end := l.pos
	for end < len(l.src) {
		r, n := utf8.DecodeRuneInString(l.src[end:])
		next, _ := utf8.DecodeRuneInString(l.src[end+n:])
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r):
		case strings.ContainsRune("'’-&@_", r) && (unicode.IsLetter(next) || unicode.IsDigit(next)):
		case r == '.' && (unicode.IsLower(next) || unicode.IsDigit(next)):
		default:
			l.emit(Word, end)
			return
		}
		end += n
	}
	l.emit(Word, end)
}
