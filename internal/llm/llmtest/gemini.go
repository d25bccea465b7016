package llmtest

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assent/internal/llm"
)

// Placeholder is the documented signature of calls that Gemini did not make. It
// must stand on the wire as it is, not as base64.
const Placeholder = "skip_thought_signature_validator"

// NewGemini starts a fake of the Gemini API, v1beta.
func NewGemini(t testing.TB, scripts ...Script) *Server {
	return newServer(t, geminiWire{}, "", scripts)
}

type geminiWire struct{}

func (geminiWire) key(r *http.Request) string { return r.Header.Get("X-Goog-Api-Key") }

func (geminiWire) refuse(status int, message string) string {
	word := map[int]string{400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED",
		404: "NOT_FOUND", 429: "RESOURCE_EXHAUSTED", 500: "INTERNAL", 503: "UNAVAILABLE"}[status]
	b, _ := json.Marshal(object{"error": object{"code": status, "message": message, "status": word}}) // plain values
	return string(b)
}

// geminiRequest is what the fake reads of a request.
type geminiRequest struct {
	Contents          []geminiContent `json:"contents"`
	SystemInstruction *geminiContent  `json:"systemInstruction"`
	Tools             []struct {
		FunctionDeclarations []struct {
			Name                 string          `json:"name"`
			Description          string          `json:"description"`
			ParametersJSONSchema json.RawMessage `json:"parametersJsonSchema"`
		} `json:"functionDeclarations"`
	} `json:"tools"`
	ToolConfig struct {
		FunctionCallingConfig struct {
			Mode    string   `json:"mode"`
			Allowed []string `json:"allowedFunctionNames"`
		} `json:"functionCallingConfig"`
	} `json:"toolConfig"`
	GenerationConfig struct {
		MaxOutputTokens    int64           `json:"maxOutputTokens"`
		ResponseMIMEType   string          `json:"responseMimeType"`
		ResponseJSONSchema json.RawMessage `json:"responseJsonSchema"`
	} `json:"generationConfig"`
}

type geminiContent struct {
	Role  string       `json:"role"`
	Parts []geminiPart `json:"parts"`
}

type geminiPart struct {
	Text             *string `json:"text"`
	ThoughtSignature string  `json:"thoughtSignature"`
	FunctionCall     *struct {
		ID   string          `json:"id"`
		Name string          `json:"name"`
		Args json.RawMessage `json:"args"`
	} `json:"functionCall"`
	FunctionResponse *struct {
		ID       string          `json:"id"`
		Name     string          `json:"name"`
		Response json.RawMessage `json:"response"`
	} `json:"functionResponse"`
}

var (
	geminiPath = regexp.MustCompile(`/v1beta/models/([^/:]+):streamGenerateContent$`)
	geminiName = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$`)
)

func (geminiWire) parse(path string, body []byte) (Request, error) {
	m := geminiPath.FindStringSubmatch(path)
	if m == nil {
		return Request{}, fmt.Errorf("there is nothing at %s", path)
	}
	var in geminiRequest
	if err := json.Unmarshal(body, &in); err != nil {
		return Request{}, err
	}
	out := Request{Model: m[1]}
	out.MaxTokens = in.GenerationConfig.MaxOutputTokens
	out.OutputSchema = in.GenerationConfig.ResponseJSONSchema
	if in.SystemInstruction != nil {
		for _, p := range in.SystemInstruction.Parts {
			out.System += *p.Text
		}
	}
	for _, t := range in.Tools {
		for _, f := range t.FunctionDeclarations {
			if !geminiName.MatchString(f.Name) {
				return out, fmt.Errorf("tools: %q is no name of a function", f.Name)
			}
			out.Tools = append(out.Tools, llm.Tool{Name: f.Name, Description: f.Description, Schema: f.ParametersJSONSchema})
		}
	}
	if calling := in.ToolConfig.FunctionCallingConfig; calling.Mode == "ANY" && len(calling.Allowed) > 0 {
		out.ToolChoice = calling.Allowed[0]
	}
	if len(out.Tools) > 0 && out.OutputSchema != nil {
		return out, errors.New("function calling with a response mime type 'application/json' is unsupported")
	}
	return out, out.takeGemini(in.Contents)
}

// takeGemini reads the contents and checks the order of calls and results.
func (r *Request) takeGemini(contents []geminiContent) error {
	if len(contents) == 0 {
		return errors.New("contents is not specified")
	}
	var open []llm.Call
	for i, c := range contents {
		if len(c.Parts) == 0 || c.Role != "user" && c.Role != "model" {
			return fmt.Errorf("contents[%d]: needs a role and parts", i)
		}
		if n := c.responses(); len(open) != n {
			return fmt.Errorf("contents[%d]: %d function response parts for %d function call parts of the turn before", i, n, len(open))
		}
		var err error
		if c.Role == "model" {
			if (i == 0 || contents[i-1].Role == "model") && c.calls() {
				return errors.New("a function call turn must come after a user turn or a function response turn")
			}
			open, err = r.modelTurn(i, c)
		} else {
			err = r.userTurn(i, c, open)
			open = nil
		}
		if err != nil {
			return err
		}
	}
	if len(open) > 0 {
		return errors.New("the last function calls have no responses")
	}
	return nil
}

func (c geminiContent) calls() bool {
	return slices.ContainsFunc(c.Parts, func(p geminiPart) bool { return p.FunctionCall != nil })
}

func (c geminiContent) responses() (n int) {
	for _, p := range c.Parts {
		if p.FunctionResponse != nil {
			n++
		}
	}
	return n
}

func (r *Request) modelTurn(i int, c geminiContent) (open []llm.Call, err error) {
	out := llm.Message{Role: llm.RoleAssistant}
	for _, p := range c.Parts {
		sig, err := readSignature(p.ThoughtSignature)
		if err != nil {
			return nil, fmt.Errorf("contents[%d]: %w", i, err)
		}
		switch {
		case p.FunctionCall != nil:
			if len(out.Calls) == 0 && sig == nil {
				return nil, fmt.Errorf("contents[%d]: Function call is missing a thought_signature in functionCall parts", i)
			}
			if !geminiName.MatchString(p.FunctionCall.Name) {
				return nil, fmt.Errorf("contents[%d]: %q is no name of a function", i, p.FunctionCall.Name)
			}
			out.Calls = append(out.Calls, llm.Call{ID: p.FunctionCall.ID, Name: p.FunctionCall.Name,
				Arguments: p.FunctionCall.Args, Opaque: sig})
		case p.Text != nil:
			out.Content += *p.Text
			out.Opaque = sig
		default:
			return nil, fmt.Errorf("contents[%d]: a part must have one initialized data field", i)
		}
	}
	r.Messages = append(r.Messages, out)
	return out.Calls, nil
}

// readSignature gives a signature's text as JSON; nil if there is none.
func readSignature(wire string) (json.RawMessage, error) {
	if wire == "" {
		return nil, nil
	}
	text := wire
	if wire != Placeholder {
		b, err := base64.StdEncoding.DecodeString(wire)
		if err != nil || string(b) == Placeholder {
			return nil, errors.New("Thought signature is not valid")
		}
		text = string(b)
	}
	out, _ := json.Marshal(text) // a string
	return out, nil
}

func (r *Request) userTurn(i int, c geminiContent, open []llm.Call) error {
	n := 0
	for _, p := range c.Parts {
		switch {
		case p.FunctionResponse != nil:
			f := p.FunctionResponse
			if f.Name != open[n].Name || f.ID != open[n].ID {
				return fmt.Errorf("contents[%d]: function response %d is for %s %s, not for %s %s", i, n, f.Name, f.ID, open[n].Name, open[n].ID)
			}
			n++
			r.Messages = append(r.Messages, llm.Message{Role: llm.RoleTool, CallID: f.ID, Tool: f.Name, Content: string(f.Response)})
		case p.Text != nil && strings.TrimSpace(*p.Text) != "":
			r.Messages = append(r.Messages, llm.Message{Role: llm.RoleUser, Content: *p.Text})
		default:
			return fmt.Errorf("contents[%d]: a part must have one initialized data field", i)
		}
	}
	return nil
}
