package page

import (
	"assent/internal/assent"
	"assent/internal/llm"
)

// modelClasses are the classes of failures of models; design 05 §1.
func modelClasses() []string {
	return []string{"rate_limited", "overloaded", "auth", "quota", "context_length", "content_filtered", "invalid_request", "timeout", "network", "cancelled", "internal"}
}

// meaning is what a class of errors means, in a sentence; empty for none. What is
// no failure of a model is filed under its code.
func meaning(class string) string {
	switch assent.Code(class) {
	case "":
		return ""
	case assent.CodeTimeout:
		return "Something took longer than it may. What was done until then is kept."
	case assent.CodeInternal:
		return "Something went wrong on our side; the log of the server says more."
	case assent.CodeBudgetExceeded:
		return "A turn came to the end of a budget and was answered with what there was."
	case assent.CodeNoProgress:
		return "A model made the same call with the same result again, so the loop was stopped."
	case assent.CodeStorageFull:
		return "The disk is full: nothing can be stored until there is room."
	case assent.CodeUnavailable:
		return "Something that is needed could not be reached."
	case assent.CodeNotFound:
		return "A step worked on something that is not there, or that its person may not see."
	case assent.CodeConflict:
		return "A step met a state in which it may not do what it should."
	case assent.CodeInvalid, assent.CodeOutputInvalid:
		return "What went into a tool, or came out of it, was not of the form that the tool promises."
	case assent.CodeTooLarge:
		return "A result was larger than may be handed on."
	}
	for _, c := range modelClasses() {
		if c == class {
			return llm.Class(class).Sentence()
		}
	}
	return "A step or a turn ended with this code; each row says what happened."
}
