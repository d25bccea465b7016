package consent_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"assent/internal/assent"
	"assent/internal/consent/carry"
	"assent/internal/consent/rules"
	"assent/internal/consent/said"
)

// tongue is how a language leaves steps out of a plan.
type tongue struct {
	approval         string // "yes, but without %s"
	first, last      string // with a %s for the count
	steps            string // several steps by number: "steps %s"
	through          string // a range of steps, with two numbers
	both, all        string // with the plural
	one              string // with the singular
	nth              string // with the ordinal and the singular
	and, after       string
	counts, ordinals []string // from two, from first
	singular, plural map[string]string
	joining          bool
}

var tongues = map[string]tongue{
	"en": {approval: "yes, but leave out %s", first: "the first %s", last: "the last %s steps", steps: "steps %s", through: "%d to %d", both: "both %s", all: "all %s", one: "the %s", nth: "the %s %s", and: " and ", after: "everything after %d",
		counts: strings.Fields("two three four"), ordinals: strings.Fields("first second third"), singular: map[string]string{"risk": "risk", "milestone": "milestone", "task": "task"}, plural: map[string]string{"risk": "risks", "milestone": "milestones", "task": "tasks"}},
	"de": {approval: "ja, aber ohne %s", first: "die ersten %s Schritte", last: "die letzten %s", steps: "die Schritte %s", through: "die Schritte %d bis %d", both: "beide %s", all: "alle %s", one: "das %s", nth: "das %s %s", and: " und ", after: "alles nach Schritt %d",
		counts: strings.Fields("zwei drei vier"), ordinals: strings.Fields("erste zweite dritte"), singular: map[string]string{"risk": "Risiko", "milestone": "Meilenstein", "task": "Aufgabe"}, plural: map[string]string{"risk": "Risiken", "milestone": "Meilensteine", "task": "Aufgaben"}},
	"fr": {approval: "oui, mais sans %s", first: "les %s premières étapes", last: "les %s dernières", steps: "les étapes %s", through: "les étapes %d à %d", both: "les deux %s", all: "tous les %s", one: "le %s", nth: "le %s %s", and: " et ", after: "tout après l'étape %d",
		counts: strings.Fields("deux trois quatre"), ordinals: strings.Fields("premier deuxième troisième"), singular: map[string]string{"risk": "risque", "milestone": "jalon", "task": "tâche"}, plural: map[string]string{"risk": "risques", "milestone": "jalons", "task": "tâches"}},
	"es": {approval: "sí, pero sin %s", first: "los %s primeros pasos", last: "los últimos %s", steps: "los pasos %s", through: "los pasos %d a %d", both: "ambos %s", all: "todos los %s", one: "el %s", nth: "el %s %s", and: " y ", after: "todo después del paso %d",
		counts: strings.Fields("dos tres cuatro"), ordinals: strings.Fields("primer segundo tercer"), singular: map[string]string{"risk": "riesgo", "milestone": "hito", "task": "tarea"}, plural: map[string]string{"risk": "riesgos", "milestone": "hitos", "task": "tareas"}},
	"it": {approval: "sì, ma senza %s", first: "i primi %s passi", last: "gli ultimi %s", steps: "i passi %s", through: "i passi da %d a %d", both: "entrambi i %s", all: "tutti i %s", one: "il %s", nth: "il %s %s", and: " e ", after: "tutto dopo il passo %d",
		counts: strings.Fields("due tre quattro"), ordinals: strings.Fields("primo secondo terzo"), singular: map[string]string{"risk": "rischio", "milestone": "traguardo", "task": "compito"}, plural: map[string]string{"risk": "rischi", "milestone": "traguardi", "task": "compiti"}},
	"pt": {approval: "sim, mas sem %s", first: "os %s primeiros passos", last: "os últimos %s", steps: "os passos %s", through: "os passos %d a %d", both: "ambos os %s", all: "todos os %s", one: "o %s", nth: "o %s %s", and: " e ", after: "tudo depois do passo %d",
		counts: strings.Fields("dois três quatro"), ordinals: strings.Fields("primeiro segundo terceiro"), singular: map[string]string{"risk": "risco", "milestone": "marco", "task": "tarefa"}, plural: map[string]string{"risk": "riscos", "milestone": "marcos", "task": "tarefas"}},
	"nl": {approval: "ja, maar zonder %s", first: "de eerste %s stappen", last: "de laatste %s", steps: "stappen %s", through: "stap %d tot en met %d", both: "beide %s", all: "alle %s", one: "het %s", nth: "het %s %s", and: " en ", after: "alles na stap %d",
		counts: strings.Fields("twee drie vier"), ordinals: strings.Fields("eerste tweede derde"), singular: map[string]string{"risk": "risico", "milestone": "mijlpaal", "task": "taak"}, plural: map[string]string{"risk": "risico's", "milestone": "mijlpalen", "task": "taken"}},
	"pl": {approval: "tak, ale bez %s", first: "pierwszych %s kroków", last: "ostatnich %s", steps: "kroków %s", through: "kroków od %d do %d", both: "obu %s", all: "wszystkich %s", one: "%s", nth: "%s %s", and: " i ", after: "wszystkiego po kroku %d",
		counts: strings.Fields("dwóch trzech czterech"), ordinals: strings.Fields("pierwszego drugiego trzeciego"), singular: map[string]string{"risk": "ryzyka", "milestone": "kamienia milowego", "task": "zadania"}, plural: map[string]string{"risk": "ryzyk", "milestone": "kamieni milowych", "task": "zadań"}},
	"ja": {approval: "はい、でも%sは外してください", first: "最初の%s", last: "最後の%s", steps: "ステップ%s", through: "ステップ%dから%dまで", both: "%sは両方", all: "%sは全部", one: "%s", nth: "%sの%s", and: "と", after: "ステップ%dより後",
		counts: strings.Fields("二つ 三つ 四つ"), ordinals: strings.Fields("一番目 二番目 三番目"), singular: map[string]string{"risk": "リスク", "milestone": "マイルストーン", "task": "タスク"}, joining: true},
	"zh": {approval: "可以，但去掉%s", first: "前%s步", last: "最后%s个", steps: "第%s步", through: "第%d步到第%d步", both: "两个%s", all: "所有%s", one: "%s", nth: "第%s个%s", and: "步和第", after: "第%d步之后的步骤",
		counts: strings.Fields("两 三 四"), ordinals: strings.Fields("一 二 三"), singular: map[string]string{"risk": "风险", "milestone": "里程碑", "task": "任务"}, joining: true},
}

// excluder makes random plans and words that leave some of their steps out.
type excluder struct {
	*rand.Rand
	doc assent.PlanDocument
}

func (x *excluder) plan() {
	x.doc = assent.PlanDocument{}
	for i := range 3 + x.IntN(5) {
		kind := []string{"risk", "milestone", "task", "document", "project"}[x.IntN(5)]
		tool := []string{"create_", "create_", "delete_"}[x.IntN(3)] + kind
		args, err := json.Marshal(map[string]string{"title": fmt.Sprintf("Zq%d", i)})
		if err != nil {
			panic(err) // a map of strings always marshals
		}
		x.doc.Steps = append(x.doc.Steps, assent.Step{ID: fmt.Sprintf("s%d", i+1), Type: assent.StepTool, Tool: tool, Label: fmt.Sprintf("Zq%d", i), Arguments: args})
	}
}

// of are the numbers of the steps of a kind.
func (x *excluder) of(kind string) []int {
	var out []int
	for i, st := range x.doc.Steps {
		if strings.HasSuffix(st.Tool, "_"+kind) {
			out = append(out, i+1)
		}
	}
	return out
}

func seq(from, to int) []int {
	var out []int
	for ; from <= to; from++ {
		out = append(out, from)
	}
	return out
}

// phrase gives words and the steps that they leave out; with sure false no one
// can tell which those are.
func (x *excluder) phrase(t tongue) (words string, gone []int, sure bool) {
	n := len(x.doc.Steps)
	kind := []string{"risk", "milestone", "task"}[x.IntN(3)]
	of := x.of(kind)
	plural := t.plural[kind]
	if plural == "" {
		plural = t.singular[kind]
	}
	switch x.IntN(9) {
	case 0:
		c := x.IntN(min(3, n-2))
		return fmt.Sprintf(t.first, t.counts[c]), seq(1, c+2), true
	case 1:
		c := x.IntN(min(3, n-2))
		return fmt.Sprintf(t.last, t.counts[c]), seq(n-c-1, n), true
	case 2:
		picked := x.Perm(n)[:2+x.IntN(n-2)]
		slices.Sort(picked)
		list := ""
		for i := range picked {
			picked[i]++
			switch {
			case i == 0:
			case i == len(picked)-1 || t.joining:
				list += t.and
			default:
				list += ", "
			}
			list += fmt.Sprint(picked[i])
		}
		return fmt.Sprintf(t.steps, list), picked, true
	case 3:
		a := 1 + x.IntN(n-2)
		b := a + 1 + x.IntN(n-a-1)
		return fmt.Sprintf(t.through, a, b), seq(a, b), true
	case 4:
		return fmt.Sprintf(t.both, plural), of, len(of) == 2
	case 5:
		return fmt.Sprintf(t.all, plural), of, len(of) > 0
	case 6:
		return fmt.Sprintf(t.one, t.singular[kind]), of, len(of) == 1
	case 7:
		at := x.IntN(3)
		if at >= len(of) {
			return fmt.Sprintf(t.nth, t.ordinals[at], t.singular[kind]), nil, false
		}
		return fmt.Sprintf(t.nth, t.ordinals[at], t.singular[kind]), of[at : at+1], kind != "task" // the third task may be the third step
	}
	a := 1 + x.IntN(n-1)
	return fmt.Sprintf(t.after, a), seq(a+1, n), true
}

func (x *excluder) situation() rules.Situation {
	it := rules.Item{Kind: rules.Waiting, PlanID: "p", Version: 1, Title: "Autumn fair", Seen: true}
	for i, st := range x.doc.Steps {
		it.Steps = append(it.Steps, rules.StepInfo{ID: st.ID, Number: fmt.Sprint(i + 1), Label: st.Label, Tool: st.Tool})
	}
	return rules.Situation{Items: []rules.Item{it}}
}

// carried reports whether an approval holds for the plan without some steps.
func (x *excluder) carried(r assent.Reading, gone func(id string) bool) bool {
	after := assent.PlanDocument{}
	for _, st := range x.doc.Steps {
		if !gone(st.ID) {
			after.Steps = append(after.Steps, st)
		}
	}
	if r.As != assent.ReadApproveWithChanges || !r.Counts {
		return false
	}
	return carry.Judge(carry.Question{Before: carry.Version{Document: x.doc}, After: carry.Version{Document: after}, Changes: r.Changes, Words: r.Words,
		Today:     said.Today{Date: time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)},
		NeedsWord: func(st assent.Step) bool { return strings.HasPrefix(st.Tool, "delete_") },
		Creates:   func(assent.Step) (string, bool) { return "", false }}).Carried()
}

// TestNothingThatWasLeftOutRuns holds that an approval which leaves steps out is
// carried over to no version that still has one of them: neither with the
// reading of the rules, nor with one that missed a part of the words.
func TestNothingThatWasLeftOutRuns(t *testing.T) {
	t.Parallel()
	for lang, tongue := range tongues {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			x := &excluder{Rand: rand.New(rand.NewPCG(7, uint64(len(lang))))}
			clear, understood := 0, 0
			for range 200 {
				x.plan()
				words, numbers, sure := x.phrase(tongue)
				message := fmt.Sprintf(tongue.approval, words)
				var out []string
				for _, n := range numbers {
					out = append(out, fmt.Sprintf("s%d", n))
				}
				r, _ := rules.Read(message, x.situation())
				if r.As == assent.ReadApprove {
					t.Fatalf("%q is an approval", message)
				}
				named := map[string]bool{}
				for _, c := range r.Changes {
					named[c.Step] = true
				}
				if x.carried(r, func(id string) bool { return named[id] }) {
					for _, id := range out {
						if !named[id] {
							t.Fatalf("%q runs %s of %+v", message, id, toolsOf(x.doc))
						}
					}
					if len(named) != len(out) {
						t.Fatalf("%q leaves out %v of %v", message, r.Changes, toolsOf(x.doc))
					}
				}
				if sure && len(out) < len(x.doc.Steps) {
					clear++
					if x.carried(r, func(id string) bool { return slices.Contains(out, id) }) {
						understood++
					} else {
						t.Logf("not carried: %q %v named %v %s", message, toolsOf(x.doc), r.Changes, r.As)
					}
				}
				if sure {
					x.misread(t, message, out)
				}
			}
			if share := float64(understood) / float64(clear); share < 0.95 {
				t.Errorf("%.1f %% of what is clear is carried", 100*share)
			}
		})
	}
}

// misread holds that a reading which names but a part of what was left out is
// not carried.
func (x *excluder) misread(t *testing.T, message string, out []string) {
	t.Helper()
	if len(out) < 2 {
		return
	}
	part := out[:1+x.IntN(len(out)-1)]
	r := assent.Reading{As: assent.ReadApproveWithChanges, Counts: true, Words: message}
	for _, id := range part {
		r.Changes = append(r.Changes, assent.Change{Op: "remove", Step: id, Words: message})
	}
	if x.carried(r, func(id string) bool { return slices.Contains(part, id) }) {
		t.Fatalf("%q is carried without %v only, of %v in %v", message, part, out, toolsOf(x.doc))
	}
}

func toolsOf(doc assent.PlanDocument) []string {
	var out []string
	for _, st := range doc.Steps {
		out = append(out, st.Tool)
	}
	return out
}
