package tool

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"assent/internal/assent"
)

// decodeArguments reads arguments that their schema let pass. A whole number to
// JSON Schema may still be none to Go (1e2, or more than 64 bits); it is refused
// like any other wrong argument.
func decodeArguments[A any](tool string, raw json.RawMessage) (args A, err error) {
	err = json.Unmarshal(raw, &args)
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		return args, err
	}
	name := wrong.Field[strings.LastIndexByte(wrong.Field, '.')+1:]
	return args, InvalidArguments(tool, []assent.FieldError{{Pointer: "/" + name, Argument: name, Tool: tool, Code: "out_of_range",
		Message: fmt.Sprintf("%q must be a whole number in digits that fits 64 bits.", name)}})
}
