package openai

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strings"
	"time"

	"assent/internal/assent"
	"assent/internal/llm"
	"assent/internal/llm/internal/provider"
)

// DefaultBaseURL is OpenAI's own endpoint.
const DefaultBaseURL = "https://api.openai.com/v1"

// Config says where an endpoint is.
type Config struct {
	// Name is the provider's name in targets, usage rows and opaque state;
	// "openai" if empty.
	Name string
	// BaseURL ends before "/chat/completions", so mostly in "/v1"; OpenAI's own
	// if empty.
	BaseURL string
	// APIKey may be empty: Ollama needs none.
	APIKey string
	// HTTPClient is used for its Transport and Timeout; one that suits streams
	// is made if nil.
	HTTPClient *http.Client
	// IDs makes the ids of calls that a server sent without one; random if nil.
	IDs assent.IDs
	// Clock is asked when a server wants us to wait until a date and does not
	// say what time it has; time.Now if nil.
	Clock assent.Clock
}

// Client is an llm.Model.
type Client struct {
	name    string
	url     string
	key     string
	http    *http.Client
	ids     assent.IDs
	clock   assent.Clock
	openAI  bool // OpenAI's own endpoint, which has retired max_tokens
	learned memory
	tools   declarations
}

var _ llm.Model = (*Client)(nil)

// New makes a Client; it does not connect. An error names what is wrong with
// the address.
func New(cfg Config) (*Client, error) {
	if cfg.Name == "" {
		cfg.Name = "openai"
	}
	if cfg.BaseURL == "" {
		cfg.BaseURL = DefaultBaseURL
	}
	u, err := url.Parse(cfg.BaseURL)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
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
	return &Client{
		name: cfg.Name, key: cfg.APIKey, ids: cfg.IDs, clock: cfg.Clock,
		url:    strings.TrimSuffix(u.String(), "/") + "/chat/completions",
		http:   provider.WithoutRedirects(cfg.HTTPClient),
		openAI: u.Hostname() == "api.openai.com",
	}, nil
}

// Stream implements llm.Model.
func (c *Client) Stream(ctx context.Context, model string, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		out := c.newOutgoing(model, req)
		resp, err := c.send(ctx, out)
		if err != nil {
			yield(llm.Chunk{}, err)
			return
		}
		a := &answer{c: c, ctx: ctx, out: out, yield: yield}
		defer a.release(resp.Body, cancel)
		a.read(resp)
	}
}

// checkTokens is enough for the models that think before they speak to begin.
const checkTokens = 16

// Check implements llm.Model by the shortest completion there is: listing
// models proves neither key nor model with some servers.
func (c *Client) Check(ctx context.Context, model string) error {
	req := llm.Request{MaxTokens: checkTokens,
		Messages: []llm.Message{{Role: llm.RoleUser, Content: "Say: ok"}}}
	for _, err := range c.Stream(ctx, model, req) {
		return err
	}
	return nil
}

// send posts the request, without those parts that the server turns out to
// refuse.
func (c *Client) send(ctx context.Context, out *outgoing) (*http.Response, error) {
	for {
		body, err := out.encode()
		if err != nil {
			return nil, &llm.Error{Class: llm.ClassInvalidRequest, Provider: c.name,
				Detail: provider.Detail("the request cannot be encoded: "+err.Error(), c.key), Err: err}
		}
		resp, err := c.post(ctx, out, body)
		if err == nil {
			c.learned.keep(out)
			return resp, nil
		}
		var refused *llm.Error
		if !errors.As(err, &refused) || !out.downgrade(refused) {
			return nil, err
		}
	}
}

// post gives the response if its status is 200.
func (c *Client) post(ctx context.Context, out *outgoing, body []byte) (*http.Response, error) {
	hr, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, provider.NewBody(body))
	if err != nil {
		return nil, &llm.Error{Class: llm.ClassInvalidRequest, Provider: c.name, Detail: provider.Detail(err.Error(), c.key)}
	}
	hr.ContentLength = int64(len(body))
	hr.GetBody = func() (io.ReadCloser, error) { // a connection that was closed meanwhile is tried anew
		again, err := out.encode()
		return provider.NewBody(again), err
	}
	hr.Header.Set("Content-Type", "application/json")
	hr.Header.Set("Accept", "text/event-stream, application/json")
	hr.Header.Set("Accept-Encoding", "identity")
	if c.key != "" {
		hr.Header.Set("Authorization", "Bearer "+c.key)
	}
	resp, err := c.http.Do(hr)
	if err != nil {
		return nil, provider.Transport(ctx, c.name, c.key, err)
	}
	if resp.StatusCode == http.StatusOK {
		return resp, nil
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
	if err != nil && ctx.Err() != nil {
		return nil, provider.Transport(ctx, c.name, c.key, err)
	}
	return nil, c.statusError(resp, text)
}

// maxErrorBody bounds what is read of an error's body.
const maxErrorBody = 1 << 20

// String names the client without its key.
func (c *Client) String() string { return fmt.Sprintf("openai(%s)", c.name) }
