package offline

import (
	"fmt"
	"strings"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// health is what project_health tells.
type health struct {
	ProjectID string `json:"project_id"`
	Name      string `json:"name"`
	Score     int    `json:"score"`
	Verdict   string `json:"verdict"`
	Findings  []struct {
		Severity string `json:"severity"`
		Text     string `json:"text"`
	} `json:"findings"`
	Counts     map[string]int `json:"counts"`
	Overdue    []entity       `json:"overdue"`
	Blocked    []entity       `json:"blocked"`
	Milestones []entity       `json:"milestones"`
}

// maxAudited is how many projects are judged at once; more calls of one tool
// than that a turn does not allow.
const maxAudited = 3

// audit judges projects: the named one, the conversation's, or all that run.
func (s *situation) audit(a *ask) answer {
	m, _ := s.takeProject(a.text)
	if !m.named() {
		if e, ok := s.homeProject(); ok {
			return s.auditAll([]entity{e})
		}
		if e, ok := s.partProject(a.text); ok {
			m = mention{known: e}
		} else if name := auditedName(a.text); name != "" {
			m = mentionOf(s, name)
		} else if len(s.state.Projects) > 0 && asksForAll(a) {
			return s.auditAll(running(s.state.Projects))
		} else if len(s.state.Projects) > 1 {
			if e, ok := s.talkedAbout(assent.KindProject); ok {
				return s.auditAll([]entity{e})
			}
			return s.auditAll(running(s.state.Projects))
		}
	}
	f := s.project(m)
	switch {
	case f.next != nil && len(f.next.calls) == 0 && m.name != "":
		return s.openAnything(m, m.name) // “what’s the status of order desks?”
	case f.next != nil:
		return *f.next
	}
	return s.auditAll([]entity{f.entity})
}

var allOfThem = groups.Compile(`(?:projects|everything|all|things|we|stuff|anything|it all|portfolio|overall)`)

func asksForAll(a *ask) bool { return a.has(allOfThem) }

// running are the projects that are not over, at most a few.
func running(all []entity) []entity {
	var out []entity
	for _, p := range all {
		if p.Status != "done" && p.Status != "archived" && len(out) < maxAudited {
			out = append(out, p)
		}
	}
	return out
}

// auditedName is the name of an unknown project in a question about health.
func auditedName(t english.Text) string {
	var drop []english.Range
	for i := range t.Tokens {
		if auditWords[t.Tokens[i].Word] && !(t.Tokens[i].Capital && i > 0) || t.Tokens[i].Kind == english.Punct {
			drop = append(drop, english.Range{From: i, To: i + 1})
		}
	}
	name := strings.Trim(t.Drop(drop...).String(), " .?!,")
	if onlyStop(name) {
		return ""
	}
	return name
}

var auditWords = wordSet(`how is are what about where was will be the a an my our this that it things everything all we us i you me of on for in at with to and or do does did can
	could there any going doing coming along looking progressing getting shaping up performing track schedule time risk trouble behind late healthy good bad shape well okay
	fine ready audit health check checkup status report state review progress update overview summary assessment assess evaluate examine inspect analyse analyze
	judge rate score look into have take give show get run make tell need want quick short brief full deep weekly overall current general please now right still
	project projects stand standing stands wrong problems issues concerns red flags worry worried about could might go if so far yet today week month make
	finish finished done meet hit deadline deadlines deadline's as by end sure really even just know known say stuff work moving ahead danger risks need needs
	attention help which most more much long far along way from on-track find out see check-up checkup sanity diagnosis diagnose rundown snapshot sitrep
	evaluation picture should watch keep eye out careful bottleneck bottlenecks being between gone anything something nothing possible possibly everything's deliver delivered condition
	situation outlook slipping delayed manage late? complete completion percent percentage actually lately recently no not than off better worse bit little moment`)

func (s *situation) auditAll(projects []entity) answer {
	var calls []call
	for _, p := range projects {
		c := call{"project_health", args{"project_id": p.ID}}
		if !s.tried(c) {
			calls = append(calls, c)
		}
	}
	if len(calls) > 0 {
		return answer{calls: calls}
	}
	outcomes := s.outcomesOf("project_health")
	if len(outcomes) == 0 {
		return say("There is no running project to judge. Tell me about one and I set it up.")
	}
	var parts []string
	for _, o := range outcomes {
		var h health
		if !o.env.Success {
			return explainError(o)
		}
		if o.artifact(&h) {
			parts = append(parts, s.tellHealth(h, len(outcomes) > 1))
		}
	}
	if len(parts) == 0 {
		return say("The health check gave an answer that I could not read.")
	}
	return say(strings.Join(parts, "\n\n"))
}

var verdicts = map[string]string{"good": "in good shape", "at_risk": "at risk", "critical": "in critical condition"}

// tellHealth reports one project, short if it is one of several.
func (s *situation) tellHealth(h health, short bool) string {
	verdict := verdicts[h.Verdict]
	if verdict == "" {
		verdict = spokenStatus(h.Verdict)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "**%s** is %s: %d of 100.", h.Name, verdict, h.Score)
	if c := h.Counts; c["tasks"] > 0 {
		fmt.Fprintf(&b, " %d of %s done, %d overdue, %d blocked.", c["done"], english.Plural(c["tasks"], "task"), c["overdue"], c["blocked"])
	}
	most := len(h.Findings)
	if short {
		most = min(most, 3)
	}
	if most > 0 {
		b.WriteString("\n\nFindings:\n")
	}
	for _, f := range h.Findings[:most] {
		fmt.Fprintf(&b, "- %s%s\n", map[string]string{"error": "**Serious:** ", "warning": ""}[f.Severity], f.Text)
	}
	if short {
		return strings.TrimRight(b.String(), "\n")
	}
	s.listWithin(&b, "Overdue", assent.KindTask, h.Overdue)
	s.listWithin(&b, "Blocked", assent.KindTask, h.Blocked)
	s.listWithin(&b, "Milestones", assent.KindMilestone, h.Milestones)
	b.WriteString(h.advice())
	return strings.TrimRight(b.String(), "\n")
}

func (s *situation) listWithin(b *strings.Builder, title string, kind assent.Kind, all []entity) {
	if len(all) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s:\n", title)
	for _, e := range all[:min(len(all), 8)] {
		e.Kind = kind
		b.WriteString("- " + s.line(e, outcome{args: encode(args{"project_id": e.ProjectID})}) + "\n")
	}
	if len(all) > 8 {
		fmt.Fprintf(b, "- … and %d more\n", len(all)-8)
	}
}

// advice is what to do next, by what is worst.
func (h health) advice() string {
	var steps []string
	if len(h.Overdue) > 0 {
		steps = append(steps, "give "+quoted(h.Overdue[0].label())+" a new date or mark it done")
	}
	if len(h.Blocked) > 0 {
		steps = append(steps, "clear what blocks "+quoted(h.Blocked[0].label()))
	}
	if len(steps) == 0 {
		return ""
	}
	return "\nWhat would help most: " + english.Join(steps) + "."
}
