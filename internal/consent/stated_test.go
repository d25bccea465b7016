package consent_test

import (
	"testing"

	"assent/internal/assent"
	"assent/internal/consent"
	"assent/internal/consent/rules"
)

// move is a plan that waits, whose steps have names that people also talk about.
func move(kind rules.ItemKind) rules.Item {
	it := rules.Item{Kind: kind, PlanID: "p", Version: 1, Title: "Office move", Seen: true}
	if kind != rules.Waiting {
		it.RunID = "r"
	}
	for i, label := range []string{"Create the project", "Sign the contract", "Book the lift", "Call the landlord", "Buy boxes", "Risk: rain", "Risk: snow"} {
		it.Steps = append(it.Steps, rules.StepInfo{ID: string(rune('a' + i)), Number: string(rune('1' + i)), Label: label})
	}
	return it
}

// TestWhatIsOnlyStatedStartsNothing: a reason beside an order may take it back,
// and a sentence with a not in it says how things stand; neither starts a run,
// with or without the steps it speaks of.
func TestWhatIsOnlyStatedStartsNothing(t *testing.T) {
	t.Parallel()
	sit := rules.Situation{Items: []rules.Item{move(rules.Waiting)}}
	for _, said := range []string{
		"run it, I've read the board vetoed it", "run it, it has yet to be checked", "go ahead, it is still to be checked by legal", "run it, I need to have it checked",
		"run it, my lawyer is busy refusing it", "run it, my boss shouted at the waiting crowd", "run it, I read in Tom's mail",
		"leg los, hab ich in Toms Mail gelesen", "lance-le, j'ai lu dans son mail", "procedi, ho letto nella sua mail", "実行して、確認しましたが間違いです", "leg los, die Absage kommt gleich",
		"mach es, das Verbot kommt", "lance-le, le refus arrive", "adelante, la cancelación llega", "ga je gang, de afzegging komt",
		"go ahead, the contract is not signed", "yes. The contract is not the problem.", "yes, not just the boxes", "yes, I have not called the landlord", "go ahead, the lift isn't broken",
		"ok, it won't rain", "yes, the landlord isn't answering", "go ahead, no risk no fun", "oui, le contract n'est pas signé", "sim, o contract não está assinado",
		"ja, de contract is niet getekend", "tak, contract nie jest podpisany", "mach es, der Contract ist nicht da",
	} {
		if r, _ := consent.Read(said, sit, assent.DefaultCurrency); r.Counts && (r.As == assent.ReadApprove || r.As == assent.ReadApproveWithChanges) {
			t.Errorf("%q is read as %s of %+v", said, r.As, r.Changes)
		}
	}
	for said, gone := range map[string]int{"yes, but not the contract": 1, "go ahead, but no boxes": 1, "run it, but no risks": 2, "ja, aber Schritt 3 nicht": 1} {
		if r, _ := consent.Read(said, sit, assent.DefaultCurrency); !r.Counts || r.As != assent.ReadApproveWithChanges || len(r.Changes) != gone {
			t.Errorf("%q is read as %s, counts %v, of %+v", said, r.As, r.Counts, r.Changes)
		}
	}
}
