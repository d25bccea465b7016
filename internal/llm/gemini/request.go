package gemini

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"strings"

	"google.golang.org/genai"

	"assent/internal/llm"
	"assent/internal/llm/internal/provider"
)

// placeholder stands for the signature of a call that Gemini did not make, or
// that it made before it signed calls. It must reach the API as it is, not as
// base64, which is what the SDK would make of it (googleapis/go-genai#711).
const placeholder = "skip_thought_signature_validator"

// maxName is the length of a tool's name that every version takes.
const maxName = 64

func nameByte(c byte) bool {
	return provider.AlphaNumeric(c) || c == '_' || c == '.' || c == ':' || c == '-'
}

// opaque is the provider state of a call or of a text.
type opaque struct {
	Signature []byte `json:"signature,omitempty"`
}

func (o opaque) encode() json.RawMessage {
	if len(o.Signature) == 0 {
		return nil
	}
	b, _ := json.Marshal(o) // bytes
	return b
}

// signature reads state that this provider may have stored, as it goes over the
// wire; empty if it has not.
func (c *Client) signature(owner string, raw json.RawMessage) string {
	var o opaque
	if owner != c.name || len(raw) == 0 || json.Unmarshal(raw, &o) != nil {
		return ""
	}
	return base64.StdEncoding.EncodeToString(o.Signature)
}

// outgoing is one request on its way, with what has been left out of it.
type outgoing struct {
	client        *Client
	model         string
	req           llm.Request
	names         *provider.Names
	withoutSchema bool
	withoutThink  bool
}

func (c *Client) newOutgoing(model string, req llm.Request) *outgoing {
	o := &outgoing{client: c, model: model, req: req, names: provider.NewNames(nameByte, maxName)}
	_, o.withoutThink = c.refused.Load(model)
	o.withoutThink = o.withoutThink || !thinks(model)
	// The API has no schema mode beside tools.
	o.withoutSchema = len(req.Tools) > 0
	return o
}

// thinks reports whether a model knows the wish for thoughts. All that are
// current do; asking for thoughts keeps a long silence from looking dead.
func thinks(model string) bool {
	model = strings.TrimPrefix(model, "models/")
	for _, old := range []string{"gemini-1", "gemini-2.0", "gemma"} {
		if strings.HasPrefix(model, old) {
			return false
		}
	}
	return true
}

// signs reports whether a model demands signatures on calls: all since 3.
func signs(model string) bool { return thinks(model) && !strings.HasPrefix(model, "gemini-2") }

// downgrade leaves out what e refuses; false if that is nothing of ours.
func (o *outgoing) downgrade(e *llm.Error) bool {
	if e.Class != llm.ClassInvalidRequest || e.Status != 400 {
		return false
	}
	if !o.withoutThink && strings.Contains(strings.ToLower(e.Detail), "think") {
		o.withoutThink = true
		o.client.refused.Store(o.model, true)
		return true
	}
	if len(o.req.OutputSchema) > 0 && !o.withoutSchema {
		o.withoutSchema = true
		return true
	}
	return false
}

func (o *outgoing) flags() llm.Flags {
	if len(o.req.OutputSchema) == 0 {
		return llm.Flags{}
	}
	return llm.Flags{ForcedJSON: o.withoutSchema, StrictSchema: !o.withoutSchema}
}

func (o *outgoing) config() *genai.GenerateContentConfig {
	no := false
	cfg := &genai.GenerateContentConfig{
		AutomaticContinuation: &no, // the gateway decides about second requests
		HTTPOptions:           &genai.HTTPOptions{ExtrasRequestProvider: o.complete},
		MaxOutputTokens:       int32(min(o.req.MaxTokens, math.MaxInt32)),
	}
	if !o.withoutThink {
		cfg.ThinkingConfig = &genai.ThinkingConfig{IncludeThoughts: true}
	}
	if len(o.req.OutputSchema) > 0 && !o.withoutSchema {
		cfg.ResponseMIMEType = "application/json"
		cfg.ResponseJsonSchema = adapted(o.req.OutputSchema)
	}
	if len(o.req.Tools) > 0 && o.req.ToolChoice != "" {
		cfg.ToolConfig = &genai.ToolConfig{FunctionCallingConfig: &genai.FunctionCallingConfig{
			Mode: genai.FunctionCallingConfigModeAny, AllowedFunctionNames: []string{o.name(o.req.ToolChoice)}}}
	}
	return cfg
}

// standIn is what the SDK takes for the contents of every request.
var standIn = []*genai.Content{{Role: "user", Parts: []*genai.Part{{Text: "-"}}}}

// complete puts the conversation into a request that the SDK has made.
func (o *outgoing) complete(body map[string]any) map[string]any {
	body["contents"] = o.contents()
	if o.req.System != "" {
		body["systemInstruction"] = wireContent{Role: "user", Parts: []wirePart{{Text: o.req.System}}}
	}
	if tools := o.tools(); tools != nil {
		body["tools"] = []wireTool{{FunctionDeclarations: tools}}
	}
	return body
}

func (o *outgoing) tools() (out []wireDeclaration) {
	for _, t := range o.req.Tools {
		out = append(out, wireDeclaration{Name: o.name(t.Name), Description: t.Description, ParametersJSONSchema: adapted(t.Schema)})
	}
	return out
}

// name is a tool's name as Gemini takes it: a letter or underscore first.
func (o *outgoing) name(ours string) string { return o.names.Out(ours) }
