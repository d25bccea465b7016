package views

import "assent/internal/assent"

// readingWords is how a message was understood, as it stands under it.
func readingWords(r assent.Reading) string {
	out := meant(r)
	if len(r.Changes) > 0 {
		var parts []string
		for _, ch := range r.Changes {
			parts = append(parts, "“"+ch.Words+"”")
		}
		out += " (" + assent.List(parts) + ")"
	}
	if !r.Counts && r.Reason != "" {
		out += ". " + r.Reason
	}
	return out
}

func meant(r assent.Reading) string {
	version := ""
	if r.Version > 0 {
		version = " version " + itoa(r.Version)
	}
	switch r.As {
	case assent.ReadApprove:
		return "go ahead with" + orWord(version, " the plan")
	case assent.ReadApproveWithChanges:
		return "go ahead with" + orWord(version, " the plan") + ", changed"
	case assent.ReadChange:
		return "a change to" + orWord(version, " the plan")
	case assent.ReadReject:
		return "discard the plan"
	case assent.ReadQuestion:
		return "a question; the plan keeps waiting"
	case assent.ReadUnrelated:
		return "not about the plan; it keeps waiting"
	case assent.ReadControl:
		return controlWords(r.Action)
	}
	return "unclear; nothing was started"
}

func orWord(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

func controlWords(a assent.ControlAction) string {
	switch a {
	case assent.ControlStop:
		return "stop answering"
	case assent.ControlPause:
		return "pause the run"
	case assent.ControlResume, assent.ControlExecute:
		return "go on with the run"
	case assent.ControlContinue:
		return "try again from where it failed"
	case assent.ControlRollback:
		return "take the last step back"
	case assent.ControlCancel:
		return "cancel the run"
	case assent.ControlUndo:
		return "undo what the run did"
	}
	return string(a)
}
