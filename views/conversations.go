package views

import "assent/internal/assent"

// Conversations is the list of the reader's conversations, or what a search found.
type Conversations struct {
	Query    string
	Sessions []assent.Session
	Found    []assent.SearchHit
	Pager    Pager
}

// ContextLabel is what a conversation is about, in words.
func ContextLabel(ct assent.ContextType) string { return contextWords(ct) }
