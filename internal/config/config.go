package config

import (
	"log/slog"
	"net/netip"
	"time"

	"assent/internal/llm"
)

// Config is the whole configuration of a server.
type Config struct {
	Addr    string
	DataDir string
	BaseURL string // "" is derived from the request

	Provider      string // auto, gemini, openai, offline
	GeminiKey     string
	GeminiBaseURL string
	GeminiModel   string
	OpenAIKey     string
	OpenAIBaseURL string
	OpenAIModel   string
	Models        *llm.Settings // from ASSENT_MODELS; nil if it is not set

	FirstToken     time.Duration
	Idle           time.Duration
	TrustedProxies []netip.Prefix
	EventRetention time.Duration // 0 keeps everything
	UsageRetention time.Duration

	ToolCallsPerTurn int
	TurnDuration     time.Duration
	ToolCallCap      int
	ToolCallCaps     map[string]int
	FinalizeRetries  int
	DynamicPrompt    bool
	PlanMaxSteps     int
	PlanMaxParallel  int
	MaxDepth         int
	ToolsOffered     int

	AdminEmail    string
	AdminPassword string
	OpenSignup    bool

	OTLPEndpoint    string
	AllowHosts      []string
	FunctionTimeout time.Duration
	FunctionMemory  int
}

// LogValue keeps secrets out of logs, whoever logs a Config.
func (c Config) LogValue() slog.Value {
	return slog.GroupValue(slog.String("addr", c.Addr), slog.String("data_dir", c.DataDir), slog.String("provider", c.ChosenProvider()))
}

// ChosenProvider resolves auto: gemini if it has a key, else openai if it has a
// key or a base URL, else offline.
func (c Config) ChosenProvider() string {
	switch {
	case c.Provider != "auto":
		return c.Provider
	case c.GeminiKey != "":
		return "gemini"
	case c.OpenAIKey != "" || c.OpenAIBaseURL != "":
		return "openai"
	}
	return "offline"
}
