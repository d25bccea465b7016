package offline_test

import (
	"testing"

	"assent/internal/llm"
	"assent/internal/llm/llmtest"
	"assent/internal/llm/offline"
)

func TestKeepsThePromisesOfAModel(t *testing.T) {
	ask, forCall := request("what can you do?"), request("what is overdue?")
	forCall.Tools = []llm.Tool{{Name: "overdue_tasks"}}
	llmtest.Run(t, llmtest.Harness{
		Local: func(*testing.T) llm.Model { return offline.New(offline.Options{}) },
		Ask:   ask, AskForCall: forCall,
		Name: offline.Provider, Model: offline.ModelName,
	})
}
