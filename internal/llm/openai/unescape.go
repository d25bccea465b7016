package openai

import "unicode/utf8"

// unescape gives the text of a checked string. It leaves surrogates, which come
// in pairs, to encoding/json.
func unescape(raw []byte) (string, bool) {
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			out = append(out, raw[i])
			continue
		}
		i++
		if raw[i] != 'u' {
			out = append(out, escaped(raw[i]))
			continue
		}
		r, _ := hex4(raw[i+1:])
		if r >= 0xD800 && r < 0xE000 {
			return "", false
		}
		out = utf8.AppendRune(out, r)
		i += 4
	}
	return string(out), true
}

func escaped(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}

func hex4(b []byte) (r rune, ok bool) {
	if len(b) < 4 {
		return 0, false
	}
	for _, c := range b[:4] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}
