package plan

import (
	"testing"

	"assent/internal/assent"
)

func TestFindingsKeepTheStepTheyAreAbout(t *testing.T) {
	t.Parallel()
	p := assent.Plan{Steps: []assent.Step{{ID: "a", Type: assent.StepTool}, {ID: "p", Type: assent.StepParallel, Steps: []assent.Step{{ID: "r", Type: assent.StepAgent}}}}}
	for named, want := range map[string]string{"a": "a", "p": "p", "r": "r", "p/r": "p/r", "": "", "z": "", "p/z": ""} {
		got := verdict([]byte(`{"verdict":"rejected","findings":[{"step":"`+named+`","severity":"error","text":"No."}]}`), p)
		if len(got.Findings) != 1 || got.Findings[0].Step != want || got.Verdict != assent.VerdictRejected {
			t.Errorf("%q becomes %+v", named, got)
		}
	}
}
