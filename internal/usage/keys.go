package usage

import (
	"fmt"
	"strings"
	"time"

	"assent/internal/assent"
)

// key is one thing that calls can be grouped by.
type key struct {
	name string
	of   func(u assent.UsageLine, zone *time.Location) string
}

// keys lists every group_by key of design 06, in the order of the documentation.
func keys() []key {
	plain := func(name string, of func(u assent.UsageLine) string) key {
		return key{name, func(u assent.UsageLine, _ *time.Location) string { return of(u) }}
	}
	return []key{
		{"day", func(u assent.UsageLine, zone *time.Location) string { return u.At.Std().In(zone).Format(time.DateOnly) }},
		plain("operation_type", func(u assent.UsageLine) string { return string(u.Operation) }),
		plain("model", func(u assent.UsageLine) string { return u.Model }),
		plain("provider", func(u assent.UsageLine) string { return u.Provider }),
		plain("user", func(u assent.UsageLine) string { return u.UserID }),
		plain("context_type", func(u assent.UsageLine) string { return string(u.ContextType) }),
		plain("execution_mode", func(u assent.UsageLine) string { return string(u.ExecutionMode) }),
		plain("profile", func(u assent.UsageLine) string { return u.Profile }),
		plain("tool", func(u assent.UsageLine) string { return u.Tool }),
		plain("plan", func(u assent.UsageLine) string { return u.PlanID }),
		plain("step", func(u assent.UsageLine) string { return u.Step }),
		plain("status", func(u assent.UsageLine) string { return string(u.Status) }),
		plain("error_class", func(u assent.UsageLine) string { return u.ErrorClass }),
		plain("fallback_from", func(u assent.UsageLine) string { return u.FallbackFrom }),
	}
}

// Keys lists the names that group_by takes.
func Keys() []string {
	all := keys()
	out := make([]string, len(all))
	for i, k := range all {
		out[i] = k.name
	}
	return out
}

// Check refuses keys that there are not, as Report would.
func Check(groupBy []string) error {
	_, err := resolve(groupBy)
	return err
}

// resolve finds the keys by name; an unknown one is an invalid_arguments error
// that lists those there are.
func resolve(names []string) ([]key, error) {
	byName := map[string]key{}
	for _, k := range keys() {
		byName[k.name] = k
	}
	out := make([]key, len(names))
	for i, n := range names {
		k, ok := byName[n]
		if !ok {
			return nil, assent.Invalid("/group_by", "unknown_key",
				fmt.Sprintf("Calls cannot be grouped by %q; use %s.", n, strings.Join(Keys(), ", ")))
		}
		out[i] = k
	}
	return out, nil
}
