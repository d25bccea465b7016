package llm_test

import (
	"errors"
	"fmt"
	"testing"

	"assent/internal/llm"
)

var classes = []llm.Class{llm.ClassRateLimited, llm.ClassOverloaded, llm.ClassAuth, llm.ClassQuota, llm.ClassContextLength,
	llm.ClassContentFiltered, llm.ClassInvalidRequest, llm.ClassTimeout, llm.ClassNetwork, llm.ClassCancelled, llm.ClassInternal}

func TestEveryClassHasItsSentence(t *testing.T) {
	t.Parallel()
	seen := map[string]llm.Class{}
	for _, c := range classes {
		s := c.Sentence()
		if other, taken := seen[s]; taken || s == "" {
			t.Errorf("%s and %s both say %q", c, other, s)
		}
		seen[s] = c
	}
}

func TestClassOf(t *testing.T) {
	t.Parallel()
	e := &llm.Error{Class: llm.ClassQuota, Provider: "p", Model: "m", Detail: "d"}
	tests := []struct {
		err  error
		want llm.Class
	}{{nil, ""}, {errors.New("x"), llm.ClassInternal}, {fmt.Errorf("turn: %w", e), llm.ClassQuota}}
	for _, tt := range tests {
		if got := llm.ClassOf(tt.err); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.err, got, tt.want)
		}
	}
	if e.Error() != "llm p/m: quota: d" {
		t.Errorf("Error() = %q", e.Error())
	}
}
