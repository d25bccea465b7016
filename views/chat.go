package views

import (
	"assent/internal/assent"

	"github.com/a-h/templ"
)

// ChatPage is the page of a conversation.
type ChatPage struct {
	Shell    Shell
	Chat     *Chat
	About    Link // the project or task that it is about; may be empty
	Composer Composer
}

// Composer is the form for the person's next message.
type Composer struct {
	Action    string
	CSRF      string
	Key       string // makes a repeated submit the same message
	SeenSeq   int64
	Session   string      // empty for a new conversation
	Default   assent.Mode // the person's own; looser modes are not on offer
	Mode      assent.Mode // chosen
	Contexts  []Option    // what a new conversation may be about
	Context   string      // chosen
	Words     string      // what was typed and could not be sent
	Problem   string      // why
	Last      string      // the person's last message, for up-arrow
	Examples  []string    // first messages that an empty conversation suggests
	Offline   bool
	StopURL   string
	Autofocus bool
}

// modes are the modes on offer: the person's own setting is a floor.
func (c Composer) modes() []Option {
	var out []Option
	for _, m := range []assent.Mode{assent.ModeAutoExecute, assent.ModeAgentReview, assent.ModeDraftOnly} {
		if assent.Stricter(m, c.Default) == m {
			out = append(out, Option{Value: string(m), Label: modeWords(m)})
		}
	}
	return out
}

// mode is the mode that is chosen in the form.
func (c Composer) mode() string { return string(assent.Stricter(c.Default, c.Mode)) }

// events names the events that the page listens to.
func events() string {
	out := ""
	for i, e := range assent.Events() {
		if i > 0 {
			out += ","
		}
		out += e.EventType()
	}
	return out
}

func (c Composer) placeholder() string {
	if c.Session == "" {
		return "Set up, change, find out…"
	}
	return "Reply, or ask for a change…"
}

// keys says which keys do what.
func (c Composer) keys() string {
	if c.Session == "" {
		return "Enter to send"
	}
	return "Enter to send · Esc to stop"
}

// htmx are the attributes with which a running conversation sends without
// loading the page again; a new one is a plain form that leads to its page.
func (c Composer) htmx() templ.Attributes {
	if c.Session == "" {
		return nil
	}
	return templ.Attributes{"hx-post": c.Action, "hx-swap": "none"}
}

// workingWords is the line while an answer is under way.
func (c *Chat) workingWords() string {
	if r := c.activeRun(); r != nil && c.state == assent.StateExecutingPlan {
		return runWords(r) + "…"
	}
	if s := stateWords(c.state, c.details); s != "" && c.state != assent.StateWaitingOnUser {
		return s + "…"
	}
	return "Finishing…"
}
