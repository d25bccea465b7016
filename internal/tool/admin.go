package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"assent/internal/assent"
	"assent/internal/store"
)

// maxCap bounds the cap that an admin may set.
const maxCap = 1000

// Governed is a tool as admins see it: in force, with what they set.
type Governed struct {
	assent.ToolSpec
	Policy        assent.ToolPolicy `json:"policy"`
	DefinedEffect assent.Effect     `json:"defined_effect"`
	Cap           int64             `json:"cap"` // calls that a model may choose in one turn
	CapSet        bool              `json:"cap_set"`
}

// Admin changes what admins set about tools. A change is stored and audited
// first, then in force everywhere at once. It is safe for concurrent use.
type Admin struct {
	registry *Registry
	store    *store.Store
	limits   Limits // caps without an admin's
	mu       sync.Mutex
}

// NewAdmin puts in force what is stored about the registry's tools.
func NewAdmin(ctx context.Context, r *Registry, s *store.Store, limits Limits) (*Admin, error) {
	a := &Admin{registry: r, store: s, limits: limits}
	return a, a.load(ctx)
}

func (a *Admin) load(ctx context.Context) error {
	settings, err := a.store.ListToolSettings(ctx)
	if err == nil {
		a.registry.Apply(settings)
	}
	return err
}

// List gives every tool, by name.
func (a *Admin) List() []Governed {
	out := make([]Governed, len(a.registry.names))
	for i, name := range a.registry.names {
		out[i] = a.governed(name)
	}
	return out
}

// Find gives a tool by name or alias.
func (a *Admin) Find(name string) (Governed, error) {
	t, ok := a.registry.Find(name)
	if !ok {
		return Governed{}, assent.NotFound("tool")
	}
	return a.governed(t.Spec.Name), nil
}

func (a *Admin) governed(name string) Governed {
	t := a.registry.inForce.Load().tools[name]
	g := Governed{ToolSpec: t.Spec, Policy: a.registry.Policy(name), DefinedEffect: a.registry.defined[name].Spec.Effect, Cap: int64(a.limits.of(name))}
	if t.Cap != nil {
		g.Cap, g.CapSet = *t.Cap, true
	}
	return g
}

// Set stores what an admin says about a tool, in the place of what was set
// before: an effect or cap that is left out is as defined again.
func (a *Admin) Set(ctx context.Context, by, name string, s assent.ToolSetting) (Governed, error) {
	before, err := a.Find(name)
	if err != nil {
		return Governed{}, err
	}
	if err := checkSetting(before, s); err != nil {
		return Governed{}, err
	}
	if s.Effect == before.DefinedEffect {
		s.Effect = ""
	}
	a.mu.Lock() // what is in force last is what was stored last
	defer a.mu.Unlock()
	err = a.store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.SaveToolSetting(by, before.Name, s); err != nil {
			return err
		}
		details, err := json.Marshal(map[string]any{"policy": s.Policy, "effect": s.Effect, "cap": s.Cap, "policy_before": before.Policy, "effect_before": before.Effect})
		if err != nil {
			return err
		}
		return tx.Audit(store.Origin{UserID: by, Caller: assent.CallerPerson}, "tool_policy", before.Name, string(details))
	})
	if err == nil {
		err = a.load(ctx)
	}
	if err != nil {
		return Governed{}, err
	}
	return a.governed(before.Name), nil
}

// checkSetting gives every violation. The effect of a built-in tool is known, so
// it may be taken for stricter, never for milder.
func checkSetting(t Governed, s assent.ToolSetting) error {
	var wrong []assent.FieldError
	fail := func(pointer, code, format string, args ...any) {
		wrong = append(wrong, assent.FieldError{Pointer: pointer, Code: code, Message: fmt.Sprintf(format, args...)})
	}
	switch s.Policy {
	case assent.PolicyAllow, assent.PolicyAsk, assent.PolicyDeny:
	case "":
		fail("/policy", "required", "The policy is missing: allow, ask or deny.")
	default:
		fail("/policy", "enum", "The policy is allow, ask or deny.")
	}
	switch {
	case s.Effect == "":
	case strictness(s.Effect) < 0:
		fail("/effect", "enum", "The effect is read, write, destructive or external.")
	case t.Source == "builtin" && strictness(s.Effect) < strictness(t.DefinedEffect):
		fail("/effect", "milder", "The effect of a built-in tool may only be made stricter than %s.", t.DefinedEffect)
	}
	if s.Cap != nil && (*s.Cap < 0 || *s.Cap > maxCap) {
		fail("/cap", "range", "The cap is a whole number from 0 to %d.", maxCap)
	}
	return assent.InvalidFields(wrong)
}
