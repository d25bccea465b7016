package rules_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"assent/internal/assent"
	"assent/internal/consent/rules"
)

// planOf makes a plan that waits of the tools of its steps; "create_risk Rent"
// has a label of its own.
func planOf(steps ...string) rules.Situation {
	it := rules.Item{Kind: rules.Waiting, PlanID: "p", Version: 1, Title: "Autumn fair", Seen: true}
	for i, s := range steps {
		tool, label, _ := strings.Cut(s, " ")
		n := fmt.Sprint(i + 1)
		it.Steps = append(it.Steps, rules.StepInfo{ID: "s" + n, Number: n, Tool: tool, Label: label})
	}
	return rules.Situation{Items: []rules.Item{it}}
}

// removed is the numbers of the steps that a reading removes, and "?" where it
// removes something that it does not name.
func removed(r assent.Reading) string {
	var out []string
	for _, c := range r.Changes {
		switch {
		case c.Op != "remove":
			out = append(out, c.Op)
		case c.Step == "":
			out = append(out, "?")
		default:
			out = append(out, strings.TrimPrefix(c.Step, "s"))
		}
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), " ")
}

// TestEveryStepThatWordsLeaveOutIsNamed holds that ordinals with a count,
// plurals, quantities, ranges and lists name all of their steps, and that words
// which could mean one of several steps name none.
func TestEveryStepThatWordsLeaveOutIsNamed(t *testing.T) {
	t.Parallel()
	deletions := planOf("delete_task", "delete_task", "create_task")
	mixed := planOf("create_project", "create_milestone", "create_milestone", "create_risk Rent", "create_risk Weather")
	for _, tc := range []struct {
		plan     rules.Situation
		message  string
		expected string
	}{
		{deletions, "go ahead without the first two", "1 2"},
		{deletions, "yes, but leave out the last two steps", "2 3"},
		{deletions, "yes, skip the first and the third", "1 3"},
		{deletions, "yes, but not the last two", "2 3"},
		{mixed, "yes, but leave out 2-4", "2 3 4"},
		{mixed, "yes, but leave out 2–4", "2 3 4"},
		{mixed, "yes, but leave out 2 to 4", "2 3 4"},
		{mixed, "yes, but leave out steps 2 through 4", "2 3 4"},
		{mixed, "yes, leave out steps two and four", "2 4"},
		{mixed, "yes, leave out steps two to four", "2 3 4"},
		{mixed, "yes, but leave out 2, 3 and 5", "2 3 5"},
		{mixed, "ok, go ahead but skip the risks", "4 5"},
		{mixed, "yes, without both risks", "4 5"},
		{mixed, "yes, but leave out every risk", "4 5"},
		{mixed, "yes, leave out all milestones", "2 3"},
		{mixed, "yes, leave out the two milestones", "2 3"},
		{mixed, "yes, leave out the last three steps", "3 4 5"},
		{mixed, "yes, leave out the first three", "1 2 3"},
		{mixed, "go ahead, minus the final two", "4 5"},
		{mixed, "yes but not the risk", "?"},
		{mixed, "yes, leave out the milestone", "?"},
		{mixed, "yes but leave out the rent risk", "4"},
		{mixed, "yes, but leave out the second risk", "5"},
		{mixed, "yes, leave out the last milestone", "3"},
		{mixed, "yes, leave out the second milestone and the first risk", "3 4"},
		{mixed, "yes, leave out the first and second milestone", "2 3"},
		{mixed, "yes, but leave out everything after 3", "4 5"},
		{mixed, "yes, but leave out everything after step 3", "4 5"},
		{mixed, "yes, skip everything from 4 on", "4 5"},
		{mixed, "yes, skip everything before step 3", "1 2"},
		{mixed, "yes, leave out all but the first", "2 3 4 5"},
		{mixed, "run all but the first", "1"},
		{mixed, "run everything except 2 and 3", "2 3"},
		{mixed, "yes, but leave out two", "?"},
		{mixed, "yes, but leave out a few of the milestones", "?"},
		{mixed, "yes, but leave out some risks", "?"},
		{mixed, "yes, but leave out 2 and 9", "?"},
		{mixed, "yes, leave out three risks", "?"},
		{mixed, "yes, leave out 2 4", "?"},
		{mixed, "yes, leave out 2 and the rest", "?"},
		{mixed, "yes, skip milestone 2", "?"},
		{mixed, "ja, aber ohne die letzten beiden", "4 5"},
		{mixed, "ja, lass die ersten drei weg", "1 2 3"},
		{mixed, "ja, aber lass die Risiken weg", "4 5"},
		{mixed, "ja, aber ohne beide Risiken", "4 5"},
		{mixed, "ja, ohne das Risiko", "?"},
		{mixed, "ja, aber lass das zweite Risiko weg", "5"},
		{mixed, "ja, aber ohne die Schritte 2 bis 4", "2 3 4"},
		{mixed, "ja, aber ohne den 2. und 3. Schritt", "2 3"},
		{mixed, "ja, lass alles ab Schritt 4 weg", "4 5"},
		{mixed, "ja, lass alles nach Schritt 3 weg", "4 5"},
		{mixed, "ja, aber alle Meilensteine weglassen", "2 3"},
		{mixed, "ja, aber 2, 3 und 5 weglassen", "2 3 5"},
		{mixed, "oui, mais sans les deux derniers", "4 5"},
		{mixed, "oui, mais enlève les trois premières étapes", "1 2 3"},
		{mixed, "oui, mais sans les risques", "4 5"},
		{mixed, "oui, mais sans le risque", "?"},
		{mixed, "oui, mais sans le deuxième risque", "5"},
		{mixed, "oui, mais sans les étapes 2 à 4", "2 3 4"},
		{mixed, "oui, mais sans les étapes 2, 3 et 5", "2 3 5"},
		{mixed, "sí, pero sin los dos últimos", "4 5"},
		{mixed, "sí, pero quita los tres primeros pasos", "1 2 3"},
		{mixed, "sí, pero sin los riesgos", "4 5"},
		{mixed, "sí, pero sin ambos riesgos", "4 5"},
		{mixed, "sí, pero sin los pasos 2 a 4", "2 3 4"},
		{mixed, "sí, pero sin el segundo riesgo", "5"},
		{mixed, "sì, ma senza gli ultimi due", "4 5"},
		{mixed, "sì, ma togli i primi tre passi", "1 2 3"},
		{mixed, "sì, ma senza i rischi", "4 5"},
		{mixed, "sì, ma senza i passi da 2 a 4", "2 3 4"},
		{mixed, "sì, ma senza il secondo rischio", "5"},
		{mixed, "sim, mas sem os dois últimos", "4 5"},
		{mixed, "sim, mas tire os três primeiros passos", "1 2 3"},
		{mixed, "sim, mas sem os riscos", "4 5"},
		{mixed, "sim, mas sem os passos 2 a 4", "2 3 4"},
		{mixed, "ja, maar zonder de laatste twee", "4 5"},
		{mixed, "ja, maar laat de eerste drie stappen weg", "1 2 3"},
		{mixed, "ja, maar zonder de risico's", "4 5"},
		{mixed, "ja, maar zonder stap 2 tot en met 4", "2 3 4"},
		{mixed, "ja, maar zonder het tweede risico", "5"},
		{mixed, "tak, ale bez dwóch ostatnich", "4 5"},
		{mixed, "tak, ale pomiń pierwsze trzy kroki", "1 2 3"},
		{mixed, "tak, ale bez obu ryzyk", "4 5"},
		{mixed, "tak, ale pomiń kroki od 2 do 4", "2 3 4"},
		{mixed, "はい、でも最後の二つは抜いてください", "4 5"},
		{mixed, "はい、最後の2つは抜いて", "4 5"},
		{mixed, "はい、でも最初の三つのステップは外して", "1 2 3"},
		{mixed, "はい、でもリスクは全部外して", "4 5"},
		{mixed, "はい、でもリスクは外して", "?"},
		{mixed, "はい、でもステップ2から4まで外して", "2 3 4"},
		{mixed, "はい、でも二番目のリスクは外して", "5"},
		{mixed, "はい、でも2〜4は外して", "2 3 4"},
		{mixed, "可以，但去掉最后两个", "4 5"},
		{mixed, "可以，但是去掉前三步", "1 2 3"},
		{mixed, "可以，但去掉所有风险", "4 5"},
		{mixed, "可以，但去掉两个风险", "4 5"},
		{mixed, "可以，但去掉第二个风险", "5"},
		{mixed, "可以，但去掉第2到第4步", "2 3 4"},
		{mixed, "可以，但去掉第2步、第3步和第5步", "2 3 5"},
		{mixed, "可以，但去掉第2、3和5步", "2 3 5"},
	} {
		r, _ := rules.Read(tc.message, tc.plan)
		if got := removed(r); got != tc.expected || !r.Counts {
			t.Errorf("%q removes %q, not %q: %s counts=%t %s", tc.message, got, tc.expected, r.As, r.Counts, r.Reason)
		}
		if tc.expected == "?" && r.As == assent.ReadApproveWithChanges {
			t.Errorf("%q is an approval, though nobody knows of what", tc.message)
		}
		if tc.expected != "?" && r.As != assent.ReadApproveWithChanges {
			t.Errorf("%q is read as %s", tc.message, r.As)
		}
	}
}

// TestAnApprovalThatMovesAndLeavesOut holds the changes of the words that people
// use for both: each is listed once, a date with the step it is said of, if any.
func TestAnApprovalThatMovesAndLeavesOut(t *testing.T) {
	t.Parallel()
	dated := planOf("create_project Autumn fair in March", "create_milestone Kick-off", "create_milestone Opening", "create_task Book the hall")
	for message, expected := range map[string]string{
		"yes, but leave out 3 and put it in April":    "remove s3, set ",
		"yes, but put step 2 in April":                "set s2",
		"yes, but put steps 2 and 3 in April":         "set s2, set s3",
		"yes, but put it in April and leave out 3":    "set , remove s3",
		"ja, aber lass 3 weg und leg es in den April": "remove s3, set ",
		"oui, mais enlève 3 et mets-le en avril":      "remove s3, set ",
		"sí, pero quita el 3 y ponlo en abril":        "remove s3, set ",
		"sì, ma togli il 3 e spostalo ad aprile":      "remove s3, set ",
		"sim, mas tire o 3 e coloque em abril":        "remove s3, set ",
		"ja, maar laat 3 weg en zet het in april":     "remove s3, set ",
		"tak, ale pomiń 3 i przenieś na kwiecień":     "remove s3, set ",
		"はい、でも3を外して4月にしてください":                         "remove s3, set ",
		"可以，但去掉第3步，改到四月":                              "remove s3, set ",
	} {
		r, sure := rules.Read(message, dated)
		var got []string
		for _, c := range r.Changes {
			got = append(got, c.Op+" "+c.Step)
		}
		if r.As != assent.ReadApproveWithChanges || !sure || !r.Counts || strings.Join(got, ", ") != expected {
			t.Errorf("%q: %s, %v, not %q", message, r.As, got, expected)
		}
	}
}
