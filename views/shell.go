package views

import (
	"encoding/json"

	"assent/internal/assent"
)

// Sections of the product, for Shell.Nav.
const (
	NavChat          = "chat"
	NavConversations = "conversations"
	NavProjects      = "projects"
	NavPlans         = "plans"
	NavSearch        = "search"
	NavSettings      = "settings"
	NavAdmin         = "admin"
)

// Shell is what every page shows around its content.
type Shell struct {
	Title        string // of the page, without the product's name
	Person       assent.Person
	Currency     assent.Currency // of all money
	CSRF         string
	Nav          string           // active section
	SessionID    string           // the conversation shown, if any
	Waiting      []assent.Session // conversations with a plan that waits for this person
	WaitingCount int64
	Recent       []assent.Session
	Projects     []assent.Project
	Offline      bool   // no model provider is configured
	Path         string // of the request, for the way back
	Flash        string // one sentence about what just happened
	Narrow       bool   // keep the content to a readable width
}

// Reader is how the person of this shell reads.
func (s Shell) Reader() Reader { return ReaderOf(s.Person).In(s.Currency) }

// DocumentTitle is the <title>: a count of what waits comes first.
func (s Shell) DocumentTitle() string { return documentTitle(s.Title, s.WaitingCount) }

// waitingShown bounds the queue of the side bar, so that all else stays in reach.
const waitingShown = 5

func (s Shell) firstWaiting() []assent.Session { return s.Waiting[:min(len(s.Waiting), waitingShown)] }

func documentTitle(title string, waiting int64) string {
	t := "Assent"
	if title != "" {
		t = title + " · Assent"
	}
	if waiting > 0 {
		return "(" + itoa(waiting) + ") " + t
	}
	return t
}

func themeClass(theme string) string {
	switch theme {
	case "light", "dark":
		return theme
	}
	return "auto"
}

// SessionTitle is what a conversation is called, also before it has a title.
func SessionTitle(s assent.Session) string {
	if s.Title == "" {
		return "New conversation"
	}
	return s.Title
}

func sessionDot(s assent.Session) string {
	switch {
	case s.Waiting > 0:
		return "dot wait"
	case s.Running:
		return "dot run"
	}
	return "dot"
}

// sessionState is the dot in words, for those who cannot see it.
func sessionState(s assent.Session) string {
	switch {
	case s.Waiting > 0:
		return "waiting on you: "
	case s.Running:
		return "working: "
	}
	return ""
}

func initial(name string) string {
	for _, r := range name {
		return string(r)
	}
	return "?"
}

// sessionRow is a conversation in a list.
type sessionRow = assent.Session

func csrfHeader(token string) string {
	b, _ := json.Marshal(map[string]string{"X-CSRF-Token": token}) // a map of strings always marshals
	return string(b)
}
