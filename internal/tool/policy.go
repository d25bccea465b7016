package tool

import (
	"fmt"
	"maps"
	"slices"

	"assent/internal/assent"
)

// table is the tools as they are in force: as defined, with what admins set.
// It is read-only; Apply puts another one in its place.
type table struct {
	tools    map[string]*Tool // by name and alias
	settings map[string]assent.ToolSetting
}

// Apply puts in force what admins set about tools, by name; the others are as
// they are defined. Calls that have begun keep the tool that they began with.
func (r *Registry) Apply(settings map[string]assent.ToolSetting) {
	t := &table{tools: maps.Clone(r.defined), settings: maps.Clone(settings)}
	for name, s := range settings {
		d, ok := r.defined[name]
		if !ok {
			continue // a tool that is gone, for now
		}
		changed := *d
		if s.Effect != "" {
			changed.Spec.Effect = s.Effect
		}
		changed.Cap = s.Cap
		for _, n := range append([]string{name}, d.Spec.Aliases...) {
			t.tools[n] = &changed
		}
	}
	r.inForce.Store(t)
}

// Policy is what admins say about a tool, by name or alias. It is the one source
// for executor, plans, conversations, agents and pages.
func (r *Registry) Policy(name string) assent.ToolPolicy {
	t := r.inForce.Load()
	if found, ok := t.tools[name]; ok {
		name = found.Spec.Name
	}
	if s, ok := t.settings[name]; ok {
		return s.Policy
	}
	return assent.PolicyAllow
}

// Permitted leaves out of specs what admins have switched off. Without such a
// tool it gives specs itself.
func (r *Registry) Permitted(specs []assent.ToolSpec) []assent.ToolSpec {
	off := func(s assent.ToolSpec) bool { return r.Policy(s.Name) == assent.PolicyDeny }
	if !slices.ContainsFunc(specs, off) {
		return specs
	}
	return slices.DeleteFunc(slices.Clone(specs), off)
}

// refusal is the error for a caller to whom a tool is switched off. A person's
// own hand on a page is not governed by policies; design 03 §5 item 9.
func (r *Registry) refusal(t *Tool, s assent.Scope) *assent.Error {
	byHand := s.Caller == assent.CallerPerson && s.Principal.TokenID == ""
	if byHand || r.Policy(t.Spec.Name) != assent.PolicyDeny {
		return nil
	}
	return &assent.Error{Code: assent.CodeForbidden, Message: fmt.Sprintf("%s is switched off by the admins.", t.Spec.Title), Hint: "Do without it, and say so."}
}

// strictness orders effects from mild to strict.
func strictness(e assent.Effect) int {
	return slices.Index([]assent.Effect{assent.EffectRead, assent.EffectWrite, assent.EffectDestructive, assent.EffectExternal}, e)
}

// Effects are those that an admin may give a tool, from mild to strict; design
// 03 §5 item 9.
func Effects(t Governed) []assent.Effect {
	var out []assent.Effect
	for _, e := range []assent.Effect{assent.EffectRead, assent.EffectWrite, assent.EffectDestructive, assent.EffectExternal} {
		if t.Source != "builtin" || strictness(e) >= strictness(t.DefinedEffect) {
			out = append(out, e)
		}
	}
	return out
}
