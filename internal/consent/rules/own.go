package rules

import "strings"

// own gives the message with everything blanked out that is not the person's
// own words: what is quoted, pasted, forwarded, marked up or in code. Every
// byte keeps its place, so that positions hold in the message too; a stretch
// that was blanked is one foreign token and therefore never part of an
// approval. It takes linear time: what was once searched in vain is not
// searched again.
func own(message string, isTitle func(string) bool) string {
	o := owner{in: message, isTitle: isTitle}
	for o.at < len(o.in) {
		o.line()
	}
	if o.out == nil {
		return message
	}
	return string(o.out)
}

type owner struct {
	in      string
	out     []byte // a copy, once something is blanked
	at      int
	named   bool // a quoted title was taken as a name
	missing [256]bool
	isTitle func(string) bool
}

// blank takes bytes out of the message, up to and without end.
func (o *owner) blank(from, end int) {
	if o.out == nil {
		o.out = []byte(o.in)
	}
	clear(o.out[from:end])
	o.at = end
}

// line goes through one line.
func (o *owner) line() {
	end := len(o.in)
	if n := strings.IndexByte(o.in[o.at:], '\n'); n >= 0 {
		end = o.at + n
	}
	start := strings.TrimLeft(o.in[o.at:end], " \t\r")
	switch {
	case strings.HasPrefix(start, ">"), strings.HasPrefix(start, "---"), strings.HasPrefix(start, "==="):
		o.blank(o.at, end)
	case strings.HasPrefix(start, "~~~"):
		o.fence(o.at, "~~~")
	case begins(start):
		o.blank(o.at, len(o.in)) // everything below is somebody else's
	default:
		o.inside(end)
	}
	if o.at < len(o.in) && o.at == end {
		o.at++
	}
}

// fence blanks a block of code, to the end of the message if it is not closed.
func (o *owner) fence(from int, mark string) {
	body := from + strings.Index(o.in[from:], mark) + len(mark)
	n := strings.Index(o.in[body:], mark)
	if n < 0 {
		o.blank(from, len(o.in))
		return
	}
	o.blank(from, body+n+len(mark))
}

// quotes are the marks that open a quotation and those that close it.
var quotes = []struct{ open, close string }{
	{`"`, `"`}, {"“", "”"}, {"„", "“"}, {"„", "”"}, {"”", "”"}, {"«", "»"}, {"»", "«"}, {"「", "」"}, {"『", "』"}, {"《", "》"}, {"〈", "〉"}, {"＂", "＂"}, {"‹", "›"},
}

// inside goes through a line that is not foreign as a whole.
func (o *owner) inside(end int) {
	noSingle := false
	for o.at < end {
		switch c := o.in[o.at]; {
		case c == '`' && strings.HasPrefix(o.in[o.at:], "```"):
			o.fence(o.at, "```")
			return
		case c == '`':
			o.toEither(end, "`")
		case c == '<':
			o.markup(end)
		case c == '\'' && !noSingle && o.opensSingle():
			noSingle = !o.single(end)
		case c == '"', c >= 0x80:
			o.quotation(end)
			if o.at > end {
				return
			}
		default:
			o.at++
		}
	}
}

// toEither blanks up to the closing mark, or to the end of the line.
func (o *owner) toEither(end int, mark string) {
	body := o.at + len(mark)
	if n := strings.Index(o.in[body:end], mark); n >= 0 {
		end = body + n + len(mark)
	}
	o.blank(o.at, end)
}

// markup blanks a tag. Where a line has none that is closed, it is passed over
// in one go.
func (o *owner) markup(end int) {
	if o.at+1 < end && (o.in[o.at+1] == '/' || o.in[o.at+1] == '!' || o.in[o.at+1]|0x20 >= 'a' && o.in[o.at+1]|0x20 <= 'z') {
		o.toEither(end, ">")
		return
	}
	o.at++
}

// quotation blanks a quotation, across lines; one that is never closed, to the
// end of its line. A title of what waits, quoted once behind other words, only
// names it.
func (o *owner) quotation(end int) {
	opened := false
	for i, q := range quotes {
		if !strings.HasPrefix(o.in[o.at:], q.open) {
			continue
		}
		opened = true
		body, n := o.at+len(q.open), -1
		if !o.missing[i] {
			n = strings.Index(o.in[body:], q.close)
		}
		if n < 0 {
			o.missing[i] = true
			continue
		}
		text := o.in[body : body+n]
		if !o.named && len(text) < 200 && strings.TrimSpace(o.in[:o.at]) != "" && o.isTitle(text) {
			o.named = true
			o.spaces(o.at, body)
			o.spaces(body+n, body+n+len(q.close))
			return
		}
		o.blank(o.at, body+n+len(q.close))
		return
	}
	if opened {
		o.blank(o.at, end)
		return
	}
	o.at++
}

func (o *owner) spaces(from, end int) {
	o.blank(from, end)
	for i := from; i < end; i++ {
		o.out[i] = ' '
	}
}

// opensSingle reports an apostrophe that opens a quotation.
func (o *owner) opensSingle() bool {
	return (o.at == 0 || strings.IndexByte(" \t\n(,:;", o.in[o.at-1]) >= 0) && o.at+1 < len(o.in) && strings.IndexByte(" \t\n'", o.in[o.at+1]) < 0
}

// single blanks 'a quotation like this', if the line has its end.
func (o *owner) single(end int) bool {
	for i := o.at + 2; i < end; i++ {
		if o.in[i] == '\'' && (i+1 == len(o.in) || strings.IndexByte(" \t\n\r.,;:!?)", o.in[i+1]) >= 0) {
			o.blank(o.at, i+1)
			return true
		}
	}
	o.at++
	return false
}
