package views

import (
	"strings"
	"testing"

	"assent/internal/assent"

	"golang.org/x/net/html"
)

// linksIn lists where the links under a node lead, with their words.
func linksIn(root *html.Node) (out []string) {
	each(root, func(n *html.Node) {
		if n.Type == html.ElementNode && n.Data == "a" {
			words := ""
			each(n, func(t *html.Node) {
				if t.Type == html.TextNode {
					words += t.Data
				}
			})
			out = append(out, attr(n, "href")+" "+words)
		}
	})
	return out
}

// TestARunLinksToWhatItMade: on the card and in the line that says it is done; no
// link leads to what has been taken back.
func TestARunLinksToWhatItMade(t *testing.T) {
	t.Parallel()
	steps := []assent.Step{{ID: "doc", Type: assent.StepTool, Tool: "publish_document", Label: "Publish", Effect: assent.EffectWrite},
		{ID: "mark", Type: assent.StepTool, Tool: "create_milestone", Label: "Milestone", Effect: assent.EffectWrite},
		{ID: "make", Type: assent.StepTool, Tool: "create_project", Label: "Make", Effect: assent.EffectWrite}}
	done := func(path string, e *assent.EntityRef) assent.StepComplete {
		return assent.StepComplete{RunID: "r1", PlanID: "p1", Path: path, Attempt: 1, Status: assent.StepSuccess, Summary: "Done", Entity: e}
	}
	tp := newTape().in("t1").begins().log(assent.PlanCreated{PlanID: "p1", Version: 1, Hash: "h", Objective: "Move", Steps: steps, Preview: assent.NewPreview()},
		assent.PlanState{PlanID: "p1", Version: 1, Status: assent.PlanRunning}, assent.RunState{RunID: "r1", PlanID: "p1", Status: assent.RunRunning},
		done("make", &assent.EntityRef{Kind: assent.KindProject, ID: "p", ProjectID: "p", Title: "Office <move>"}),
		done("doc", &assent.EntityRef{Kind: assent.KindDocument, ID: "d", ProjectID: "p", Title: "Context"}),
		done("mark", &assent.EntityRef{Kind: assent.KindMilestone, ID: "m", ProjectID: "p", Title: "Lease"}))
	tp.turns(assent.RunCompleted, "")
	page := pageOf(t, fold(tp.events))
	want := []string{"/projects/p Office <move>", "/documents/d Context", "/projects/p Lease"}
	card := strings.Join(linksIn(byID(page, "p-p1-1")), "\n")
	for _, w := range want {
		if !strings.Contains(card, w) {
			t.Errorf("the card lacks %s:\n%s", w, card)
		}
	}
	var line string
	each(page, func(n *html.Node) {
		if strings.HasPrefix(attr(n, "class"), "line") && strings.Contains(normal(n), "as approved") {
			line = strings.Join(linksIn(n), "\n")
		}
	})
	if line != strings.Join(want, "\n") {
		t.Errorf("the line links to\n%s", line)
	}
	tp.turns(assent.RunUndone, "")
	if all := strings.Join(linksIn(byID(pageOf(t, fold(tp.events)), "transcript")), "\n"); strings.Contains(all, "/projects/p") {
		t.Errorf("it still links to what was taken back:\n%s", all)
	}
}
