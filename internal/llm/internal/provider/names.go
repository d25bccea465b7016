package provider

import (
	"fmt"
	"hash/fnv"
	"strings"
)

// Names maps our tool names to those that a provider's narrower alphabet
// allows, and back. A name that fits is kept. Another gets "_" for each
// character out of place and a short hash of itself, so that its form is the
// same in every request. Should two names meet all the same, the later one is
// hashed again until it is free. All names begin with a letter or "_". Use one
// Names per request; it is not safe for concurrent use.
type Names struct {
	allowed func(byte) bool
	max     int
	out     map[string]string // as given to Out
	back    map[string]string // as the provider knows it
}

// NewNames makes Names for names of at most max bytes that are all allowed.
func NewNames(allowed func(byte) bool, max int) *Names {
	return &Names{allowed: allowed, max: max, out: map[string]string{}, back: map[string]string{}}
}

// Out is name as the provider sees it.
func (n *Names) Out(name string) string {
	if narrow, known := n.out[name]; known {
		return narrow
	}
	narrow := name
	if !n.fits(name) {
		narrow = n.hashed(name, 0)
	}
	for again := 1; ; again++ {
		if _, taken := n.back[narrow]; !taken {
			break
		}
		narrow = n.hashed(name, again)
	}
	n.out[name], n.back[narrow] = narrow, name
	return narrow
}

// hashed is name in the alphabet, with a hash of it that differs each time.
func (n *Names) hashed(name string, again int) string {
	h := fnv.New32a()
	h.Write([]byte(name))
	h.Write(make([]byte, again))
	suffix := fmt.Sprintf("_%08x", h.Sum32())
	narrow := strings.Map(func(r rune) rune {
		if r < 0x80 && n.allowed(byte(r)) {
			return r
		}
		return '_'
	}, name)
	if !first(narrow) {
		narrow = "_" + narrow
	}
	if len(narrow) > n.max-len(suffix) {
		narrow = narrow[:n.max-len(suffix)]
	}
	return narrow + suffix
}

// Back is what the provider's name stands for; a name that Out never gave is
// returned as it is.
func (n *Names) Back(name string) string {
	if ours, ok := n.back[name]; ok {
		return ours
	}
	return name
}

func (n *Names) fits(name string) bool {
	if !first(name) || len(name) > n.max {
		return false
	}
	for i := range len(name) {
		if !n.allowed(name[i]) {
			return false
		}
	}
	return true
}

// first reports whether name begins as every provider allows.
func first(name string) bool {
	return name != "" && (name[0] == '_' || AlphaNumeric(name[0]) && name[0] > '9')
}

// AlphaNumeric reports whether c is a letter or digit of ASCII.
func AlphaNumeric(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}
