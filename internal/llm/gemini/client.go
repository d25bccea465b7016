package gemini

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"google.golang.org/genai"

	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/llm/internal/provider"
)

// DefaultBaseURL is Google's own endpoint.
const DefaultBaseURL = "https://generativelanguage.googleapis.com"

const apiVersion = "v1beta"

// Config says where the API is and with which key.
type Config struct {
	// Name is the provider's name in targets, usage rows and opaque state;
	// "gemini" if empty.
	Name string
	// BaseURL ends before "/v1beta"; Google's own if empty.
	BaseURL string
	// APIKey is required.
	APIKey string
	// HTTPClient is used for its Transport and Timeout; one that suits streams
	// is made if nil.
	HTTPClient *http.Client
	// IDs makes the ids of calls that came without one; random if nil.
	IDs assent.IDs
	// Clock is asked when a server wants us to wait until a date and does not
	// say what time it has; time.Now if nil.
	Clock assent.Clock
}

// Client is an llm.Model.
type Client struct {
	name  string
	key   string
	api   *genai.Client
	ids   assent.IDs
	clock assent.Clock
	// refused remembers, by model, what the server did not take.
	refused sync.Map
}

var _ llm.Model = (*Client)(nil)

// New makes a Client; it does not connect. An error names what is wrong with
// the configuration, never the key.
func New(cfg Config) (*Client, error) {
	if cfg.Name == "" {
		cfg.Name = "gemini"
	}
	if cfg.APIKey == "" {
		return nil, assent.Errorf(assent.CodeInvalid, "Provider %s has no API key.", cfg.Name)
	}
	base, err := baseURL(cfg.BaseURL)
	if err != nil {
		return nil, assent.Errorf(assent.CodeInvalid, "The base URL of provider %s is not an http or https address.", cfg.Name)
	}
	if cfg.HTTPClient == nil {
		cfg.HTTPClient = provider.HTTPClient()
	}
	if cfg.Clock == nil {
		cfg.Clock = time.Now
	}
	if cfg.IDs == nil {
		cfg.IDs = func() string { return "call_" + rand.Text() }
	}
	hc := provider.WithoutRedirects(cfg.HTTPClient)
	hc.Transport = &transport{next: hc.Transport}
	api, err := genai.NewClient(context.Background(), &genai.ClientConfig{
		APIKey: cfg.APIKey, Backend: genai.BackendGeminiAPI, HTTPClient: hc,
		HTTPOptions: genai.HTTPOptions{BaseURL: base, APIVersion: apiVersion},
	})
	if err != nil { // the SDK's words may hold the key
		return nil, assent.Errorf(assent.CodeInvalid, "The client of provider %s could not be made.", cfg.Name)
	}
	return &Client{name: cfg.Name, key: cfg.APIKey, api: api, ids: cfg.IDs, clock: cfg.Clock}, nil
}

// baseURL is s without the version that the SDK adds itself.
func baseURL(s string) (string, error) {
	if s == "" {
		s = DefaultBaseURL
	}
	u, err := url.Parse(s)
	if err != nil {
		return "", err
	}
	if (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return "", errors.New("not an http or https address")
	}
	return strings.TrimSuffix(strings.TrimSuffix(u.String(), "/"), "/"+apiVersion) + "/", nil
}

// String names the client without its key.
func (c *Client) String() string { return fmt.Sprintf("gemini(%s)", c.name) }

// Stream implements llm.Model.
func (c *Client) Stream(ctx context.Context, model string, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		out := c.newOutgoing(model, req)
		for {
			a := &answer{c: c, out: out, yield: yield}
			failure := a.run(ctx)
			if failure == nil {
				return
			}
			if a.started || !out.downgrade(failure) {
				yield(llm.Chunk{}, failure)
				return
			}
		}
	}
}

// checkTokens is enough for a model that thinks first to begin.
const checkTokens = 16

// Check implements llm.Model by the shortest answer there is.
func (c *Client) Check(ctx context.Context, model string) error {
	req := llm.Request{MaxTokens: checkTokens,
		Messages: []llm.Message{{Role: llm.RoleUser, Content: "Say: ok"}}}
	for _, err := range c.Stream(ctx, model, req) {
		return err
	}
	return nil
}
