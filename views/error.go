package views

import "net/http"

// Problem is a whole page's content for an error: what happened, what was kept
// and what to do.
type Problem struct {
	Title   string // what happened
	Message string // in a sentence
	Kept    string // what was kept; may be empty
	Hint    string // what to do; may be empty
	Ref     string // id that finds the log line; may be empty
	Back    string // address of the way on
	BackTo  string // its label
}

// ProblemOf words an error by its HTTP status.
func ProblemOf(status int, detail, hint, ref string) Problem {
	p := Problem{Message: detail, Hint: hint, Ref: ref, Back: HomeURL, BackTo: "To the start"}
	switch status {
	case http.StatusNotFound:
		p.Title = "Not here"
		p.Hint = orWord(hint, "It may have been deleted, or it belongs to somebody else.")
	case http.StatusForbidden:
		p.Title = "Not allowed"
	case http.StatusConflict, http.StatusPreconditionFailed:
		p.Title, p.Kept = "That does not fit any more", "Nothing was changed."
		p.Hint = orWord(hint, "Look at the newest state, then decide again.")
	case http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusRequestEntityTooLarge:
		p.Title, p.Kept = "That cannot be taken like this", "Nothing was changed."
	case http.StatusTooManyRequests:
		p.Title, p.Hint = "Too many tries", orWord(hint, "Wait a little, then try again.")
	case http.StatusServiceUnavailable:
		p.Title, p.Kept = "Not available right now", "Nothing was half done."
		p.Hint = orWord(hint, "Try again in a moment.")
	default:
		p.Title, p.Kept = "Something went wrong on our side", "What was stored before is safe."
		p.Hint = orWord(hint, "Try again; if it happens once more, tell whoever runs this installation.")
	}
	return p
}
