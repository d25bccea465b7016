package config

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"assent/internal/assent"
	"assent/internal/llm"
)

// setting is one row of the table.
type setting struct {
	name, def, help string
	secret          bool
	set             func(c *Config, v string) error
}

// flagName is the flag of a setting: --data-dir for ASSENT_DATA_DIR.
func (s setting) flagName() string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(s.name, "ASSENT_")), "_", "-")
}

func settings() []setting {
	return []setting{
		{name: "ASSENT_ADDR", def: "127.0.0.1:8080", help: "address to listen on", set: addr},
		{name: "ASSENT_DATA_DIR", def: "./data", help: "where the SQLite file and the secret key are", set: notEmpty(func(c *Config) *string { return &c.DataDir })},
		{name: "ASSENT_BASE_URL", help: "address under which people reach it; derived if empty; https makes cookies secure", set: baseURL},
		{name: "ASSENT_LLM_PROVIDER", def: "auto", help: "auto: gemini if it has a key, else openai if it has a key or a base URL, else offline", set: oneOf(func(c *Config) *string { return &c.Provider }, "auto", "gemini", "openai", "offline")},
		{name: "GEMINI_API_KEY", secret: true, help: "key for Gemini", set: text(func(c *Config) *string { return &c.GeminiKey })},
		{name: "ASSENT_GEMINI_BASE_URL", help: "another address of the Gemini API", set: address(func(c *Config) *string { return &c.GeminiBaseURL })},
		{name: "ASSENT_GEMINI_MODEL", def: "gemini-3.8-flash", help: "model for Gemini", set: notEmpty(func(c *Config) *string { return &c.GeminiModel })},
		{name: "OPENAI_API_KEY", secret: true, help: "key for the OpenAI-compatible endpoint; Ollama needs none", set: text(func(c *Config) *string { return &c.OpenAIKey })},
		{name: "ASSENT_OPENAI_BASE_URL", help: "address of an OpenAI-compatible endpoint, ending in /v1", set: address(func(c *Config) *string { return &c.OpenAIBaseURL })},
		{name: "ASSENT_OPENAI_MODEL", help: "model for the OpenAI-compatible endpoint; needed with it", set: text(func(c *Config) *string { return &c.OpenAIModel })},
		{name: "ASSENT_MODELS", secret: true, help: "providers, profiles and prices as JSON; wins over the settings above and over what admins set", set: models},
		{name: "ASSENT_LLM_FIRST_TOKEN_TIMEOUT", def: "30s", help: "longest wait for a model's first token", set: duration(func(c *Config) *time.Duration { return &c.FirstToken }, time.Second, time.Hour)},
		{name: "ASSENT_LLM_IDLE_TIMEOUT", def: "20s", help: "longest silence within an answer", set: duration(func(c *Config) *time.Duration { return &c.Idle }, time.Second, time.Hour)},
		{name: "ASSENT_FUNCTION_TIMEOUT", def: "20s", help: "wall time of a function agent", set: duration(func(c *Config) *time.Duration { return &c.FunctionTimeout }, time.Second, time.Hour)},
		{name: "ASSENT_FUNCTION_MEMORY_MB", def: "64", help: "memory of a function agent", set: number(func(c *Config) *int { return &c.FunctionMemory }, 16, 4096)},
		{name: "ASSENT_ALLOW_HOSTS", help: "hosts or host:port, comma-separated, that agents may reach although private", set: hosts},
		{name: "ASSENT_TRUSTED_PROXIES", help: "networks, comma-separated, whose X-Forwarded-For counts", set: proxies},
		{name: "ASSENT_EVENT_RETENTION", def: "720h", help: "how long stream events are kept; 0: for ever; messages, plans and runs stay", set: retention(func(c *Config) *time.Duration { return &c.EventRetention })},
		{name: "ASSENT_USAGE_RETENTION", def: "0", help: "how long single calls of models are kept; 0: for ever; their sums stay", set: retention(func(c *Config) *time.Duration { return &c.UsageRetention })},
		{name: "ASSENT_MAX_TOOL_CALLS_PER_TURN", def: "8", help: "tool calls that a model may choose in one turn", set: number(func(c *Config) *int { return &c.ToolCallsPerTurn }, 1, 1000)},
		{name: "ASSENT_MAX_TURN_DURATION", def: "90s", help: "watchdog of a turn", set: duration(func(c *Config) *time.Duration { return &c.TurnDuration }, time.Second, time.Hour)},
		{name: "ASSENT_TOOL_CALL_CAP", def: "3", help: "calls of one tool in one turn", set: number(func(c *Config) *int { return &c.ToolCallCap }, 1, 1000)},
		{name: "ASSENT_TOOL_CALL_CAPS", help: "other caps for single tools: search=5,get_task=8", set: caps},
		{name: "ASSENT_FINALIZE_RETRIES", def: "2", help: "times an empty or malformed last answer is asked for again", set: number(func(c *Config) *int { return &c.FinalizeRetries }, 0, 10)},
		{name: "ASSENT_DYNAMIC_PROMPT_STATE", def: "true", help: "tell the model what is left of its budgets", set: boolean(func(c *Config) *bool { return &c.DynamicPrompt })},
		{name: "ASSENT_PLAN_MAX_STEPS", def: "12", help: "steps of a plan", set: number(func(c *Config) *int { return &c.PlanMaxSteps }, 1, 100)},
		{name: "ASSENT_PLAN_MAX_PARALLEL", def: "4", help: "steps at once", set: number(func(c *Config) *int { return &c.PlanMaxParallel }, 1, 32)},
		{name: "ASSENT_MAX_DEPTH", def: "3", help: "depth of orchestration", set: number(func(c *Config) *int { return &c.MaxDepth }, 1, 10)},
		{name: "ASSENT_TOOLS_OFFERED", def: "24", help: "tools put before a model at once; the rest is found by find_tools", set: number(func(c *Config) *int { return &c.ToolsOffered }, 1, 500)},
		{name: "ASSENT_ADMIN_EMAIL", help: "creates the first admin without the set-up page, with the next one", set: text(func(c *Config) *string { return &c.AdminEmail })},
		{name: "ASSENT_ADMIN_PASSWORD", secret: true, help: "password of that admin", set: text(func(c *Config) *string { return &c.AdminPassword })},
		{name: "ASSENT_SIGNUP", def: "closed", help: "who may create an account after the first: open (anybody), closed (admins add people)", set: signup},
		{name: "OTEL_EXPORTER_OTLP_ENDPOINT", help: "where traces go; empty: tracing is off", set: address(func(c *Config) *string { return &c.OTLPEndpoint })},
	}
}

func text(at func(*Config) *string) func(*Config, string) error {
	return func(c *Config, v string) error { *at(c) = v; return nil }
}

func notEmpty(at func(*Config) *string) func(*Config, string) error {
	return func(c *Config, v string) error {
		if v == "" {
			return errors.New("must not be empty")
		}
		*at(c) = v
		return nil
	}
}

func oneOf(at func(*Config) *string, allowed ...string) func(*Config, string) error {
	return func(c *Config, v string) error {
		for _, a := range allowed {
			if v == a {
				*at(c) = v
				return nil
			}
		}
		return fmt.Errorf("must be one of %s", strings.Join(allowed, ", "))
	}
}

func signup(c *Config, v string) error {
	var s string
	err := oneOf(func(*Config) *string { return &s }, "open", "closed")(c, v)
	c.OpenSignup = s == "open"
	return err
}

func addr(c *Config, v string) error {
	_, port, err := net.SplitHostPort(v)
	n, perr := strconv.Atoi(port)
	if err != nil || perr != nil || n < 0 || n > 65535 {
		return errors.New("must be host:port, such as 127.0.0.1:8080")
	}
	c.Addr = v
	return nil
}

func isURL(v string) bool {
	u, err := url.Parse(v)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil
}

func address(at func(*Config) *string) func(*Config, string) error {
	return func(c *Config, v string) error {
		if v != "" && !isURL(v) {
			return errors.New("must be an http or https address, without a name or password in it")
		}
		*at(c) = strings.TrimRight(v, "/")
		return nil
	}
}

func baseURL(c *Config, v string) error {
	if u, err := url.Parse(v); v != "" && (!isURL(v) || err != nil || u.Path != "" && u.Path != "/" || u.RawQuery != "") {
		return errors.New("must be an http or https address without a path, such as https://plans.example.org")
	}
	c.BaseURL = strings.TrimRight(v, "/")
	return nil
}

func duration(at func(*Config) *time.Duration, low, high time.Duration) func(*Config, string) error {
	return func(c *Config, v string) error {
		d, err := time.ParseDuration(v)
		if err != nil || d < low || d > high {
			return fmt.Errorf("must be a duration from %s to %s, such as 30s", low, high)
		}
		*at(c) = d
		return nil
	}
}

func retention(at func(*Config) *time.Duration) func(*Config, string) error {
	return func(c *Config, v string) error {
		d, err := time.ParseDuration(v)
		if err != nil || d != 0 && d < time.Hour {
			return errors.New("must be 0 or a duration of at least 1h, such as 720h")
		}
		*at(c) = d
		return nil
	}
}

func number(at func(*Config) *int, low, high int) func(*Config, string) error {
	return func(c *Config, v string) error {
		n, err := strconv.Atoi(v)
		if err != nil || n < low || n > high {
			return fmt.Errorf("must be a number from %d to %d", low, high)
		}
		*at(c) = n
		return nil
	}
}

func boolean(at func(*Config) *bool) func(*Config, string) error {
	return func(c *Config, v string) error {
		b, err := strconv.ParseBool(v)
		if err != nil {
			return errors.New("must be true or false")
		}
		*at(c) = b
		return nil
	}
}

func list(v string) []string {
	var out []string
	for _, part := range strings.Split(v, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

func hosts(c *Config, v string) error {
	for _, h := range list(v) {
		if strings.ContainsAny(h, "/ @") {
			return errors.New("must be hosts or host:port, separated by commas")
		}
		c.AllowHosts = append(c.AllowHosts, h)
	}
	return nil
}

func proxies(c *Config, v string) error {
	for _, n := range list(v) {
		p, err := netip.ParsePrefix(n)
		if a, aerr := netip.ParseAddr(n); err != nil && aerr == nil {
			p, err = a.Prefix(a.BitLen())
		}
		if err != nil {
			return errors.New("must be networks such as 10.0.0.0/8, separated by commas")
		}
		c.TrustedProxies = append(c.TrustedProxies, p)
	}
	return nil
}

func caps(c *Config, v string) error {
	for _, part := range list(v) {
		name, num, ok := strings.Cut(part, "=")
		n, err := strconv.Atoi(num)
		if !ok || err != nil || n < 0 || name == "" {
			return errors.New("must look like search=5,get_task=8")
		}
		if c.ToolCallCaps == nil {
			c.ToolCallCaps = map[string]int{}
		}
		c.ToolCallCaps[name] = n
	}
	return nil
}

func models(c *Config, v string) error {
	if v == "" {
		return nil
	}
	s, err := llm.ParseSettings([]byte(v), "gemini", "openai", "offline")
	var known *assent.Error
	if errors.As(err, &known) && len(known.Fields) > 0 {
		places := make([]string, len(known.Fields))
		for i, f := range known.Fields {
			places[i] = f.Message
		}
		return errors.New("is not valid: " + strings.Join(places, "; "))
	}
	if err != nil {
		return err
	}
	c.Models = &s
	return nil
}
