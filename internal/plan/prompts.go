package plan

import (
	"embed"
	"encoding/json"
	"strings"
	"text/template"

	"assent/internal/assent"
)

//go:embed prompts/*.md
var promptFiles embed.FS

// StateBlock is the facts of a turn that every model is shown as one JSON object;
// the planner fills it, operations of this package add to it.
type StateBlock map[string]any

// with gives a copy of the state with one more fact.
func (b StateBlock) with(key string, value any) StateBlock {
	out := StateBlock{key: value}
	for k, v := range b {
		if k != key {
			out[k] = v
		}
	}
	return out
}

// Render writes the block as it stands at the end of a system prompt.
func (b StateBlock) Render() (string, error) {
	data, err := json.Marshal(b)
	if err != nil {
		return "", err
	}
	return "\n\n<state>" + string(data) + "</state>", nil
}

// prompt renders one of the embedded texts, the state block behind it.
func prompt(file string, data any, state StateBlock) (string, error) {
	t, err := template.ParseFS(promptFiles, "prompts/"+file)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	if err := t.Execute(&b, data); err != nil {
		return "", err
	}
	block, err := state.Render()
	return b.String() + block, err
}

type compileData struct {
	MaxSteps, MaxParallel int
	ProjectCreate         bool
}

func (s *Service) compilePrompt(ct assent.ContextType, state StateBlock) (string, error) {
	return prompt("compile.md", compileData{MaxSteps: s.Limits.Steps, MaxParallel: s.Limits.Parallel, ProjectCreate: ct == assent.ContextProjectCreate}, state)
}
