package llm_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"assent/internal/llm"
	"assent/internal/llm/llmtest"
)

// faults is the table.
func faults() []fault {
	return slices.Concat(faultsOfStatus(), faultsOfBodies(), faultsOfFrames(), faultsOfEnds(), faultsOfConnections(), faultsWithoutEnd(), oddAnswers())
}

// statuses are what an HTTP status means, in a response or in a stream.
var statuses = []struct {
	code  int
	class llm.Class
	then  then
}{
	{400, llm.ClassInvalidRequest, end}, {401, llm.ClassAuth, next}, {402, llm.ClassQuota, next}, {403, llm.ClassAuth, next},
	{404, llm.ClassInvalidRequest, next}, {408, llm.ClassTimeout, retry}, {409, llm.ClassOverloaded, retry}, {410, llm.ClassInvalidRequest, next},
	{413, llm.ClassContextLength, end}, {422, llm.ClassInvalidRequest, end}, {429, llm.ClassRateLimited, retry}, {500, llm.ClassOverloaded, retry},
	{501, llm.ClassInvalidRequest, next}, {502, llm.ClassOverloaded, retry}, {503, llm.ClassOverloaded, retry}, {504, llm.ClassOverloaded, retry},
	{529, llm.ClassOverloaded, retry},
}

func faultsOfStatus() (out []fault) {
	for _, s := range statuses {
		out = append(out, fault{name: fmt.Sprintf("status %d", s.code), class: s.class, then: s.then,
			script: func(c cell) llmtest.Response {
				if c.started { // what a status would have said comes as a frame
					return c.begin().Garbage(errorFrame(s.code, "something is wrong")).Hang()
				}
				return llmtest.Fail(s.code, "")
			}})
	}
	return append(out,
		fault{name: "429 with seconds", class: llm.ClassRateLimited, then: retry, wait: 7e9, when: "before",
			script: func(cell) llmtest.Response { return llmtest.Fail(429, "").Header("Retry-After", "7") }},
		fault{name: "429 with a date", class: llm.ClassRateLimited, then: retry, wait: 9e9, when: "before",
			script: func(cell) llmtest.Response {
				return llmtest.Fail(429, "").Header("Date", "Sat, 21 Nov 2026 10:00:00 GMT").Header("Retry-After", "Sat, 21 Nov 2026 10:00:09 GMT")
			}},
		fault{name: "429 for longer than a person waits", class: llm.ClassRateLimited, then: next, when: "before",
			script: func(cell) llmtest.Response { return llmtest.Fail(429, "").Header("Retry-After", "3600") }},
		fault{name: "503 as a page that asks to wait", class: llm.ClassOverloaded, then: retry, wait: 3e9, when: "before",
			script: func(cell) llmtest.Response {
				return llmtest.Fail(503, "<html>Back soon</html>").Header("Retry-After", "3")
			}},
		fault{name: "redirect elsewhere", class: llm.ClassInvalidRequest, then: next, when: "before",
			script: func(c cell) llmtest.Response { return llmtest.Fail(302, " ").Header("Location", c.elsewhere) }},
		fault{name: "redirect that keeps the body", class: llm.ClassInvalidRequest, then: next, when: "before",
			script: func(c cell) llmtest.Response { return llmtest.Fail(307, " ").Header("Location", c.elsewhere) }},
	)
}

// faultsOfBodies are refusals whose words are of no use: the status alone counts.
func faultsOfBodies() (out []fault) {
	bodies := []struct{ name, body string }{
		{"nothing", " "},
		{"a page", "<!doctype html><html><title>Oh no</title></html>"},
		{"text", "upstream connect error"},
		{"half of JSON", `{"error":{"message":"x`},
		{"other JSON", `{"oops":true}`},
		{"an error without a status", `{"error":{"message":"no"}}`},
		{"three megabytes", `{"error":{"message":"` + strings.Repeat("no ", 1<<20) + `"}}`},
		{"the key", `{"error":{"message":"you sent ` + faultKey + ` to us"}}`},
		{"the key as text", "Bearer " + faultKey},
	}
	for _, s := range statuses {
		if s.code != 401 && s.code != 422 && s.code != 429 && s.code != 500 {
			continue
		}
		for _, b := range bodies {
			out = append(out, fault{name: fmt.Sprintf("status %d with %s", s.code, b.name), class: s.class, then: s.then, when: "before",
				script: func(cell) llmtest.Response { return llmtest.Fail(s.code, b.body) }})
		}
	}
	return out
}

func errorFrame(code int, message string) string {
	b, _ := json.Marshal(map[string]any{"error": map[string]any{"code": code, "message": message}}) // plain values
	return "data: " + string(b) + "\n\n"
}

// frame is a chunk that both providers read: each ignores the other's field.
func frame(text, finishGemini, finishOpenAI string) string {
	candidate := map[string]any{"content": map[string]any{"role": "model", "parts": []any{map[string]any{"text": text}}}}
	choice := map[string]any{"index": 0, "delta": map[string]any{"content": text}}
	if finishGemini != "" {
		candidate["finishReason"], choice["finish_reason"] = finishGemini, finishOpenAI
	}
	b, _ := json.Marshal(map[string]any{"candidates": []any{candidate}, "choices": []any{choice}}) // plain values
	return "data: " + string(b) + "\n\n"
}

// garbage is a fault that stands in the stream.
func garbage(raw string) func(cell) llmtest.Response {
	return func(c cell) llmtest.Response { return c.begin().Garbage(raw).Truncate() }
}

// held is the same with a connection that stays open: the end must not be needed.
func held(raw string) func(cell) llmtest.Response {
	return func(c cell) llmtest.Response { return c.begin().Garbage(raw).Hang() }
}

// wrong is a body that calls itself a stream.
func wrong(body string) func(cell) llmtest.Response {
	return func(cell) llmtest.Response {
		return llmtest.Fail(200, body).Header("Content-Type", "text/event-stream")
	}
}

func faultsOfFrames() []fault {
	return []fault{
		{name: "cut frame", class: llm.ClassNetwork, then: retry, script: garbage(`data: {"candidates":[{"conte`)},
		{name: "cut frame and connection", class: llm.ClassNetwork, then: retry,
			script: func(c cell) llmtest.Response { return c.begin().Garbage(`data: {"choices":[{"del`).Cut() }},
		{name: "bad JSON in a frame", class: llm.ClassInternal, then: next, script: held("data: {\"choices\": oops}\n\n")},
		{name: "bad JSON with the key", class: llm.ClassInternal, then: next, script: held("data: {oops " + faultKey + "}\n\n")},
		{name: "a frame of another type", class: llm.ClassInternal, then: next, script: held("data: [1,2]\n\n")},
		{name: "error in a frame", class: llm.ClassOverloaded, then: retry, script: held(errorFrame(503, "overloaded"))},
		{name: "error in a frame with the key", class: llm.ClassAuth, then: next, script: held(errorFrame(401, "not valid: "+faultKey))},
		{name: "error without data", class: llm.ClassOverloaded, then: retry, script: held(`{"error":{"code":503,"message":"no"}}` + "\n\n")},
		{name: "garbage bytes", class: llm.ClassInternal, then: next, when: "before", script: wrong("\x00\x01\xff\xfe nothing of ours\n\n")},
		{name: "a page with 200", class: llm.ClassInternal, then: next, when: "before",
			script: func(cell) llmtest.Response {
				return llmtest.Fail(200, "<!doctype html><title>Welcome</title>"+faultKey)
			}},
		{name: "a page under the name of a stream", class: llm.ClassInternal, then: next, when: "before", script: wrong("<!doctype html>\n\n<title>Welcome</title>")},
		{name: "text with 200", class: llm.ClassInternal, then: next, when: "before",
			script: func(cell) llmtest.Response {
				return llmtest.Fail(200, "It works!").Header("Content-Type", "text/plain")
			}},
		{name: "an error object with 200", class: llm.ClassRateLimited, then: retry, when: "before",
			script: func(cell) llmtest.Response {
				return llmtest.Fail(200, "{\n  \"error\": {\"code\": 429, \"message\": \"slow down\"}\n}")
			}},
		{name: "an error object in a list with 200", class: llm.ClassRateLimited, then: retry, when: "before",
			script: func(cell) llmtest.Response {
				return llmtest.Fail(200, `[{"error": {"code": 429, "message": "slow down"}}]`)
			}},
		{name: "nothing with 200", class: llm.ClassNetwork, then: retry, when: "before",
			script: func(cell) llmtest.Response {
				return llmtest.Fail(200, "\n").Header("Content-Type", "text/event-stream")
			}},
	}
}

func faultsOfEnds() []fault {
	return []fault{
		{name: "no finish", class: llm.ClassNetwork, then: retry, script: garbage("")},
		{name: "a filter", class: llm.ClassContentFiltered, then: end,
			script: func(c cell) llmtest.Response {
				return c.begin().Finish(map[string]string{"gemini": "SAFETY", "openai": "content_filter"}[c.provider])
			}},
		{name: "a filter at once", class: llm.ClassContentFiltered, then: end, when: "before",
			script: func(cell) llmtest.Response { return llmtest.Blocked() }},
		{name: "usage and then the end", class: llm.ClassNetwork, then: retry,
			script: garbage(`data: {"usageMetadata":{"promptTokenCount":9},"usage":{"prompt_tokens":9},"choices":[]}` + "\n\n")},
	}
}

func faultsOfConnections() []fault {
	return []fault{
		{name: "connection broken", class: llm.ClassNetwork, then: retry, script: func(c cell) llmtest.Response { return c.begin().Cut() }},
		{name: "connection reset", class: llm.ClassNetwork, then: retry,
			script: func(c cell) llmtest.Response { return c.begin().Garbage(": hello\n\n").Delay(50e6).Reset() }},
		{name: "silence", class: llm.ClassTimeout, then: next, quick: true, script: func(c cell) llmtest.Response { return c.begin().Hang() }},
		{name: "slow headers", class: llm.ClassTimeout, then: next, quick: true, when: "before",
			script: func(c cell) llmtest.Response { <-c.held; return llmtest.Text("too late") }},
		{name: "slow words of a refusal", class: llm.ClassTimeout, then: next, quick: true, when: "before",
			script: func(c cell) llmtest.Response { return llmtest.Response{}.Garbage(`{"error":`).Hang() }},
	}
}

// faultsWithoutEnd must end within memory and time.
func faultsWithoutEnd() []fault {
	repeat := func(raw string) func(cell) llmtest.Response {
		return func(c cell) llmtest.Response { return c.begin().Repeat(raw) }
	}
	half := strings.Repeat("x", 256<<10)
	thought := `data: {"candidates":[{"content":{"parts":[{"text":"` + half + `","thought":true}]}}],"choices":[{"delta":{"reasoning_content":"` + half + `"}}]}` + "\n\n"
	return []fault{
		{name: "endless comments", class: llm.ClassTimeout, then: next, quick: true, script: repeat(": still here\n\n")},
		{name: "endless empty chunks", class: llm.ClassTimeout, then: next, quick: true, script: repeat(frame("", "", ""))},
		{name: "endless chunks of nothing", class: llm.ClassTimeout, then: next, quick: true, script: repeat("data: {\"choices\":[]}\n\n")},
		{name: "endless thoughts", class: llm.ClassInternal, then: next, when: "after", script: repeat(thought)},
		{name: "endless arguments", class: llm.ClassInternal, only: "openai", when: "after",
			script: repeat(`data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"` + half + `"}}]}}]}` + "\n\n")},
		{name: "endless calls", class: llm.ClassInternal, only: "openai", when: "after",
			script: repeat(`data: {"choices":[{"delta":{"tool_calls":[{"function":{"name":"x","arguments":"{}"}}]}}]}` + "\n\n")},
		{name: "an endless event", class: llm.ClassInternal, then: next,
			script: func(c cell) llmtest.Response { return c.begin().Garbage(`data: {"x":"`).Repeat(half) }},
		{name: "an endless event of many lines", class: llm.ClassInternal, then: next, script: repeat("data: " + half + "\n")},
		{name: "an endless JSON body", class: llm.ClassInternal, then: next, when: "before",
			script: func(c cell) llmtest.Response {
				return llmtest.Response{}.Garbage(`{"x":"`).Repeat(half).As(llmtest.Dialect{Whole: true})
			}},
	}
}

// oddAnswers look like faults and are none.
func oddAnswers() []fault {
	call := func(arguments string) string {
		return `data: {"candidates":[{"content":{"parts":[{"functionCall":{"name":"list_tasks","args":` + arguments + `}}]}}]}` + "\n\n"
	}
	done := frame(" end", "STOP", "stop")
	big := strings.Repeat("0123456789abcdef", 10<<20/16)
	return []fault{
		{name: "an empty answer", then: answer, script: func(c cell) llmtest.Response { return c.begin() }},
		{name: "an unknown finish reason", then: answer, text: "!", script: func(c cell) llmtest.Response { return c.begin().Text("!").Finish("A_NEW_" + faultKey) }},
		{name: "done twice", then: answer, text: " end", script: garbage(done + "data: [DONE]\n\ndata: [DONE]\n\n")},
		{name: "garbage after the finish", then: answer, text: " end", script: garbage(done + "data: {oops\n\n")},
		{name: "cut after the finish", then: answer, text: " end", script: func(c cell) llmtest.Response { return c.begin().Garbage(done).Cut() }},
		{name: "comments and other fields", then: answer, text: " end",
			script: garbage(": ping\n\nevent: message\nid: 7\n" + done + ": bye\n\n")},
		{name: "ten megabytes in one chunk", then: answer, text: big, script: func(c cell) llmtest.Response { return c.begin().Text(big) }},
		{name: "a tool that nobody knows", then: answer, calls: "no_such_tool{}",
			script: func(c cell) llmtest.Response { return c.begin().Call("no_such_tool", "{}") }},
		{name: "arguments that are no JSON", then: answer, calls: `list_tasks"{\"status\": open"`, only: "openai",
			script: func(c cell) llmtest.Response { return c.begin().Call("list_tasks", `{"status": open`) }},
		{name: "arguments that are no object", then: answer, calls: `list_tasks"[1]"`, only: "openai",
			script: func(c cell) llmtest.Response { return c.begin().Call("list_tasks", `[1]`) }},
		{name: "arguments that are no object", class: llm.ClassInternal, then: next, only: "gemini", script: held(call(`"open"`))},
		{name: "arguments that are no JSON", class: llm.ClassInternal, then: next, only: "gemini", script: held(call(`{open`))},
		{name: "no arguments", then: answer, calls: "list_tasks{}", only: "gemini",
			script: garbage(call("null") + `data: {"candidates":[{"finishReason":"STOP"}]}` + "\n\n")},
	}
}
