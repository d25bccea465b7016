package offline

import (
	"strings"
	"unicode/utf8"

	"assent/internal/llm/offline/english"
)

// maxTokens is how many words and marks of a message are read; fixed rules do
// not get more out of a longer one.
const maxTokens = 1500

// longestOrder is how many words and marks one order may have to be tried in
// every way that it can be read; what is longer is a text.
const longestOrder = 90

// tooLong is the honest answer to more than that.
const tooLong = "That is more than I can read at once: I am the built-in offline planner and go by fixed rules. Please put what you want into a few sentences; long texts belong into a document."

// Limits of the tools' arguments, in characters and items.
const (
	longestTitle = 200
	longestText  = 1000
	mostItems    = 100
	mostGoals    = 20
	mostOutline  = 30
)

// within keeps arguments inside the limits of the tools' schemas: what is too
// long is cut at a word, what is too many is cut off.
func within(a args) args {
	out := args{}
	for k, v := range a {
		switch v := v.(type) {
		case string:
			out[k] = clipped(v, limitOf(k))
		case []string:
			out[k] = clippedAll(v, k)
		case []args:
			items := v[:min(len(v), mostOf(k))]
			for i := range items {
				items[i] = within(items[i])
			}
			out[k] = items
		case []milestone:
			ms := v[:min(len(v), mostOutline)]
			for i := range ms {
				ms[i].Title, ms[i].Tasks = clipped(ms[i].Title, longestTitle), clippedAll(ms[i].Tasks, "tasks")
			}
			out[k] = ms
		default:
			out[k] = v
		}
	}
	return out
}

// limitOf is how long a text argument may be; 0 is as long as it is.
func limitOf(key string) int {
	switch key {
	case "title", "name", "query":
		return longestTitle
	case "description", "rationale", "mitigation", "blocker":
		return longestText
	}
	return 0
}

func mostOf(key string) int {
	switch key {
	case "goals":
		return mostGoals
	case "milestones", "risks":
		return mostOutline
	}
	return mostItems
}

func clippedAll(all []string, key string) []string {
	out := make([]string, 0, len(all))
	for _, s := range all[:min(len(all), mostOf(key))] {
		out = append(out, clipped(s, longestTitle))
	}
	return out
}

// clipped cuts s at a word so that it has at most n characters.
func clipped(s string, n int) string {
	if n == 0 || utf8.RuneCountInString(s) <= n {
		return s
	}
	cut := string([]rune(english.Squeeze(s))[:min(n-2, utf8.RuneCountInString(english.Squeeze(s)))])
	if at := strings.LastIndexByte(cut, ' '); at > len(cut)/2 {
		cut = cut[:at]
	}
	return cut + " …"
}
