package llm_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"assent/internal/llm"
	"assent/internal/llm/llmtest"
)

func TestGatewayCircuit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		down := true
		a := llmtest.Func(func(llmtest.Request) llmtest.Response {
			if down {
				return class(llm.ClassOverloaded, 0)
			}
			return ok
		})
		b := newBench(t, map[string][]llmtest.Script{"a": {a}, "b": {llmtest.Func(func(llmtest.Request) llmtest.Response { return ok })}})
		ask := func() string {
			n := len(b.ledger.closed)
			if _, err := llm.Collect(b.Stream(t.Context(), request(llm.ProfileBalanced))); err != nil {
				t.Fatal(err)
			}
			return strings.Join(rows(b.ledger)[n:], ", ")
		}
		fell := "b/m2 ok after a/m1 overloaded"
		three := strings.Repeat("a/m1 failed overloaded, ", 3) + fell
		if got := ask(); got != three {
			t.Errorf("first: %s", got)
		}
		// Five failures open the circuit, in the middle of the second request.
		if got := ask(); got != "a/m1 failed overloaded, a/m1 failed overloaded, b/m2 ok after a/m1 circuit_open" {
			t.Errorf("second: %s", got)
		}
		if got := ask(); got != "b/m2 ok after a/m1 circuit_open" {
			t.Errorf("third: %s", got)
		}
		time.Sleep(31 * time.Second)
		if got := ask(); got != "a/m1 failed overloaded, b/m2 ok after a/m1 circuit_open" {
			t.Errorf("one probe: %s", got)
		}
		time.Sleep(31 * time.Second)
		down = false
		if got := ask(); got != "a/m1 ok" {
			t.Errorf("recovered: %s", got)
		}
		_, err := llm.Collect(b.Stream(t.Context(), request(llm.ProfileSpeed)))
		if err != nil {
			t.Error(err)
		}
	})
}

// TestGatewayCallersDeadline: impatience of the caller opens no circuit.
func TestGatewayCallersDeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, map[string][]llmtest.Script{"a": {llmtest.Func(func(llmtest.Request) llmtest.Response {
			return llmtest.Response{}.Delay(2 * time.Second).Text("x")
		})}})
		for range 6 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			_, _ = llm.Collect(b.Stream(ctx, request(llm.ProfileSpeed)))
			cancel()
		}
		if _, err := llm.Collect(b.Stream(t.Context(), request(llm.ProfileSpeed))); err != nil {
			t.Error(err)
		}
	})
}

func TestGatewayOpenCircuitAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, map[string][]llmtest.Script{"a": {llmtest.Func(func(llmtest.Request) llmtest.Response {
			return class(llm.ClassOverloaded, 0)
		})}})
		var err error
		for range 3 {
			_, err = llm.Collect(b.Stream(t.Context(), request(llm.ProfileSpeed)))
		}
		if llm.ClassOf(err) != llm.ClassOverloaded || len(b.ledger.closed) != 5 {
			t.Errorf("err = %v after %d tries", err, len(b.ledger.closed))
		}
		b.Use(map[string]llm.Model{"a": llmtest.NewModel(t, ok)}, llm.Catalog{Profiles: profiles})
		if _, err = llm.Collect(b.Stream(t.Context(), request(llm.ProfileSpeed))); err != nil {
			t.Errorf("new settings are a new chance: %v", err)
		}
	})
}
