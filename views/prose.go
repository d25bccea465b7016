package views

import (
	"strings"
)

// Prose is Markdown that may still be growing, cut into blocks. A finished
// block never changes, whatever follows and however the text was cut into
// deltas; only the open one does. Blocks end at blank lines outside of fences;
// a list goes on over blank lines as long as its items do.
type Prose struct {
	done []string // finished blocks
	open string   // what follows the last finished block
	scan int      // how far open has been looked at, always at the start of a line
	st   blockState
}

// blockState is what the lines of the open block said so far.
type blockState struct {
	fence string // the marker that closes the fence we are in; "" outside of one
	list  bool   // the block began as a list
	begun bool   // a line with words was seen
	blank bool   // the last line was blank
}

// Write adds text and reports how many blocks it finished.
func (p *Prose) Write(delta string) (finished int) {
	if p.open == "" && len(p.done) == 0 {
		delta = strings.TrimLeft(delta, "\n")
	}
	p.open += delta
	before := len(p.done)
	for p.step() {
	}
	return len(p.done) - before
}

// Done is how many blocks are finished.
func (p *Prose) Done() int { return len(p.done) }

// Blocks gives all blocks in order, the open one last if there is any.
func (p *Prose) Blocks() []string {
	if strings.TrimSpace(p.open) == "" {
		return p.done
	}
	return append(p.done[:len(p.done):len(p.done)], p.open)
}

// Empty reports whether nothing was written.
func (p *Prose) Empty() bool { return len(p.done) == 0 && strings.TrimSpace(p.open) == "" }

// step looks at the next line; false when more text is needed to go on.
func (p *Prose) step() bool {
	rest := p.open[p.scan:]
	if p.st.blank && p.st.begun && p.st.fence == "" {
		cut, sure := p.ends(rest)
		if !sure {
			return false
		}
		if cut {
			p.done = append(p.done, strings.TrimRight(p.open[:p.scan], "\n"))
			p.open, p.scan, p.st = rest, 0, blockState{}
			return true
		}
	}
	end := strings.IndexByte(rest, '\n')
	if end < 0 {
		return false
	}
	p.line(rest[:end])
	p.scan += end + 1
	return true
}

// line takes a complete line into account.
func (p *Prose) line(s string) {
	t := strings.TrimSpace(s)
	p.st.blank = t == ""
	if p.st.blank {
		return
	}
	if !p.st.begun {
		p.st.begun, p.st.list = true, startsItem(s)
	}
	mark := fenceOf(t)
	switch {
	case p.st.fence != "":
		if strings.HasPrefix(mark, p.st.fence) && mark == t {
			p.st.fence = ""
		}
	case mark != "" && !(mark[0] == '`' && strings.Contains(t[len(mark):], "`")):
		p.st.fence = mark
	}
}

// ends reports whether the text after a blank line begins a new block; sure is
// false while that cannot be told yet.
func (p *Prose) ends(next string) (cut, sure bool) {
	words := strings.TrimLeft(next, " \t")
	if words == "" || words[0] == '\n' {
		return false, words != "" // one more blank line, or not known yet
	}
	if !p.st.list {
		return true, true
	}
	if next[0] == ' ' || next[0] == '\t' {
		return false, true // belongs to the item above
	}
	switch c := next[0]; {
	case c == '-' || c == '*' || c == '+':
		if len(next) == 1 {
			return false, false
		}
		return next[1] != ' ' && next[1] != '\t' && next[1] != '\n', true
	case c >= '0' && c <= '9':
		i := 0
		for i < len(next) && next[i] >= '0' && next[i] <= '9' {
			i++
		}
		if i+1 >= len(next) {
			return i > 9, i > 9
		}
		return !startsItem(next), true
	}
	return true, true
}

// startsItem reports whether a line begins a list item.
func startsItem(s string) bool {
	s = strings.TrimLeft(s, " ")
	i := 0
	for i < len(s) && i < 10 && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	switch {
	case i == len(s):
		return false
	case i == 0 && strings.IndexByte("-*+", s[0]) >= 0, i > 0 && i < 10 && (s[i] == '.' || s[i] == ')'):
		return i+1 == len(s) || strings.IndexByte(" \t\n", s[i+1]) >= 0
	}
	return false
}

// fenceOf gives the run of fence characters with which a line begins; "" if
// there are fewer than three.
func fenceOf(s string) string {
	if s == "" || s[0] != '`' && s[0] != '~' {
		return ""
	}
	n := 1
	for n < len(s) && s[n] == s[0] {
		n++
	}
	if n < 3 {
		return ""
	}
	return s[:n]
}
