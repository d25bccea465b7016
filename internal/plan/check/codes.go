package check

// Codes of findings; design 06. Those about the shape of a plan are package lang's.
const (
	codeIndexOutOfRange     = "index_out_of_range"
	codeForwardReference    = "forward_reference"
	codeSelfReference       = "self_reference"
	codeSiblingReference    = "sibling_reference"
	codeUnknownResultKey    = "unknown_result_key"
	codeDuplicateResultKey  = "duplicate_result_key"
	codeUnknownBinding      = "unknown_binding"
	codeFieldNotFound       = "field_not_found"
	codeTypeMismatch        = "type_mismatch"
	codeUnknownTool         = "unknown_tool"
	codeUnknownAgent        = "unknown_agent"
	codeUnsupportedMode     = "unsupported_mode"
	codeInvalidArguments    = "invalid_arguments"
	codeMissingArgument     = "missing_argument"
	codeUnknownArgument     = "unknown_argument"
	codeTooManySteps        = "too_many_steps"
	codeTooManyParallel     = "too_many_parallel"
	codeDepthExceeded       = "depth_exceeded"
	codeInvalidMerge        = "invalid_merge"
	codeInvalidStep         = "invalid_step"
	codeMissingRequiredStep = "missing_required_step"
	codeStepOrder           = "step_order"
	codeNotPermitted        = "not_permitted"
	codeTooLarge            = "too_large"

	codeUnchecked   = "unchecked"
	codeMayBeAbsent = "may_be_absent"
)
