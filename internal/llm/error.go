package llm

import (
	"errors"
	"fmt"
	"time"
)

// Class says what kind of failure a model call had; design 05 §1.
type Class string

// Classes.
const (
	ClassRateLimited     Class = "rate_limited"
	ClassOverloaded      Class = "overloaded"
	ClassAuth            Class = "auth"
	ClassQuota           Class = "quota"
	ClassContextLength   Class = "context_length"
	ClassContentFiltered Class = "content_filtered"
	ClassInvalidRequest  Class = "invalid_request"
	ClassTimeout         Class = "timeout"
	ClassNetwork         Class = "network"
	ClassCancelled       Class = "cancelled"
	ClassInternal        Class = "internal"
)

// errTooLarge ends an answer that goes beyond maxAnswer.
var errTooLarge = &Error{Class: ClassInternal, Detail: "the answer is larger than 16 MB"}

// Error is a failed model call. Detail is for admins: it never holds a key.
type Error struct {
	Class      Class
	Provider   string
	Model      string        // set by the gateway
	Status     int           // HTTP status, 0 if none
	RetryAfter time.Duration // as asked by the provider, 0 if not
	Detail     string
	Err        error
}

func (e *Error) Error() string {
	who := e.Provider
	if e.Model != "" {
		who += "/" + e.Model
	}
	return fmt.Sprintf("llm %s: %s: %s", who, e.Class, e.Detail)
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// ClassOf is the class of err; internal if it is no *Error, empty for nil.
func ClassOf(err error) Class {
	if err == nil {
		return ""
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Class
	}
	return ClassInternal
}

// Sentence is what a person reads about a class: what happened and what to do.
func (c Class) Sentence() string {
	switch c {
	case ClassRateLimited:
		return "The model's provider asks us to slow down. Your words are kept; try again in a moment."
	case ClassOverloaded:
		return "The model's provider is overloaded right now. Your words are kept; try again in a moment."
	case ClassAuth:
		return "The model's provider does not accept our key. Your words are kept; an admin can check the key."
	case ClassQuota:
		return "The quota with the model's provider is used up. Your words are kept; an admin can raise it."
	case ClassContextLength:
		return "This conversation is longer than the model can read. Your words are kept; start a new chat, or ask about less."
	case ClassContentFiltered:
		return "The model's provider declined to answer this. Your words are kept; try to put it differently."
	case ClassInvalidRequest:
		return "The model's provider refused our request. Your words are kept; an admin finds the details under Errors."
	case ClassTimeout:
		return "The model did not answer in time. Your words are kept; try again."
	case ClassNetwork:
		return "The connection to the model broke. Your words are kept; try again."
	case ClassCancelled:
		return "Stopped."
	}
	return "Something went wrong while asking the model. Your words are kept; an admin finds the details under Errors."
}

// Retryable reports whether the same request may succeed later.
func (c Class) Retryable() bool {
	switch c {
	case ClassRateLimited, ClassOverloaded, ClassTimeout, ClassNetwork:
		return true
	}
	return false
}
