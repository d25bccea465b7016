package lang

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// Root is where a reference begins.
type Root string

// The roots of design 03 §2.
const (
	RootOutput  Root = "output"   // $N.output: of the top-level step N
	RootResult  Root = "result"   // {{ result.KEY }}: stored under a result_key
	RootBinding Root = "bindings" // {{ bindings.NAME }}: passed in by the caller
)

// Ref is one reference.
type Ref struct {
	Root  Root
	Index int      // of RootOutput; may be out of range, negative too
	Key   string   // of RootResult and RootBinding
	Path  []string // into the value; empty for the whole of it
}

// String writes the reference as a plan would.
func (r Ref) String() string {
	path := ""
	if len(r.Path) > 0 {
		path = "." + strings.Join(r.Path, ".")
	}
	if r.Root == RootOutput {
		return "$" + strconv.Itoa(r.Index) + ".output" + path
	}
	return "{{ " + string(r.Root) + "." + r.Key + path + " }}"
}

// SyntaxError says why text that must be a reference is none.
type SyntaxError struct {
	Text   string // as written
	Reason string // one plain sentence
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%s: %s", e.Text, e.Reason) }

// special is where `$` has a meaning at all; anything else ("$5.00") is text.
var special = regexp.MustCompile(`^\$[-+]?\w*\.[A-Za-z_]`)

// keyName is what a result_key looks like.
var keyName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_-]{0,63}$`)

const maxPath = 64

// parseDollar reads `$N.output.a.b.0`, the whole of a string that is special.
func parseDollar(s string) (Ref, *SyntaxError) {
	bad := func(reason string) (Ref, *SyntaxError) { return Ref{}, &SyntaxError{Text: s, Reason: reason} }
	parts := strings.Split(s[1:], ".")
	n, ok := stepNumber(parts[0])
	if !ok {
		return bad(`After "$" stands the number of an earlier step, counted from 0, as in "$0.output.artifact_id". Write "$$" for a literal "$".`)
	}
	if parts[1] != string(RootOutput) {
		return bad(fmt.Sprintf(`After "$%s" stands ".output", as in "$%s.output.artifact_id".`, parts[0], parts[0]))
	}
	if reason := badPath(parts[2:]); reason != "" {
		return bad(reason + ` "$N.output" must be the whole string; inside a longer text use {{ result.KEY }}.`)
	}
	return Ref{Root: RootOutput, Index: n, Path: parts[2:]}, nil
}

// stepNumber reads N. A number that no plan reaches stays one, out of range.
func stepNumber(s string) (int, bool) {
	digits := strings.TrimPrefix(s, "-")
	if s == "-0" || digits == "" || strings.Trim(digits, "0123456789") != "" || len(digits) > 1 && digits[0] == '0' {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		return math.MaxInt32, true
	}
	return max(min(n, math.MaxInt32), math.MinInt32), true
}

// parseBraces reads what stands between `{{` and `}}`.
func parseBraces(inner string) (Ref, *SyntaxError) {
	whole := "{{" + inner + "}}"
	bad := func(reason string) (Ref, *SyntaxError) { return Ref{}, &SyntaxError{Text: whole, Reason: reason} }
	parts := strings.Split(strings.Trim(inner, " \t\r\n"), ".")
	root := Root(parts[0])
	if root != RootResult && root != RootBinding {
		return bad(`Between "{{" and "}}" stands result.KEY or bindings.NAME. Write "{{{{" for a literal "{{".`)
	}
	if len(parts) < 2 {
		return bad(fmt.Sprintf("After %q a name is missing.", root))
	}
	if reason := badPath(parts[1:]); reason != "" {
		return bad(reason)
	}
	if root == RootResult && !keyName.MatchString(parts[1]) {
		return bad("A result_key has letters, digits, - and _ only.")
	}
	return Ref{Root: root, Key: parts[1], Path: parts[2:]}, nil
}

func badPath(parts []string) string {
	if len(parts) > maxPath {
		return "The path is too long."
	}
	for _, p := range parts {
		if p == "" {
			return "A part of the path is empty."
		}
		if strings.ContainsFunc(p, func(c rune) bool { return unicode.IsSpace(c) || unicode.IsControl(c) || c == '{' || c == '}' }) {
			return "The path holds a space or a brace."
		}
	}
	return ""
}
