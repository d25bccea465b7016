package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assent/internal/config"
)

func TestLoad(t *testing.T) {
	dotenv := filepath.Join(t.TempDir(), ".env")
	if err := os.WriteFile(dotenv, []byte("ASSENT_ADDR=127.0.0.1:1111\nASSENT_PLAN_MAX_STEPS=5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		args, env []string
		check     func(config.Config) bool
	}{
		"defaults with .env": {check: func(c config.Config) bool {
			return c.Addr == "127.0.0.1:1111" && c.PlanMaxSteps == 5 && c.DataDir == "./data"
		}},
		"environment over .env": {env: []string{"ASSENT_ADDR=127.0.0.1:2222"}, check: func(c config.Config) bool { return c.Addr == "127.0.0.1:2222" }},
		"flags over all":        {args: []string{"--addr", "127.0.0.1:3333"}, env: []string{"ASSENT_ADDR=127.0.0.1:2222"}, check: func(c config.Config) bool { return c.Addr == "127.0.0.1:3333" }},
		"auto is offline":       {check: func(c config.Config) bool { return c.ChosenProvider() == "offline" }},
		"auto takes gemini":     {env: []string{"GEMINI_API_KEY=k", "OPENAI_API_KEY=k"}, check: func(c config.Config) bool { return c.ChosenProvider() == "gemini" }},
		"auto takes ollama": {env: []string{"ASSENT_OPENAI_BASE_URL=http://127.0.0.1:11434/v1/", "ASSENT_OPENAI_MODEL=m"}, check: func(c config.Config) bool {
			return c.ChosenProvider() == "openai" && c.OpenAIBaseURL == "http://127.0.0.1:11434/v1"
		}},
		"caps":         {env: []string{"ASSENT_TOOL_CALL_CAPS=search=5, get_task=8"}, check: func(c config.Config) bool { return c.ToolCallCaps["search"] == 5 && c.ToolCallCaps["get_task"] == 8 }},
		"a lone proxy": {env: []string{"ASSENT_TRUSTED_PROXIES=10.0.0.0/8,127.0.0.1"}, check: func(c config.Config) bool { return len(c.TrustedProxies) == 2 }},
	} {
		t.Run(name, func(t *testing.T) {
			c, _, err := config.Load(config.Source{Args: tc.args, Env: tc.env, DotEnv: dotenv})
			if err != nil || !tc.check(c) {
				t.Errorf("got %+v, error %v", c, err)
			}
		})
	}
}

func TestBadSettingsAreNamedWithWhatIsAllowed(t *testing.T) {
	for env, want := range map[string]string{
		"ASSENT_ADDR=8080":                              "host:port",
		"ASSENT_BASE_URL=plans.example.org":             "http or https",
		"ASSENT_LLM_PROVIDER=claude":                    "auto, gemini, openai, offline",
		"ASSENT_MAX_TURN_DURATION=ninety":               "duration from 1s",
		"ASSENT_PLAN_MAX_STEPS=0":                       "from 1 to 100",
		"ASSENT_DYNAMIC_PROMPT_STATE=maybe":             "true or false",
		"ASSENT_EVENT_RETENTION=5s":                     "at least 1h",
		"ASSENT_TRUSTED_PROXIES=everyone":               "10.0.0.0/8",
		"ASSENT_TOOL_CALL_CAPS=search":                  "search=5",
		"ASSENT_SIGNUP=yes":                             "open, closed",
		"ASSENT_ADMIN_EMAIL=a@example.org":              "go together",
		"ASSENT_LLM_PROVIDER=gemini":                    "GEMINI_API_KEY",
		"ASSENT_OPENAI_BASE_URL=http://127.0.0.1:1/v1":  "ASSENT_OPENAI_MODEL",
		`ASSENT_MODELS={"profiles":{"fast":[]}}`:        "ASSENT_MODELS is not valid: /profiles/fast",
		"ASSENT_MODELS={":                               "ASSENT_MODELS is not valid: /: must be a JSON object",
		"ASSENT_OPENAI_BASE_URL=http://u:p@127.0.0.1/v": "ASSENT_OPENAI_BASE_URL",
	} {
		name, _, _ := strings.Cut(env, "=")
		_, _, err := config.Load(config.Source{Env: []string{env}})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s gives %v, want it named with %q", env, err, want)
		}
	}
	secret := `{"providers":{"openai":{"api_key":"sk-very-secret","colour":1}}}`
	if _, _, err := config.Load(config.Source{Env: []string{"ASSENT_MODELS=" + secret}}); err == nil || strings.Contains(err.Error(), "very-secret") {
		t.Errorf("a bad ASSENT_MODELS gives %v", err)
	}
}

func TestUnknownNames(t *testing.T) {
	if u := config.Unknown([]string{"ASSENT_ADR=127.0.0.1:1", "ASSENT_ADDR=x", "HOME=/"}); len(u) != 1 || !strings.Contains(u[0], "ASSENT_ADDR?") {
		t.Errorf("unknown are %v", u)
	}
	dotenv := filepath.Join(t.TempDir(), ".env")
	if err := os.WriteFile(dotenv, []byte("ASSENT_ADR=127.0.0.1:1111\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := config.Load(config.Source{DotEnv: dotenv}); err == nil || !strings.Contains(err.Error(), "ASSENT_ADDR?") {
		t.Errorf("an unknown name in .env gives %v", err)
	}
}

func TestTheReadmeDocumentsEverySetting(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(config.Help()), "\n") {
		if !strings.Contains(string(readme), line) {
			t.Errorf("the README lacks %s", line)
		}
	}
}

// TestOnlyASlipIsCorrected: a name that is like none is not taken for another.
func TestOnlyASlipIsCorrected(t *testing.T) {
	for name, want := range map[string]string{
		"ASSENT_ADRR": "ASSENT_ADRR is no setting; did you mean ASSENT_ADDR?", "ASSENT_MODLES": "ASSENT_MODLES is no setting; did you mean ASSENT_MODELS?",
		"ASSENT_TYPO": "ASSENT_TYPO is no setting; assent help config lists them all", "ASSENT_X": "ASSENT_X is no setting; assent help config lists them all",
	} {
		if u := config.Unknown([]string{name + "=1"}); len(u) != 1 || u[0] != want {
			t.Errorf("%s: %q", name, u)
		}
	}
}
