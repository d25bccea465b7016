package gemini

import "encoding/json"

// The parts of a request that grow with the conversation, in the form of the
// wire. The SDK would turn them into maps, lose digits of long numbers on the
// way, and keep the maps as long as the answer streams.
type (
	wireContent struct {
		Parts []wirePart `json:"parts"`
		Role  string     `json:"role"`
	}
	wirePart struct {
		FunctionCall     *wireCall   `json:"functionCall,omitempty"`
		FunctionResponse *wireResult `json:"functionResponse,omitempty"`
		Text             string      `json:"text,omitempty"`
		ThoughtSignature string      `json:"thoughtSignature,omitempty"`
	}
	wireCall struct {
		Args json.RawMessage `json:"args"`
		ID   string          `json:"id,omitempty"`
		Name string          `json:"name"`
	}
	wireResult struct {
		ID       string          `json:"id,omitempty"`
		Name     string          `json:"name"`
		Response json.RawMessage `json:"response"`
	}
	wireTool struct {
		FunctionDeclarations []wireDeclaration `json:"functionDeclarations"`
	}
	wireDeclaration struct {
		Description          string          `json:"description,omitempty"`
		Name                 string          `json:"name"`
		ParametersJSONSchema json.RawMessage `json:"parametersJsonSchema,omitempty"`
	}
)
