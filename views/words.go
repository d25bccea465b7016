package views

import (
	"slices"
	"strings"
)

// Words turns a stored word into one that people read: "on_hold" is "On hold".
func Words(s string) string {
	s = strings.ReplaceAll(s, "_", " ")
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// kindOfStatus is the chip colour of a status: blue is under way, green is
// reached, red needs help. Amber is kept for what waits on the reader.
func kindOfStatus(status string) string {
	switch status {
	case "active", "in_progress", "running", "approved":
		return "run"
	case "done", "met", "reached", "decided", "published", "mitigated", "completed":
		return "ok"
	case "blocked", "missed", "happened", "failed":
		return "bad"
	case "pending_review", "waiting_human":
		return "wait"
	}
	return ""
}

// StatusWords is a status as people read it; where the word alone says too
// little, the sentence is here.
func StatusWords(status string) string {
	switch status {
	case "todo":
		return "To do"
	case "pending_review":
		return "Waiting for your word"
	case "waiting_human":
		return "Waiting for you"
	}
	return Words(status)
}

// KindWord is what a kind of thing is called in a list of results.
func KindWord(kind string) string {
	if kind == "session" {
		return "Conversation"
	}
	return Words(kind)
}

// newest gives a list with the last first.
func newest[T any](in []T) []T {
	out := slices.Clone(in)
	slices.Reverse(out)
	return out
}

// Link is an address with its label; Current marks where one is.
type Link struct {
	URL, Label string
	Current    bool
	Count      int64 // shown behind the label when not 0
}

// Pager is the way through a long list; empty addresses are not offered.
type Pager struct {
	Previous, Next string
	Where          string // "Page 2 of 5"; may be empty
}
