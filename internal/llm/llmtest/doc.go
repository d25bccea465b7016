// Package llmtest is for tests that need a language model: fakes on 127.0.0.1
// that speak the wire forms of OpenAI and Gemini, a scripted llm.Model without
// a wire, and Run, the suite that every llm.Model must pass.
//
// A script says what the model answers, one per request, in order; a Func that
// stands last answers all further requests:
//
//	srv := llmtest.NewOpenAI(t,
//		llmtest.Call("list_tasks", `{"status":"open"}`),
//		llmtest.Text("You have ", "two tasks."),
//	)
//	model, _ := openai.New(openai.Config{BaseURL: srv.URL})
//
// Guarantees: the fakes refuse what the real services refuse (a call without
// its result, a Gemini call without its signature, a name outside the
// alphabet) and fail the test too. A request beyond the script fails the test.
// Servers stop with the test, hanging answers included. Safe for concurrent
// use; which script a concurrent request gets is then by chance.
package llmtest
