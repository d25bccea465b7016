package offline

import (
	"encoding/json"

	"assent/internal/assent"
)

// entity is any workspace entity as tools show it: the union of the fields that
// this model reads.
type entity struct {
	ID          string      `json:"id"`
	Kind        assent.Kind `json:"kind"`
	ProjectID   string      `json:"project_id"`
	Name        string      `json:"name"`
	Title       string      `json:"title"`
	Slug        string      `json:"slug"`
	Description string      `json:"description"`
	Keywords    []string    `json:"keywords"`
	Status      string      `json:"status"`
	Priority    string      `json:"priority"`
	StartDate   string      `json:"start_date"`
	DueDate     string      `json:"due_date"`
	DecidedOn   string      `json:"decided_on"`
	Blocker     string      `json:"blocker"`
	MilestoneID string      `json:"milestone_id"`
	Likelihood  string      `json:"likelihood"`
	Impact      string      `json:"impact"`
	Mitigation  string      `json:"mitigation"`
	Rationale   string      `json:"rationale"`
	Type        string      `json:"type"`
	Body        string      `json:"body"`
	Snippet     string      `json:"snippet"`
	FromID      string      `json:"from_id"`
	ToID        string      `json:"to_id"`
	Note        string      `json:"note"`
	// Of a template: titles. Of a project: entities.
	Goals      json.RawMessage `json:"goals"`
	Milestones json.RawMessage `json:"milestones"`
	Risks      json.RawMessage `json:"risks"`
	Tasks      json.RawMessage `json:"tasks"`
}

// label is the name that people know it by.
func (e entity) label() string {
	if e.Name != "" {
		return e.Name
	}
	return e.Title
}

// listKeys are the fields of a list's artifact that hold entities.
var listKeys = map[assent.Kind]string{
	assent.KindProject: "projects", assent.KindGoal: "goals", assent.KindMilestone: "milestones", assent.KindTask: "tasks",
	assent.KindDocument: "documents", assent.KindRisk: "risks", assent.KindDecision: "decisions", assent.KindRelation: "relations",
	assent.KindTemplate: "templates",
}

// output is the shape of every workspace tool's output.
type output struct {
	ArtifactID string          `json:"artifact_id"`
	Artifact   json.RawMessage `json:"artifact"`
}

// artifact reads an outcome's artifact into v.
func (o outcome) artifact(v any) bool {
	var out output
	return o.env.Success && json.Unmarshal(o.env.Output, &out) == nil && json.Unmarshal(out.Artifact, v) == nil
}

// list reads the entities of a list result.
func (o outcome) list(kind assent.Kind) []entity {
	var raw map[string]json.RawMessage
	key := listKeys[kind]
	if !o.artifact(&raw) {
		raw = o.start(key)
	}
	if _, ok := raw[key]; !ok {
		key = "hits"
	}
	var all, out []entity
	if json.Unmarshal(raw[key], &all) != nil {
		return nil
	}
	for _, e := range all {
		if key == "hits" && e.Kind != kind {
			continue
		}
		if e.Kind == "" {
			e.Kind = kind
		}
		out = append(out, e)
	}
	return out
}

// start gives what can be read of a list whose output was cut to size.
func (o outcome) start(key string) map[string]json.RawMessage {
	var cut struct {
		Start string `json:"output_start"`
	}
	if json.Unmarshal(o.env.Output, &cut) != nil {
		return nil
	}
	return map[string]json.RawMessage{key: encode(salvage(cut.Start, key))}
}

// one reads the entity of a single result.
func (o outcome) one() (entity, bool) {
	var e entity
	ok := o.artifact(&e) && e.ID != ""
	return e, ok
}

// entities reads a raw array of entities.
func entities(raw json.RawMessage) []entity {
	var out []entity
	if json.Unmarshal(raw, &out) != nil {
		return nil
	}
	return out
}
