package llm_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"assent/internal/llm"
	"assent/internal/llm/gemini"
	"assent/internal/llm/openai"
)

const (
	benchStreams = 500
	benchMemory  = 100 << 20 // bytes that they may add
)

// BenchmarkStreamsMemory holds 500 answers open in the middle, each with a
// history of usual size, and reports what each takes: heap and stacks of
// client, gateway and, since it runs here too, the fake server.
func BenchmarkStreamsMemory(b *testing.B) {
	for _, provider := range []string{"gemini", "openai"} {
		b.Run(provider, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				added := holdStreams(b, provider)
				b.ReportMetric(float64(added)/benchStreams, "bytes/stream")
				if added > benchMemory {
					b.Errorf("%d streams add %d MB", benchStreams, added>>20)
				}
			}
		})
	}
}

func holdStreams(b *testing.B, provider string) (added int64) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // its content does not matter
		w.Header().Set("Content-Type", "text/event-stream")
		for range 20 {
			io.WriteString(w, frame("a few words ", "", ""))
		}
		_ = http.NewResponseController(w).Flush() // the client may have left
		<-r.Context().Done()
	}))
	defer srv.Close()
	g := gatewayTo(b, provider, srv.URL)
	req := request(llm.ProfileBalanced)
	req.System = strings.Repeat("system ", 500)
	for range 20 {
		req.Messages = append(req.Messages, llm.Message{Role: llm.RoleUser, Content: strings.Repeat("word ", 100)})
	}
	before := inUse()
	ctx, cancel := context.WithCancel(b.Context())
	var running, talking sync.WaitGroup
	for range benchStreams {
		talking.Add(1)
		running.Go(func() {
			chunks := 0
			for range g.Stream(ctx, req) {
				if chunks++; chunks == 20 {
					talking.Done()
				}
			}
		})
	}
	talking.Wait()
	added = inUse() - before
	cancel()
	running.Wait()
	return added
}

func gatewayTo(b *testing.B, provider, url string) *llm.Gateway {
	b.Helper()
	var m llm.Model
	var err error
	if provider == "gemini" {
		m, err = gemini.New(gemini.Config{BaseURL: url, APIKey: "k"})
	} else {
		m, err = openai.New(openai.Config{BaseURL: url})
	}
	if err != nil {
		b.Fatal(err)
	}
	return llm.New(llm.GatewayConfig{Providers: map[string]llm.Model{provider: m},
		Catalog: llm.SingleModel(llm.Target{Provider: provider, Model: "m"}), Ledger: noLedger{}, Clock: time.Now,
		IDs: func() string { return "id" }, Random: func() float64 { return 0 }, Idle: time.Minute})
}

// inUse is what heap and stacks take now.
func inUse() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapInuse + m.StackInuse)
}
