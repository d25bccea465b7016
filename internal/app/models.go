package app

import (
	"maps"
	"slices"

	"assent/internal/config"
	"assent/internal/llm"
	"assent/internal/llm/gemini"
	"assent/internal/llm/offline"
	"assent/internal/llm/openai"
	"assent/internal/models"
)

// Models gives providers, profiles and prices from the configuration:
// ASSENT_MODELS if it is set, else the one provider that was chosen.
func Models(cfg config.Config) llm.Settings {
	s := llm.Settings{Providers: map[string]llm.ProviderSettings{}, Prices: map[string]llm.Price{}}
	if cfg.GeminiKey != "" {
		s.Providers["gemini"] = llm.ProviderSettings{BaseURL: cfg.GeminiBaseURL, APIKey: cfg.GeminiKey}
	}
	if cfg.OpenAIKey != "" || cfg.OpenAIBaseURL != "" {
		s.Providers["openai"] = llm.ProviderSettings{BaseURL: cfg.OpenAIBaseURL, APIKey: cfg.OpenAIKey}
	}
	if cfg.Models != nil {
		maps.Copy(s.Providers, cfg.Models.Providers)
		maps.Copy(s.Prices, cfg.Models.Prices)
		s.Profiles = cfg.Models.Profiles
	}
	if len(s.Profiles) == 0 {
		s.Profiles = llm.SingleModel(chosen(cfg)).Profiles
	}
	s.Prices[models.Offline().String()] = llm.Price{} // it costs nothing, and says so
	return s
}

func chosen(cfg config.Config) llm.Target {
	switch cfg.ChosenProvider() {
	case "gemini":
		return llm.Target{Provider: "gemini", Model: cfg.GeminiModel}
	case "openai":
		return llm.Target{Provider: "openai", Model: cfg.OpenAIModel}
	}
	return models.Offline()
}

// Providers makes the clients of all providers; none connects yet.
func Providers(s llm.Settings) (map[string]llm.Model, error) {
	out := map[string]llm.Model{}
	names := append(slices.Sorted(maps.Keys(s.Providers)), models.Offline().Provider)
	for _, name := range names {
		client, err := Provider(name, s.Providers[name])
		if err != nil {
			return nil, err
		}
		out[name] = client
	}
	return out, nil
}

// Provider makes the client of one provider. A provider named neither gemini nor
// offline is an OpenAI-compatible endpoint.
func Provider(name string, p llm.ProviderSettings) (llm.Model, error) {
	switch name {
	case models.Offline().Provider:
		return offline.New(offline.Options{}), nil
	case "gemini":
		return gemini.New(gemini.Config{Name: name, BaseURL: p.BaseURL, APIKey: p.APIKey, IDs: NewIDs})
	}
	return openai.New(openai.Config{Name: name, BaseURL: p.BaseURL, APIKey: p.APIKey, IDs: NewIDs})
}
