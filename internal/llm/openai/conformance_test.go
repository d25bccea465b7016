package openai_test

import (
	"testing"
	"time"

	"assent/internal/llm"
	"assent/internal/llm/llmtest"
	"assent/internal/llm/openai"
)

const key = "sk-a-key-that-must-not-leak"

func TestConformance(t *testing.T) {
	dialects := map[string]llmtest.Dialect{
		"openai":     {},
		"ollama":     llmtest.Ollama(),
		"vllm":       llmtest.VLLM(),
		"openrouter": llmtest.OpenRouter(),
		"crlf":       {CRLF: true, NoDone: true, StopForCalls: true},
		"bare":       {NoFinish: true, NoID: false, RawArguments: true, WholeCalls: true},
	}
	for name, d := range dialects {
		t.Run(name, func(t *testing.T) {
			llmtest.Run(t, llmtest.Harness{
				Name: "openai", Model: "test-model", Key: key,
				Wire: func(t *testing.T, scripts ...llmtest.Script) (llm.Model, *llmtest.Server) {
					srv := llmtest.NewOpenAI(t, scripts...).RequireKey(key).Speak(d)
					return newClient(t, srv), srv
				},
				Signatures: true, Thoughts: true, Failures: failures(),
			})
		})
	}
}

func newClient(t *testing.T, srv *llmtest.Server) *openai.Client {
	t.Helper()
	c, err := openai.New(openai.Config{BaseURL: srv.URL, APIKey: key})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// failures is the table of what servers say when they do not answer.
func failures() []llmtest.Failure {
	fail := llmtest.Fail
	inStream := func(frame string) llmtest.Response {
		return llmtest.Response{}.Garbage("data: " + frame + "\n\n").Hang()
	}
	return []llmtest.Failure{
		{Name: "401", Response: fail(401, ""), Class: llm.ClassAuth},
		{Name: "401 that repeats the key", Response: fail(401, `{"error":{"message":"Incorrect API key provided: `+key+`"}}`), Class: llm.ClassAuth},
		{Name: "403 moderation of OpenRouter", Response: fail(403, `{"error":{"code":403,"message":"Your chosen model requires moderation and your input was flagged"}}`), Class: llm.ClassContentFiltered},
		{Name: "403", Response: fail(403, `{"error":{"message":"Country not supported"}}`), Class: llm.ClassAuth},
		{Name: "402 of OpenRouter", Response: fail(402, `{"error":{"code":402,"message":"Insufficient credits"}}`), Class: llm.ClassQuota},
		{Name: "429", Response: fail(429, ""), Class: llm.ClassRateLimited},
		{Name: "429 with seconds", Response: fail(429, "").Header("Retry-After", "7"), Class: llm.ClassRateLimited, RetryAfter: 7 * time.Second},
		{Name: "429 with milliseconds", Response: fail(429, "").Header("retry-after-ms", "250"), Class: llm.ClassRateLimited, RetryAfter: 250 * time.Millisecond},
		{Name: "429 with a date", Response: fail(429, "").Header("Date", "Sat, 21 Nov 2026 10:00:00 GMT").Header("Retry-After", "Sat, 21 Nov 2026 10:00:09 GMT"), Class: llm.ClassRateLimited, RetryAfter: 9 * time.Second},
		{Name: "429 quota", Response: fail(429, `{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}}`), Class: llm.ClassQuota},
		{Name: "400", Response: fail(400, ""), Class: llm.ClassInvalidRequest},
		{Name: "404 of Ollama", Response: fail(404, `{"error":{"message":"model \"x\" not found, try pulling it first","type":"api_error"}}`), Class: llm.ClassInvalidRequest},
		{Name: "400 too long", Response: fail(400, `{"error":{"message":"This model's maximum context length is 8192 tokens.","code":"context_length_exceeded"}}`), Class: llm.ClassContextLength},
		{Name: "400 too long of llama.cpp", Response: fail(400, `{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}`), Class: llm.ClassContextLength},
		{Name: "400 too long of vLLM", Response: fail(400, `{"object":"error","message":"This model's maximum context length is 4096 tokens","type":"BadRequestError","code":400}`), Class: llm.ClassContextLength},
		{Name: "413", Response: fail(413, "Request Entity Too Large"), Class: llm.ClassContextLength},
		{Name: "400 filter of Azure", Response: fail(400, `{"error":{"message":"The response was filtered","code":"content_filter"}}`), Class: llm.ClassContentFiltered},
		{Name: "500", Response: fail(500, ""), Class: llm.ClassOverloaded},
		{Name: "503 as text", Response: fail(503, "upstream connect error"), Class: llm.ClassOverloaded},
		{Name: "502 as a page", Response: fail(502, "<html><title>Bad gateway</title></html>"), Class: llm.ClassOverloaded},
		{Name: "529", Response: fail(529, `{"error":{"type":"overloaded_error","message":"Overloaded"}}`), Class: llm.ClassOverloaded},
		{Name: "422 of FastAPI", Response: fail(422, `{"detail":[{"loc":["body","messages"],"msg":"field required"}]}`), Class: llm.ClassInvalidRequest},
		{Name: "error as a string", Response: fail(400, `{"error":"json: cannot unmarshal"}`), Class: llm.ClassInvalidRequest},
		{Name: "error in a list, of Gemini", Response: fail(429, `[{"error":{"code":429,"message":"Resource exhausted","status":"RESOURCE_EXHAUSTED"}}]`), Class: llm.ClassRateLimited},
		{Name: "empty body", Response: fail(500, " "), Class: llm.ClassOverloaded},
		{Name: "redirect", Response: fail(302, " ").Header("Location", "http://127.0.0.1:1/v1"), Class: llm.ClassInvalidRequest},
		{Name: "200 with an error", Response: fail(200, `{"error":{"message":"slow down","type":"rate_limit_error"}}`), Class: llm.ClassRateLimited},
		{Name: "200 with a page", Response: fail(200, "<!doctype html><title>Open WebUI</title>"), Class: llm.ClassInternal},
		{Name: "200 with nothing", Response: fail(200, "\n"), Class: llm.ClassNetwork},
		{Name: "in the stream", Response: inStream(`{"error":{"message":"boom","type":"server_error"}}`), Class: llm.ClassOverloaded},
		{Name: "in the stream with a status", Response: inStream(`{"error":{"message":"upstream","code":502},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}`), Class: llm.ClassOverloaded},
		{Name: "in the stream, bare", Response: inStream(`{"object":"error","message":"out of memory","type":"InternalServerError","code":500}`), Class: llm.ClassOverloaded},
		{Name: "in the stream, as a string", Response: inStream(`{"error":"an error was encountered while running the model"}`), Class: llm.ClassInternal},
		{Name: "in the stream, without data", Response: llmtest.Response{}.Garbage("{\"error\":{\"message\":\"no\",\"type\":\"invalid_request_error\"}}\n\n"), Class: llm.ClassInvalidRequest},
		{Name: "finish reason error", Response: inStream(`{"choices":[{"index":0,"delta":{},"finish_reason":"error"}]}` + "\n\ndata: [DONE]"), Class: llm.ClassInternal},
		{Name: "in the stream, authentication", Response: inStream(`{"error":{"message":"no","type":"authentication_error"}}`), Class: llm.ClassAuth},
		{Name: "in the stream, quota", Response: inStream(`{"error":{"message":"no","code":"insufficient_quota"}}`), Class: llm.ClassQuota},
		{Name: "filter", Response: llmtest.Blocked(), Class: llm.ClassContentFiltered},
	}
}
