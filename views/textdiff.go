package views

import (
	"strings"
	"unicode"
)

// DiffOp says what became of a piece of text.
type DiffOp int

// The three outcomes of a comparison.
const (
	DiffSame DiffOp = iota
	DiffAdded
	DiffRemoved
)

// DiffSpan is a piece of text with what became of it.
type DiffSpan struct {
	Op   DiffOp
	Text string
}

// DiffLine is one line of a comparison: unchanged, changed within (spans of
// several kinds), or Skipped unchanged lines left out between two changes.
type DiffLine struct {
	Spans   []DiffSpan
	Skipped int
}

// Changed reports whether something on the line is new or gone.
func (l DiffLine) Changed() bool {
	for _, s := range l.Spans {
		if s.Op != DiffSame {
			return true
		}
	}
	return false
}

// diffContext is how many unchanged lines stay around a change.
const diffContext = 2

// diffEffort bounds how different two texts may be before the comparison gives
// up on finding what they share and shows one as gone, the other as new. The
// cost grows with its square.
const diffEffort = 600

// DiffWords compares two short texts word by word. Spaces alone do not part a
// change in two: what reads as one change is shown as one.
func DiffWords(before, after string) []DiffSpan {
	return gather(mergeSpans(diffParts(diffTokens(before), diffTokens(after))))
}

// gather joins changes that only spaces part, and puts what is gone before what
// is new.
func gather(in []DiffSpan) []DiffSpan {
	var out []DiffSpan
	var gone, fresh, gap string
	flush := func() {
		for _, s := range []DiffSpan{{DiffRemoved, gone}, {DiffAdded, fresh}, {DiffSame, gap}} {
			if s.Text != "" {
				out = append(out, s)
			}
		}
		gone, fresh, gap = "", "", ""
	}
	for _, s := range in {
		changing := gone != "" || fresh != ""
		switch {
		case s.Op == DiffSame && changing && gap == "" && strings.TrimSpace(s.Text) == "":
			gap = s.Text
		case s.Op == DiffSame:
			flush()
			out = append(out, s)
		default:
			gone, fresh, gap = gone+gap, fresh+gap, ""
			if s.Op == DiffRemoved {
				gone += s.Text
			} else {
				fresh += s.Text
			}
		}
	}
	flush()
	return mergeSpans(out)
}

// DiffText compares two texts: line by line, and word by word within lines that
// changed. Unchanged stretches are cut to a few lines around each change.
func DiffText(before, after string) []DiffLine {
	var out []DiffLine
	var gone, fresh []string
	flush := func() {
		out = append(out, diffHunk(gone, fresh)...)
		gone, fresh = nil, nil
	}
	for _, s := range diffParts(diffRows(before), diffRows(after)) {
		switch s.Op {
		case DiffRemoved:
			gone = append(gone, s.Text)
		case DiffAdded:
			fresh = append(fresh, s.Text)
		default:
			flush()
			out = append(out, DiffLine{Spans: []DiffSpan{s}})
		}
	}
	flush()
	return diffFold(out)
}

// diffHunk shows lines that were replaced: paired ones by word, the rest whole.
func diffHunk(gone, fresh []string) []DiffLine {
	var out []DiffLine
	for i := range max(len(gone), len(fresh)) {
		switch {
		case i >= len(fresh):
			out = append(out, DiffLine{Spans: []DiffSpan{{DiffRemoved, gone[i]}}})
		case i >= len(gone):
			out = append(out, DiffLine{Spans: []DiffSpan{{DiffAdded, fresh[i]}}})
		default:
			out = append(out, DiffLine{Spans: DiffWords(gone[i], fresh[i])})
		}
	}
	return out
}

// diffFold leaves out unchanged lines far from any change.
func diffFold(in []DiffLine) []DiffLine {
	keep := make([]bool, len(in))
	for i, l := range in {
		if l.Changed() {
			for j := max(0, i-diffContext); j <= min(len(in)-1, i+diffContext); j++ {
				keep[j] = true
			}
		}
	}
	var out []DiffLine
	for i, l := range in {
		if keep[i] {
			out = append(out, l)
		} else if n := len(out); n > 0 && out[n-1].Skipped > 0 {
			out[n-1].Skipped++
		} else {
			out = append(out, DiffLine{Skipped: 1})
		}
	}
	return out
}

// diffRows splits a text; a last line break makes no empty line.
func diffRows(s string) []string {
	s = strings.TrimSuffix(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	if s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}

// diffTokens splits a text into words, spaces and single other characters; joined
// they are the text again.
func diffTokens(s string) []string {
	class := func(r rune) int {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '\'' || r == '’':
			return 1
		case unicode.IsSpace(r):
			return 2
		}
		return 0
	}
	var out []string
	start, before := 0, -1
	for i, r := range s {
		if c := class(r); i > start && (c != before || c == 0) {
			out, start = append(out, s[start:i]), i
		}
		before = class(r)
	}
	if start < len(s) {
		out = append(out, s[start:])
	}
	return out
}

// mergeSpans joins neighbours of one kind.
func mergeSpans(in []DiffSpan) []DiffSpan {
	var out []DiffSpan
	for _, s := range in {
		if n := len(out); n > 0 && out[n-1].Op == s.Op {
			out[n-1].Text += s.Text
		} else {
			out = append(out, s)
		}
	}
	return out
}
