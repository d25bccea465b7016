package gemini_test

import (
	"testing"
	"time"

	"assent/internal/llm"
	"assent/internal/llm/gemini"
	"assent/internal/llm/llmtest"
)

const key = "AIza-a-key-that-must-not-leak"

func TestConformance(t *testing.T) {
	llmtest.Run(t, llmtest.Harness{
		Name: "gemini", Model: "gemini-3.8-flash", Key: key,
		Wire: func(t *testing.T, scripts ...llmtest.Script) (llm.Model, *llmtest.Server) {
			srv := llmtest.NewGemini(t, scripts...).RequireKey(key)
			return newClient(t, srv), srv
		},
		Signatures: true, Thoughts: true, Failures: failures(),
	})
}

func newClient(t *testing.T, srv *llmtest.Server) *gemini.Client {
	t.Helper()
	c, err := gemini.New(gemini.Config{BaseURL: srv.URL, APIKey: key})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// failures is the table of what the API says when it does not answer.
func failures() []llmtest.Failure {
	fail := llmtest.Fail
	inStream := func(frame string) llmtest.Response {
		return llmtest.Response{}.Garbage("data: " + frame + "\r\n\r\n").Hang()
	}
	return []llmtest.Failure{
		{Name: "400", Response: fail(400, ""), Class: llm.ClassInvalidRequest},
		{Name: "400 key", Response: fail(400, `{"error":{"code":400,"message":"API key not valid. Please pass a valid API key: `+key+`","status":"INVALID_ARGUMENT"}}`), Class: llm.ClassAuth},
		{Name: "400 region", Response: fail(400, `{"error":{"code":400,"message":"User location is not supported for the API use.","status":"FAILED_PRECONDITION"}}`), Class: llm.ClassAuth},
		{Name: "400 too long", Response: fail(400, `{"error":{"code":400,"message":"The input token count (2000000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}`), Class: llm.ClassContextLength},
		{Name: "401", Response: fail(401, ""), Class: llm.ClassAuth},
		{Name: "403", Response: fail(403, ""), Class: llm.ClassAuth},
		{Name: "404", Response: fail(404, ""), Class: llm.ClassInvalidRequest},
		{Name: "429", Response: fail(429, ""), Class: llm.ClassRateLimited},
		{Name: "429 with RetryInfo", Response: fail(429, `{"error":{"code":429,"message":"Quota exceeded","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"13.5s"}]}}`), Class: llm.ClassRateLimited, RetryAfter: 13500 * time.Millisecond},
		{Name: "429 with a header", Response: fail(429, "").Header("Retry-After", "4"), Class: llm.ClassRateLimited, RetryAfter: 4 * time.Second},
		{Name: "429 of the day", Response: fail(429, `{"error":{"code":429,"message":"Quota exceeded","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier"}]}]}}`), Class: llm.ClassQuota},
		{Name: "500", Response: fail(500, ""), Class: llm.ClassOverloaded},
		{Name: "503", Response: fail(503, `{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}`), Class: llm.ClassOverloaded},
		{Name: "503 as text", Response: fail(503, "upstream connect error"), Class: llm.ClassOverloaded},
		{Name: "502 as a page", Response: fail(502, "<html><title>Bad gateway</title></html>"), Class: llm.ClassOverloaded},
		{Name: "200 with a page", Response: fail(200, "<!doctype html><title>Hello</title>"), Class: llm.ClassInternal},
		{Name: "redirect", Response: fail(302, " ").Header("Location", "http://127.0.0.1:1/"), Class: llm.ClassInvalidRequest},
		{Name: "in the stream", Response: inStream(`{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}`), Class: llm.ClassOverloaded},
		{Name: "blocked prompt", Response: llmtest.Blocked(), Class: llm.ClassContentFiltered},
		{Name: "blocked answer", Response: llmtest.Text("").Finish("SAFETY"), Class: llm.ClassContentFiltered},
	}
}
