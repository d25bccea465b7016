package views

// Health is the page of a project's health, as the tool project_health judges it.
type Health struct {
	Head       ProjectHead
	Score      int64 // 0 to 100
	Verdict    string
	Findings   []HealthFinding
	Overdue    []TaskLine
	Blocked    []TaskLine
	Milestones []MilestoneLine
}

// HealthFinding is one thing that the check found.
type HealthFinding struct{ Severity, Text string }

// severityKind is the chip colour of a finding.
func severityKind(s string) string {
	switch s {
	case "error", "critical", "high":
		return "bad"
	case "ok", "good":
		return "ok"
	}
	return ""
}
