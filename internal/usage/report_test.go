package usage_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // zones do not depend on the machine

	"assent/internal/assent"
	"assent/internal/usage"
)

func micros(n int64) *int64 { return &n }

// lines are calls, each as a line of its own.
func lines(calls ...assent.CallUsage) (out []assent.UsageLine) {
	for _, u := range calls {
		out = append(out, u.Line())
	}
	return out
}

// calls are five tries around midnight in London, which in July is 23:00 UTC.
func calls() []assent.UsageLine {
	at := func(hour, minute int) assent.Time {
		return assent.At(time.Date(2026, 7, 1, hour, minute, 0, 0, time.UTC))
	}
	return lines(
		assent.CallUsage{At: at(22, 0), Operation: assent.OpPlannerStream, Model: "m1", UserID: "ada", Status: assent.CallOK, TokensIn: 100, TokensOut: 10, TokensCached: 40, CostMicros: micros(30), LatencyMS: 900, TTFTMS: 200},
		assent.CallUsage{At: at(23, 30), Operation: assent.OpPlannerStream, Model: "m1", UserID: "ada", Status: assent.CallFailed, ErrorClass: "overloaded", LatencyMS: 100, CostMicros: micros(0)},
		assent.CallUsage{At: at(23, 40), Operation: assent.OpPlannerStream, Model: "m2", UserID: "bo", Status: assent.CallOK, TokensIn: 50, TokensOut: 5, LatencyMS: 500, TTFTMS: 400, FallbackFrom: "m1"},
		assent.CallUsage{At: at(23, 50), Operation: assent.OpTitle, Model: "m1", UserID: "bo", Status: assent.CallCancelled, CostMicros: micros(7), LatencyMS: 20},
		assent.CallUsage{At: at(23, 55), Operation: assent.OpTitle, Model: "m2", UserID: "bo", Status: assent.CallOpen})
}

func TestTotalSumsPricedCallsAndSaysHowManyWereNot(t *testing.T) {
	t.Parallel()
	rows, err := usage.Report(calls(), nil, time.UTC)
	if err != nil {
		t.Fatal(err)
	}
	got, _ := json.Marshal(rows)
	want := `[{"calls":5,"failures":1,"unpriced_calls":1,"tokens_in":150,"tokens_out":15,"tokens_cached":40,"cost_micros":37,` +
		`"latency_ms_p50":100,"latency_ms_p95":900,"ttft_ms_p50":250,"ttft_ms_p95":400}]`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestDaysAreThoseOfTheReader(t *testing.T) {
	t.Parallel()
	london, err := time.LoadLocation("Europe/London")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		zone *time.Location
		want string
	}{
		{nil, "2026-07-01=5"},
		{london, "2026-07-01=1 2026-07-02=4"},
	} {
		rows, err := usage.Report(calls(), []string{"day"}, c.zone)
		if err != nil {
			t.Fatal(err)
		}
		if got := summary(rows, "day"); got != c.want {
			t.Errorf("%v: got %q, want %q", c.zone, got, c.want)
		}
	}
}

func summary(rows []usage.Row, keys ...string) string {
	var out []string
	for _, r := range rows {
		var v []string
		for _, k := range keys {
			v = append(v, r.Value(k))
		}
		n, _ := json.Marshal(r.Calls)
		out = append(out, strings.Join(v, "/")+"="+string(n))
	}
	return strings.Join(out, " ")
}

func TestGroupsAreOrderedByTheKeysInTurn(t *testing.T) {
	t.Parallel()
	rows, err := usage.Report(calls(), []string{"operation_type", "model"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := "planner_stream/m1=2 planner_stream/m2=1 title/m1=1 title/m2=1"
	if got := summary(rows, "operation_type", "model"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if rows[1].CostMicros != nil || rows[1].Unpriced != 1 {
		t.Errorf("a group without a priced call has cost %v and %d unpriced, want none and 1", rows[1].CostMicros, rows[1].Unpriced)
	}
}

func TestEveryDocumentedKeyGroups(t *testing.T) {
	t.Parallel()
	const documented = "day, operation_type, model, provider, user, context_type, execution_mode, profile, tool, plan, step, status, error_class, fallback_from"
	if got := strings.Join(usage.Keys(), ", "); got != documented {
		t.Fatalf("keys are %s", got)
	}
	u := assent.CallUsage{At: assent.At(time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)), Operation: "o", Model: "m", Provider: "p", UserID: "u",
		ContextType: "c", ExecutionMode: "e", Profile: "f", Tool: "t", PlanID: "l", Step: "s", Status: "x", ErrorClass: "y", FallbackFrom: "z"}
	rows, err := usage.Report(lines(u), usage.Keys(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var values []string
	for _, g := range rows[0].Groups {
		values = append(values, g.Value)
	}
	if got := strings.Join(values, " "); got != "2026-07-01 o m p u c e f t l s x y z" {
		t.Errorf("got %q", got)
	}
}

func TestUnknownKeyIsInvalid(t *testing.T) {
	t.Parallel()
	_, err := usage.Report(nil, []string{"day", "moon"}, nil)
	if assent.ErrorCode(err) != assent.CodeInvalid || !strings.Contains(err.Error(), "moon") {
		t.Errorf("got %v", err)
	}
}

func TestNothingGivesAZeroTotalAndNoGroups(t *testing.T) {
	t.Parallel()
	total, _ := usage.Report(nil, nil, nil)
	groups, _ := usage.Report(nil, []string{"day"}, nil)
	if len(total) != 1 || total[0].Calls != 0 || total[0].CostMicros != nil || len(groups) != 0 {
		t.Errorf("total %+v, groups %+v", total, groups)
	}
}

func TestCSVQuotesAndDisarmsFormulas(t *testing.T) {
	t.Parallel()
	rows, err := usage.Report(lines(
		assent.CallUsage{Model: "=HYPERLINK(1)", Step: "a, b", Status: assent.CallOK, CostMicros: micros(5)},
		assent.CallUsage{Model: "m", Status: assent.CallOK},
	), []string{"model", "step"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := usage.WriteCSV(&b, rows, []string{"model", "step"}); err != nil {
		t.Fatal(err)
	}
	want := "model,step,calls,failures,unpriced_calls,tokens_in,tokens_out,tokens_cached,cost_micros,latency_ms_p50,latency_ms_p95,ttft_ms_p50,ttft_ms_p95\n" +
		"'=HYPERLINK(1),\"a, b\",1,0,0,0,0,0,5,0,0,0,0\n" + "m,,1,0,1,0,0,0,,0,0,0,0\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}
