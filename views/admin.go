package views

import "assent/internal/assent"

// AdminHead is what every page of the administration shows on top.
type AdminHead struct {
	Current string // address of the section
	Errors  int64  // failures of the last day
}

func (h AdminHead) tabs() []Link {
	tab := func(url, label string, n int64) Link {
		return Link{URL: url, Label: label, Current: h.Current == url, Count: n}
	}
	return []Link{tab(AdminUsageURL, "Usage", 0), tab(AdminErrorsURL, "Errors", h.Errors), tab(AdminPlansURL, "Plans and reviews", 0), tab(AdminPeopleURL, "People", 0), tab(AdminModelsURL, "Models and prices", 0),
		tab(AdminBudgetsURL, "Budgets", 0), tab(AdminToolsURL, "Tools", 0), tab(AdminSecretsURL, "Secrets", 0)}
}

// ErrorLine is one failure in the list.
type ErrorLine struct {
	Row     assent.ErrorRow
	Person  string
	Meaning string // of its class
	Detail  string // indented JSON; empty for none
}

// Errors is the page of failures.
type Errors struct {
	Head    AdminHead
	Class   string
	Meaning string // of the class, in a sentence; empty for all
	Of      *Link  // the turn or plan whose errors these are; nil for everyone's
	Filters []Link
	Lines   []ErrorLine
	Pager   Pager
}

// ReviewLine is one review of somebody's plan, without what the plan says.
type ReviewLine struct {
	PlanID    string
	At        assent.Time
	Person    string
	Mode      assent.Mode
	Status    assent.PlanStatus // of the plan
	Version   int64
	Reviewer  string
	Verdict   string
	Findings  map[string]int64 // by severity
	Overruled bool             // the version was approved although the reviewer did not agree
}

// Reviews is the page of everyone's plan reviews.
type Reviews struct {
	Head  AdminHead
	Lines []ReviewLine
	Pager Pager
}

// findingsWords counts findings by severity, the worst first.
func findingsWords(r Reader, n map[string]int64) string {
	var parts []string
	for _, s := range []string{"error", "warning", "info"} {
		if n[s] > 0 && s == "info" {
			parts = append(parts, r.Number(n[s])+" for information")
		} else if n[s] > 0 {
			parts = append(parts, r.Count(n[s], s))
		}
	}
	if len(parts) == 0 {
		return "none"
	}
	return assent.List(parts)
}

// verdictKind is the colour of a verdict.
func verdictKind(v string) string {
	if v == assent.VerdictApproved {
		return "ok"
	}
	return "bad"
}

// TurnPage is what an admin sees of a turn: what it cost and did, not what was said.
type TurnPage struct {
	Head         AdminHead
	Turn         assent.Turn
	Person       assent.Person
	Session      assent.Session
	Calls        []assent.CallUsage
	Own          bool // the admin's own conversation
	Errors       int64
	Plans        []assent.Plan // heads of those made in it
	EventsByType []CountLine
}

// CountLine is a name with how often.
type CountLine struct {
	Name string
	N    int64
}

// OpenedConversation is somebody's conversation that an admin opened.
type OpenedConversation struct {
	Head     AdminHead
	Session  assent.Session
	Person   assent.Person
	Messages []OpenedMessage
}

// OpenedMessage is one message in it.
type OpenedMessage struct {
	Message assent.Message
	Body    string // sanitised HTML
}

// PersonLine is somebody in the list of people.
type PersonLine struct {
	Person assent.Person
	You    bool
}

// People is the page of people.
type People struct {
	Head   AdminHead
	People []PersonLine
	Pager  Pager
	Form   Form   // adds somebody
	Secret string // one-time password just made
	For    string // whose
}

// PersonPage is one person, for admins.
type PersonPage struct {
	Head   AdminHead
	Person assent.Person
	You    bool
	Form   Form
	Secret string
}

// errorName is what an error is filed under.
func errorName(e assent.ErrorRow) string {
	if e.Class != "" {
		return Words(e.Class)
	}
	return Words(string(e.Code))
}

func turnTook(r Reader, t assent.Turn) string {
	if t.StartedAt == 0 || t.EndedAt == 0 {
		return ""
	}
	return r.Duration(int64(t.EndedAt - t.StartedAt))
}

func openedRole(p assent.Person, m assent.Message) string {
	if m.Role == assent.RoleUser {
		return p.Name
	}
	return "Assent"
}
