package tool

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"assent/internal/assent"
)

// Registry finds tools by name or alias. It is filled in app before anything
// runs; what admins set about its tools may change at any time (Apply). It is
// safe for concurrent use.
type Registry struct {
	defined map[string]*Tool // by name and alias
	names   []string
	inForce atomic.Pointer[table]
}

// NewRegistry makes a registry of tools; a name or alias used twice is an error.
func NewRegistry(tools ...*Tool) (*Registry, error) {
	r := &Registry{defined: map[string]*Tool{}}
	for _, t := range tools {
		for _, n := range append([]string{t.Spec.Name}, t.Spec.Aliases...) {
			if r.defined[n] != nil {
				return nil, fmt.Errorf("tool name %q is used twice", n)
			}
			r.defined[n] = t
		}
		r.names = append(r.names, t.Spec.Name)
	}
	slices.Sort(r.names)
	r.Apply(nil)
	return r, nil
}

// Find gives a tool by name or alias.
func (r *Registry) Find(name string) (*Tool, bool) {
	t, ok := r.inForce.Load().tools[name]
	return t, ok
}

// Spec gives a tool's spec by name or alias.
func (r *Registry) Spec(name string) (assent.ToolSpec, bool) {
	if t, ok := r.Find(name); ok {
		return t.Spec, true
	}
	return assent.ToolSpec{}, false
}

// Specs lists every tool by name.
func (r *Registry) Specs() []assent.ToolSpec {
	out, tools := make([]assent.ToolSpec, len(r.names)), r.inForce.Load().tools
	for i, n := range r.names {
		out[i] = tools[n].Spec
	}
	return out
}

// Match gives the tools whose name, title or description fit free words, best
// first, without those that are switched off; find_tools is made of it.
func (r *Registry) Match(query string, limit int) []assent.ToolSpec {
	type scored struct {
		spec  assent.ToolSpec
		score int
	}
	words := strings.FieldsFunc(strings.ToLower(query), func(c rune) bool { return c == ' ' || c == '_' || c == ',' })
	var found []scored
	for _, spec := range r.Permitted(r.Specs()) {
		name, rest := strings.ToLower(spec.Name+" "+strings.Join(spec.Aliases, " ")), strings.ToLower(spec.Title+" "+spec.Description)
		score := 0
		for _, w := range words {
			w = strings.TrimSuffix(w, "s")
			if strings.Contains(name, w) {
				score += 3
			} else if strings.Contains(rest, w) {
				score++
			}
		}
		if score > 0 {
			found = append(found, scored{spec, score})
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int { return b.score - a.score })
	out := []assent.ToolSpec{}
	for _, f := range found[:min(limit, len(found))] {
		out = append(out, f.spec)
	}
	return out
}
