package openai

import "unicode/utf8"

// maxNesting is how deep a value that is skipped may be nested.
const maxNesting = 32

// scanner walks over JSON without building anything. Each method reports
// whether it found what it is named after; after a false the scanner is of no
// more use, except where said otherwise. It accepts valid JSON only, but not
// all of it.
type scanner struct {
	b  []byte
	at int
}

func (s *scanner) space() {
	for s.at < len(s.b) {
		switch s.b[s.at] {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return
		}
	}
}

// byte takes c, after any space. After a false the scanner may be used on.
func (s *scanner) byte(c byte) bool {
	s.space()
	if s.at < len(s.b) && s.b[s.at] == c {
		s.at++
		return true
	}
	return false
}

// null takes null, after any space. After a false the scanner may be used on.
func (s *scanner) null() bool {
	s.space()
	return s.literal("null")
}

func (s *scanner) literal(word string) bool {
	if len(s.b)-s.at < len(word) || string(s.b[s.at:s.at+len(word)]) != word {
		return false
	}
	s.at += len(word)
	return true
}

// object takes an object and asks field to take each value.
func (s *scanner) object(field func(key []byte) bool) bool {
	if !s.byte('{') {
		return false
	}
	if s.byte('}') {
		return true
	}
	for {
		key, ok := s.key()
		if !ok || !s.byte(':') || !field(key) {
			return false
		}
		if !s.byte(',') {
			return s.byte('}')
		}
	}
}

// key takes a string without escapes.
func (s *scanner) key() ([]byte, bool) {
	if !s.byte('"') {
		return nil, false
	}
	start := s.at
	for ; s.at < len(s.b); s.at++ {
		switch c := s.b[s.at]; {
		case c == '"':
			s.at++
			return s.b[start : s.at-1], true
		case c == '\\' || c < 0x20:
			return nil, false
		}
	}
	return nil, false
}

// textOrNull takes a string into text, or null, which leaves text as it is.
func (s *scanner) textOrNull(text *string) bool {
	if s.null() {
		return true
	}
	if !s.byte('"') {
		return false
	}
	start, escapes := s.at, 0
	if !s.restOfString(&escapes) {
		return false
	}
	raw := s.b[start : s.at-1]
	if !utf8.Valid(raw) { // encoding/json repairs it
		return false
	}
	if escapes == 0 {
		*text = string(raw)
		return true
	}
	plain, ok := unescape(raw)
	*text = plain
	return ok
}

// restOfString takes a string after its quote, and counts its escapes.
func (s *scanner) restOfString(escapes *int) bool {
	for ; s.at < len(s.b); s.at++ {
		switch c := s.b[s.at]; {
		case c == '"':
			s.at++
			return true
		case c < 0x20:
			return false
		case c == '\\':
			*escapes++
			s.at++
			if !s.escape() {
				return false
			}
		}
	}
	return false
}

// escape checks what follows a backslash and stops at its last byte.
func (s *scanner) escape() bool {
	if s.at >= len(s.b) {
		return false
	}
	switch s.b[s.at] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return true
	case 'u':
		_, ok := hex4(s.b[s.at+1:])
		s.at += 4
		return ok
	}
	return false
}

// skip takes any value.
func (s *scanner) skip(depth int) bool {
	s.space()
	if s.at >= len(s.b) || depth > maxNesting {
		return false
	}
	switch s.b[s.at] {
	case '"':
		s.at++
		var escapes int
		return s.restOfString(&escapes)
	case '{':
		return s.skipObject(depth)
	case '[':
		return s.skipArray(depth)
	case 't':
		return s.literal("true")
	case 'f':
		return s.literal("false")
	case 'n':
		return s.literal("null")
	}
	return s.number()
}

func (s *scanner) skipObject(depth int) bool {
	s.at++
	if s.byte('}') {
		return true
	}
	for {
		var escapes int
		if !s.byte('"') || !s.restOfString(&escapes) || !s.byte(':') || !s.skip(depth+1) {
			return false
		}
		if !s.byte(',') {
			return s.byte('}')
		}
	}
}

func (s *scanner) skipArray(depth int) bool {
	s.at++
	if s.byte(']') {
		return true
	}
	for s.skip(depth + 1) {
		if !s.byte(',') {
			return s.byte(']')
		}
	}
	return false
}

// number takes a number as JSON spells it.
func (s *scanner) number() bool {
	s.one('-', '-')
	if !s.one('0', '0') && s.digits() == 0 {
		return false
	}
	if s.one('.', '.') && s.digits() == 0 {
		return false
	}
	if s.one('e', 'E') {
		s.one('+', '-')
		return s.digits() > 0
	}
	return true
}

func (s *scanner) one(a, b byte) bool {
	if s.at < len(s.b) && (s.b[s.at] == a || s.b[s.at] == b) {
		s.at++
		return true
	}
	return false
}

func (s *scanner) digits() (n int) {
	for s.at < len(s.b) && s.b[s.at] >= '0' && s.b[s.at] <= '9' {
		s.at++
		n++
	}
	return n
}
