package tool

import (
	"encoding/json"
	"testing"

	"assent/internal/assent"
)

func TestNumbersThatGoCannotHoldAreWrongArguments(t *testing.T) {
	t.Parallel()
	type revision struct {
		Revision int64 `json:"revision"`
	}
	type arguments struct {
		Limit *int `json:"limit,omitempty"`
		revision
	}
	for raw, pointer := range map[string]string{`{"revision": 1e400}`: "/revision", `{"revision": 1e2}`: "/revision", `{"limit": 99999999999999999999}`: "/limit",
		`{"revision": 3, "limit": 4}`: "", `{}`: ""} {
		got, err := decodeArguments[arguments]("search", json.RawMessage(raw))
		switch e, _ := err.(*assent.Error); {
		case pointer == "":
			if err != nil || raw != `{}` && (got.Revision != 3 || *got.Limit != 4) {
				t.Errorf("%s: %+v %v", raw, got, err)
			}
		case e == nil || e.Code != assent.CodeInvalid || len(e.Fields) != 1 || e.Fields[0].Pointer != pointer:
			t.Errorf("%s: %v", raw, err)
		}
	}
}
