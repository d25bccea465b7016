package assent

import (
	"errors"
	"fmt"
)

// Code classifies an Error. The set is closed; each door (HTTP, envelope)
// has one table from Code to its own form.
type Code string

// Codes shared by services, tools and doors. The envelope codes of design 06
// and the few that only HTTP needs are one set.
const (
	CodeInvalid              Code = "invalid_arguments"     // the request's fields are wrong
	CodeMalformed            Code = "malformed"             // the request cannot be read at all
	CodeUnauthenticated      Code = "unauthenticated"       // nobody is signed in
	CodeForbidden            Code = "not_permitted"         // signed in, not allowed
	CodeNotFound             Code = "not_found"             // absent, or someone else's
	CodeMethodNotAllowed     Code = "method_not_allowed"    // nothing at this address takes that method
	CodeConflict             Code = "conflict"              // the state does not allow it
	CodeStale                Code = "stale"                 // a newer revision or version exists
	CodePrecondition         Code = "precondition_failed"   // If-Match names an older revision
	CodeTooLarge             Code = "too_large"             // over a size limit
	CodeRateLimited          Code = "rate_limited"          // try again later
	CodeUnavailable          Code = "unavailable"           // something we depend on is down
	CodeNotApproved          Code = "not_approved"          // no approval of exactly that version
	CodeInvalidPlan          Code = "invalid_plan"          // details.errors lists every violation
	CodeUnknownTool          Code = "unknown_tool"          // no tool of that name
	CodeConfirmationRequired Code = "confirmation_required" // waits for a person as a one-step plan
	CodeBudgetExceeded       Code = "budget_exceeded"       // a cap or budget is used up
	CodeNoProgress           Code = "no_progress"           // same call, same result
	CodeTimeout              Code = "timeout"               // took too long
	CodeCancelled            Code = "cancelled"             // stopped by a person or a shutdown
	CodeOutputInvalid        Code = "output_invalid"        // a tool broke its own output schema
	CodeToolFailed           Code = "tool_failed"           // the handler said no
	CodeReferenceUnresolved  Code = "reference_unresolved"  // a plan reference had no value at run time
	CodeStorageFull          Code = "storage_full"          // the disk is full; nothing half-written
	CodeInternal             Code = "internal"              // everything without a code
)

// FieldError is one violation: where (JSON pointer), which rule, and in plain
// words what to do. The plan checker fills the fields about references.
type FieldError struct {
	Pointer         string   `json:"pointer"`
	Step            string   `json:"step,omitempty"`
	Path            string   `json:"path,omitempty"`
	Tool            string   `json:"tool,omitempty"`
	Argument        string   `json:"argument,omitempty"`
	Reference       string   `json:"reference,omitempty"`
	Code            string   `json:"code"`
	Message         string   `json:"message"`
	AvailableFields []string `json:"available_fields,omitempty"`
}

// Error is the one error type that crosses packages. Message is safe to show to
// a person; what lies beneath (Err) is for the log only.
type Error struct {
	Code    Code
	Message string         // one plain sentence, safe to show
	Hint    string         // what to do next, safe to show; may be empty
	Fields  []FieldError   // violations, when Code is invalid_arguments or invalid_plan
	Details map[string]any // further safe facts, e.g. "allowed" for a conflict
	Err     error          // cause, never shown
}

func (e *Error) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("%s: %s: %v", e.Code, e.Message, e.Err)
	}
	return fmt.Sprintf("%s: %s", e.Code, e.Message)
}

// Unwrap gives the cause to errors.Is and errors.As.
func (e *Error) Unwrap() error { return e.Err }

// Errorf makes an Error with a message that is safe to show.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Invalid makes an invalid_arguments error for one field.
func Invalid(pointer, code, message string) *Error {
	return &Error{Code: CodeInvalid, Message: message,
		Fields: []FieldError{{Pointer: pointer, Code: code, Message: message}}}
}

// InvalidFields makes one invalid_arguments error of what is wrong with several
// fields; nil if nothing is.
func InvalidFields(wrong []FieldError) error {
	if len(wrong) == 0 {
		return nil
	}
	return &Error{Code: CodeInvalid, Message: wrong[0].Message, Fields: wrong}
}

// NotFound says that there is nothing of that kind for this person. Someone
// else's things give the same answer.
func NotFound(what string) *Error { return Errorf(CodeNotFound, "There is no such %s.", what) }

// ErrorCode is the code of err: that of the first Error in its chain, else
// internal; empty for nil.
func ErrorCode(err error) Code {
	if err == nil {
		return ""
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return CodeInternal
}

// ErrorMessage is what may be shown of err: its safe message, or "Internal error."
func ErrorMessage(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Message
	}
	return "Internal error."
}

// Problem is an error as stored with a turn, run or step and as shown by the API.
type Problem struct {
	Code    Code           `json:"code"`
	Message string         `json:"message"`
	Details map[string]any `json:"details"`
}

// ProblemOf renders err for storage and for people; nil stays nil.
func ProblemOf(err error) *Problem {
	if err == nil {
		return nil
	}
	p := &Problem{Code: ErrorCode(err), Message: ErrorMessage(err), Details: map[string]any{}}
	var e *Error
	if errors.As(err, &e) {
		for k, v := range e.Details {
			p.Details[k] = v
		}
		if len(e.Fields) > 0 {
			p.Details["errors"] = e.Fields
		}
	}
	return p
}
