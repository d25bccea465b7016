package lang

import (
	"slices"

	"assent/internal/assent"
)

// Limits of one plan.
const (
	MaxBytes   = 256 << 10 // as JSON
	MaxErrors  = 100       // reported for one plan
	maxNesting = 64        // levels of JSON
	maxValues  = 10_000    // JSON values; no plan of that size has more that mean anything
)

// Codes of what Parse and Structure find; design 06.
const (
	CodeTooLarge        = "too_large"
	CodeEmptyPlan       = "empty_plan"
	CodeUnknownArgument = "unknown_argument"  // a field that a plan does not have
	CodeInvalid         = "invalid_arguments" // a field of a plan with a wrong value
	CodeInvalidStep     = "invalid_step"      // or a plan that is no object at all
	CodeUnknownStepType = "unknown_step_type"
	CodeDuplicateStepID = "duplicate_step_id"
	CodeNestedParallel  = "nested_parallel"
	CodeInvalidMerge    = "invalid_merge"
	CodeReferenceSyntax = "reference_syntax"
)

// Merges of a parallel step.
const (
	MergeCollect      = "collect"
	MergeFirstSuccess = "first_success"
)

// findings collects errors up to MaxErrors, one per pointer and code.
type findings struct{ list []assent.FieldError }

func (f *findings) add(e assent.FieldError) {
	if f.full() || slices.ContainsFunc(f.list, func(o assent.FieldError) bool { return o.Pointer == e.Pointer && o.Code == e.Code }) {
		return
	}
	f.list = append(f.list, e)
}

func (f *findings) full() bool { return len(f.list) >= MaxErrors }
