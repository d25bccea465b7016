package lang

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// kind is the JSON type of a value.
type kind byte

const (
	null kind = iota
	boolean
	number
	text
	array
	object
)

func (k kind) String() string {
	return [...]string{"null", "a boolean", "a number", "a string", "an array", "an object"}[k]
}

// value is a JSON value with its text. Unlike encoding/json's any it keeps key
// order, digits and duplicate keys, which the plan language refuses.
type value struct {
	kind  kind
	raw   []byte   // the value's own bytes
	text  string   // decoded, of a string
	keys  []string // decoded, of an object; parallel to items
	items []value
}

// get gives the value of a key, the last if there are several, as encoding/json does.
func (v value) get(key string) (value, bool) {
	for i := len(v.keys) - 1; i >= 0; i-- {
		if v.keys[i] == key {
			return v.items[i], true
		}
	}
	return value{}, false
}

var (
	errNotJSON = errors.New("it is not valid JSON")
	errTooDeep = errors.New("it is nested too deeply")
	errTooMany = errors.New("it holds too many values")
)

// read parses one JSON text of at most so many levels and values; duplicates
// gives the pointers of keys that occur twice in their object.
func read(raw []byte, levels, values int) (v value, duplicates []string, err error) {
	if !json.Valid(raw) || !utf8.Valid(raw) {
		return value{}, nil, errNotJSON
	}
	r := reader{src: raw, max: levels, left: values}
	r.space()
	v = r.value(0)
	return v, r.duplicates, r.err
}

// reader walks JSON that is known to be valid.
type reader struct {
	src        []byte
	at         int
	max        int // levels
	left       int // values
	path       []string
	duplicates []string
	err        error
}

func (r *reader) space() {
	for r.at < len(r.src) && strings.IndexByte(" \t\r\n", r.src[r.at]) >= 0 {
		r.at++
	}
}

// value reads the value at r.at and stops behind the space that follows it.
func (r *reader) value(depth int) value {
	start := r.at
	if r.left--; r.left < 0 {
		r.err = errTooMany
	}
	if depth > r.max {
		r.err = errTooDeep
	}
	if r.err != nil {
		return value{}
	}
	var v value
	switch r.src[r.at] {
	case '{':
		v = r.object(depth)
	case '[':
		v = r.array(depth)
	case '"':
		v = value{kind: text, text: r.string()}
	case 't', 'f':
		v = r.word(boolean)
	case 'n':
		v = r.word(null)
	default:
		v = r.word(number)
	}
	if r.err != nil {
		return value{}
	}
	v.raw = r.src[start:r.at]
	r.space()
	return v
}

func (r *reader) word(k kind) value {
	for r.at < len(r.src) && strings.IndexByte(" \t\r\n,]}", r.src[r.at]) < 0 {
		r.at++
	}
	return value{kind: k}
}

func (r *reader) string() string {
	start := r.at
	escaped := false
	for r.at++; r.src[r.at] != '"'; r.at++ {
		if r.src[r.at] == '\\' {
			escaped = true
			r.at++
		}
	}
	r.at++
	if !escaped {
		return string(r.src[start+1 : r.at-1])
	}
	var s string
	if err := json.Unmarshal(r.src[start:r.at], &s); err != nil {
		r.err = errNotJSON // cannot be: the whole text is valid
	}
	return s
}

func (r *reader) array(depth int) value {
	v := value{kind: array}
	for r.open(); r.src[r.at] != ']' && r.err == nil; r.comma() {
		r.path = append(r.path, strconv.Itoa(len(v.items)))
		v.items = append(v.items, r.value(depth+1))
		r.path = r.path[:len(r.path)-1]
	}
	r.at++
	return v
}

func (r *reader) object(depth int) value {
	v := value{kind: object}
	var seen map[string]bool // of large objects
	for r.open(); r.src[r.at] != '}' && r.err == nil; r.comma() {
		key := r.string()
		r.space()
		r.at++ // the colon
		r.space()
		r.path = append(r.path, key)
		if len(v.keys) == manyKeys {
			seen = set(v.keys)
		}
		if (seen[key] || seen == nil && slices.Contains(v.keys, key)) && len(r.duplicates) < MaxErrors {
			r.duplicates = append(r.duplicates, pointer(r.path...))
		}
		if seen != nil {
			seen[key] = true
		}
		v.keys, v.items = append(v.keys, key), append(v.items, r.value(depth+1))
		r.path = r.path[:len(r.path)-1]
	}
	r.at++
	return v
}

// manyKeys is from where on a map is faster than looking at each.
const manyKeys = 16

func set(keys []string) map[string]bool {
	m := make(map[string]bool, 2*len(keys))
	for _, k := range keys {
		m[k] = true
	}
	return m
}

func (r *reader) open() {
	r.at++
	r.space()
}

func (r *reader) comma() {
	if r.err == nil && r.src[r.at] == ',' {
		r.open()
	}
}

var pointerEscape = strings.NewReplacer("~", "~0", "/", "~1")

// pointer renders an RFC 6901 JSON pointer.
func pointer(parts ...string) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteByte('/')
		b.WriteString(pointerEscape.Replace(p))
	}
	return b.String()
}

// compact gives a value's text without the space around its parts.
func compact(raw []byte) json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return raw
	}
	return b.Bytes()
}

// quote writes a string as JSON, without escaping what is only special in HTML.
func quote(b *bytes.Buffer, s string) {
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	if e.Encode(s) == nil {
		b.Truncate(b.Len() - 1) // the encoder's newline
	}
}
