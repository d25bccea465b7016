package english

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// Canon is a text as one line of lower-case, corrected words, for patterns:
// tokens are parted by one blank, a quotation is «», a line end ¶.
type Canon struct {
	Line  string
	start []int // of each token in Line
}

// Canon renders t for patterns.
func (t Text) Canon() Canon {
	var b strings.Builder
	c := Canon{start: make([]int, len(t.Tokens))}
	for i, tok := range t.Tokens {
		b.WriteByte(' ')
		c.start[i] = b.Len()
		b.WriteString(tok.Word)
	}
	c.Line = b.String()
	return c
}

// Pattern is a regular expression over a Canon whose matches are whole tokens. It
// is compiled when it is first looked for, so that a table of patterns costs
// nothing until words are read.
type Pattern struct{ re func() *regexp.Regexp }

// Macros name groups of words: {task} in a pattern stands for the alternatives
// under "task".
type Macros map[string]string

var macro = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{([a-z]+)\}`) })

// Compile makes a pattern; "~" is any few words of one sentence, "^" in front is
// the start and "$" the end of the text. A blank at the end of a
// pattern adds nothing, since matches end with a token anyway. The first use of a
// pattern with a mistake in it panics, like regexp.MustCompile.
func (m Macros) Compile(s string) Pattern {
	return Pattern{sync.OnceValue(func() *regexp.Regexp { return m.compile(s) })}
}

func (m Macros) compile(s string) *regexp.Regexp {
	for range 3 { // a group may use others
		s = macro().ReplaceAllStringFunc(s, func(name string) string {
			words, ok := m[name[1:len(name)-1]]
			if !ok {
				panic(fmt.Sprintf("pattern %q: unknown group %s", s, name))
			}
			return "(?:" + words + ")"
		})
	}
	s = strings.ReplaceAll(strings.TrimRight(s, " "), " ~ ", "(?: [^ .?!;¶]+){0,8}? ")
	if rest, ok := strings.CutPrefix(s, "^"); ok {
		return regexp.MustCompile("^ (?:" + rest + ")(?: |$)")
	}
	return regexp.MustCompile(" (?:" + s + ")(?: |$)")
}

// Words are the plain words of a pattern's source, for a speller.
func (m Macros) Words(s string) []string {
	for name, words := range m {
		s = strings.ReplaceAll(s, "{"+name+"}", " "+words+" ")
	}
	s = regexp.MustCompile(`\(\?P<[a-z]+>`).ReplaceAllString(s, " ")
	return regexp.MustCompile(`[a-z]{3,}`).FindAllString(s, -1)
}

// Match is where a pattern matched, in tokens.
type Match struct {
	Range
	Groups map[string]Range
}

// In reports whether p matches c at all.
func (p Pattern) In(c Canon) bool { return p.re().MatchString(c.Line) }

// Find gives the first match of p in c.
func (p Pattern) Find(c Canon) (Match, bool) {
	at := p.re().FindStringSubmatchIndex(c.Line)
	if at == nil {
		return Match{}, false
	}
	m := Match{Range: c.tokens(at[0], at[1]), Groups: map[string]Range{}}
	for i, name := range p.re().SubexpNames() {
		if name != "" && at[2*i] >= 0 {
			m.Groups[name] = c.tokens(at[2*i], at[2*i+1])
		}
	}
	return m, true
}

// tokens maps bytes of the line to tokens.
func (c Canon) tokens(from, to int) Range {
	var r Range
	for _, s := range c.start {
		if s < from {
			r.From++
		}
		if s < to {
			r.To++
		}
	}
	return r
}
