package rules

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// fold makes spellings comparable: compatibility forms, lower case, Latin
// letters without accents, plain apostrophes, no variation selectors.
func fold(s string) string {
	var b strings.Builder
	for _, r := range norm.NFKC.String(s) {
		switch r {
		case '’', '‘', '`', '´', 'ʼ':
			r = '\''
		case 'ł', 'Ł':
			r = 'l'
		case '\ufe0f', '\u200d', '\u200b', '\u00ad':
			continue
		}
		if r == 'ß' || r == 'ẞ' {
			b.WriteString("ss")
			continue
		}
		if r >= 0x1f3fb && r <= 0x1f3ff {
			continue // skin tones
		}
		if unicode.Is(unicode.Latin, r) {
			for _, base := range norm.NFD.String(string(r)) {
				if !unicode.Is(unicode.Mn, base) {
					b.WriteRune(unicode.ToLower(base))
				}
			}
			continue
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

var (
	codeBlock = regexp.MustCompile("(?s)```.*?(```|$)|`[^`\n]*`")
	quotation = regexp.MustCompile(`"[^"\n]*"|“[^”\n]*”|„[^“”\n]*[“”]|«[^»\n]*»|「[^」\n]*」|『[^』\n]*』|《[^》\n]*》`)
	pasted    = regexp.MustCompile(`^\s*(>|-{3,}|={3,}|\[.*\]$|<\w)`)
	forwarded = regexp.MustCompile(`(?i)^\s*(from|to|subject|sent|date|system|assistant|user|tool|admin|note from \w+|fwd|von|an|betreff|de|objet|asunto|para|oggetto|da|assunto|onderwerp|van|temat|od|件名|差出人|发件人|主题) ?[:：]|(forwarded message|original message|begin forwarded|wrote:$|schrieb:$|a écrit|escribió:|ha scritto|---+ ?\w)`)
	markup    = regexp.MustCompile(`<[^>\n]*>`)
)

// own gives the lines of a message that are the person's own words, with what
// is quoted, pasted, forwarded or in code taken out, and whether any was.
func own(message string) (lines []string, cut bool) {
	text := codeBlock.ReplaceAllString(message, "\n")
	cut = text != message
	for _, line := range strings.Split(text, "\n") {
		if forwarded.MatchString(strings.TrimSpace(line)) {
			return lines, true // everything below is somebody else's
		}
		if pasted.MatchString(line) {
			cut = true
			continue
		}
		bare := markup.ReplaceAllString(quotation.ReplaceAllString(line, " \x00 "), " \x00 ")
		if bare != line {
			cut = true
		}
		if strings.TrimSpace(bare) != "" {
			lines = append(lines, bare)
		}
	}
	return lines, cut
}

// token is a word, a number, a sign or a mark between clauses.
type token struct {
	text string
	kind tokenKind
}

type tokenKind int

const (
	word tokenKind = iota
	number
	mark     // , . ; ! and line ends
	question // ?
	foreign  // a place where something was quoted
)

// tokens splits folded text. Emoji and other signs are words of their own.
func tokens(s string) []token {
	var out []token
	var cur []rune
	flush := func() {
		w := strings.Trim(string(cur), "'-")
		cur = cur[:0]
		if w == "" {
			return
		}
		k := word
		if strings.Trim(w, "0123456789.") == "" {
			k = number
		}
		out = append(out, token{w, k})
	}
	rs := []rune(s)
	for i, r := range rs {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r) || r == '\'' || r == 'ー':
			cur = append(cur, r)
		case (r == '-' || r == '.') && len(cur) > 0 && i+1 < len(rs) && (unicode.IsLetter(rs[i+1]) || unicode.IsDigit(rs[i+1])):
			cur = append(cur, r)
		case r == '+' && i+1 < len(rs) && rs[i+1] == '1':
			flush()
			cur = append(cur, r)
		default:
			flush()
			out = append(out, sign(r)...)
		}
	}
	flush()
	return out
}

func sign(r rune) []token {
	switch {
	case r == '?' || r == '？' || r == '؟':
		return []token{{"?", question}}
	case r == 0:
		return []token{{"", foreign}}
	case unicode.IsSpace(r), r == '(', r == ')', r == '"', r == '*', r == '_', r == '~', r == '〜', r == '～':
		return nil
	case unicode.IsPunct(r):
		return []token{{string(r), mark}}
	}
	return []token{{string(r), word}}
}
