package config

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/joho/godotenv"
)

// Source is where settings come from.
type Source struct {
	Args   []string // flags, without the program's name
	Env    []string // "NAME=value", as os.Environ gives them
	DotEnv string   // path of a .env file; absent is fine
}

// Load reads the configuration. rest are the arguments that are no flags.
func Load(src Source) (c Config, rest []string, err error) {
	values, err := src.read()
	if err != nil {
		return c, nil, err
	}
	fs := flag.NewFlagSet("assent", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	for _, s := range settings() {
		fs.Func(s.flagName(), s.help, func(v string) error { values[s.name] = v; return nil })
	}
	if err := fs.Parse(src.Args); err != nil {
		return c, nil, fmt.Errorf("%w; see assent help config", err)
	}
	var errs []error
	for _, s := range settings() {
		v, ok := values[s.name]
		if !ok || v == "" {
			v = s.def
		}
		if err := s.set(&c, v); err != nil {
			errs = append(errs, refusal(s, v, err))
		}
	}
	errs = append(errs, c.together()...)
	return c, fs.Args(), errors.Join(errs...)
}

// refusal names the setting and what is allowed; a secret's value is not shown.
func refusal(s setting, v string, err error) error {
	if s.secret {
		return fmt.Errorf("%s %w", s.name, err)
	}
	return fmt.Errorf("%s is %q: it %w", s.name, v, err)
}

// together checks what only several settings can get wrong.
func (c Config) together() []error {
	var errs []error
	if (c.AdminEmail == "") != (c.AdminPassword == "") {
		errs = append(errs, errors.New("ASSENT_ADMIN_EMAIL and ASSENT_ADMIN_PASSWORD go together: set both or neither"))
	}
	if c.Models != nil {
		return errs
	}
	switch c.ChosenProvider() {
	case "gemini":
		if c.GeminiKey == "" {
			errs = append(errs, errors.New("ASSENT_LLM_PROVIDER is gemini, which needs GEMINI_API_KEY"))
		}
	case "openai":
		if c.OpenAIKey == "" && c.OpenAIBaseURL == "" {
			errs = append(errs, errors.New("ASSENT_LLM_PROVIDER is openai, which needs OPENAI_API_KEY or ASSENT_OPENAI_BASE_URL"))
		}
		if c.OpenAIModel == "" {
			errs = append(errs, errors.New("ASSENT_OPENAI_MODEL goes with ASSENT_OPENAI_BASE_URL or OPENAI_API_KEY: name a model of that endpoint"))
		}
	}
	return errs
}

// Unknown names the ASSENT_ variables of the environment that are no settings,
// each with the one that was probably meant. They are not refused: other programs may use the
// prefix too.
func Unknown(env []string) []string {
	known := map[string]bool{}
	for _, s := range settings() {
		known[s.name] = true
	}
	var out []string
	for _, kv := range env {
		if k, _, _ := strings.Cut(kv, "="); strings.HasPrefix(k, "ASSENT_") && !known[k] {
			out = append(out, noSetting(k, ""))
		}
	}
	slices.Sort(out)
	return out
}

// read merges the .env file, whose unknown names are refused, and the environment.
func (src Source) read() (map[string]string, error) {
	values := map[string]string{}
	known := map[string]bool{}
	for _, s := range settings() {
		known[s.name] = true
	}
	var errs []error
	if src.DotEnv != "" {
		file, err := godotenv.Read(src.DotEnv)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("%s cannot be read as NAME=value lines", src.DotEnv)
		}
		for k, v := range file {
			values[k] = v
			if strings.HasPrefix(k, "ASSENT_") && !known[k] {
				errs = append(errs, errors.New(noSetting(k, " in "+src.DotEnv)))
			}
		}
	}
	for _, kv := range src.Env {
		if k, v, ok := strings.Cut(kv, "="); ok {
			values[k] = v
		}
	}
	slices.SortFunc(errs, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return values, errors.Join(errs...)
}

// noSetting says that a name is no setting, with the one that was probably meant.
func noSetting(name, where string) string {
	out := name + where + " is no setting"
	if near := nearest(name); near != "" {
		return out + "; did you mean " + near + "?"
	}
	return out + "; assent help config lists them all"
}

// nearest gives the known name with the fewest edits; "" if none is a likely slip.
func nearest(name string) string {
	best, least := "", min(3, len(strings.TrimPrefix(name, "ASSENT_"))/2)+1
	for _, s := range settings() {
		if d := distance(name, s.name); d < least {
			best, least = s.name, d
		}
	}
	return best
}

// distance is Levenshtein's.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// Help is the table of all settings, as Markdown; the README holds the same.
func Help() string {
	var b strings.Builder
	b.WriteString("| name | default | |\n|---|---|---|\n")
	for _, s := range settings() {
		def := "none"
		if s.def != "" {
			def = "`" + s.def + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", s.name, def, s.help)
	}
	return b.String()
}
