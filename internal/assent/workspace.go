package assent

import "encoding/json"

// Kind is a kind of workspace entity.
type Kind string

// The entities that people and tools work on; design 02 §1.
const (
	KindProject   Kind = "project"
	KindGoal      Kind = "goal"
	KindMilestone Kind = "milestone"
	KindTask      Kind = "task"
	KindDocument  Kind = "document"
	KindRisk      Kind = "risk"
	KindDecision  Kind = "decision"
	KindRelation  Kind = "relation"
	KindTemplate  Kind = "template"
)

// Kinds lists every kind in the order in which pages show them.
func Kinds() []Kind {
	return []Kind{KindProject, KindGoal, KindMilestone, KindTask, KindDocument,
		KindRisk, KindDecision, KindRelation, KindTemplate}
}

// Entity is what every workspace entity has; the typed structs below embed it.
// Revision rises by one with each write and guards concurrent ones.
type Entity struct {
	ID        string `json:"id"`
	Kind      Kind   `json:"kind"`
	ProjectID string `json:"project_id,omitempty"` // its own id for a project; empty for a template
	Revision  int64  `json:"revision"`
	CreatedBy string `json:"created_by"`
	CreatedAt Time   `json:"created_at"`
	UpdatedAt Time   `json:"updated_at"`
}

// Base gives the store access to the shared part of any entity.
func (e *Entity) Base() *Entity { return e }

// Project is a piece of work with an owner and members.
type Project struct {
	Entity
	Name        string `json:"name"`
	Description string `json:"description"`
	Status      string `json:"status"` // planning, active, on_hold, done, archived
	OwnerID     string `json:"owner_id"`
	StartDate   Date   `json:"start_date,omitempty"`
	DueDate     Date   `json:"due_date,omitempty"`
	TemplateID  string `json:"template_id,omitempty"`
}

// Goal is an outcome that the project is for.
type Goal struct {
	Entity
	Title       string `json:"title"`
	Description string `json:"description"`
	Status      string `json:"status"` // open, met, dropped
}

// Milestone is a dated point in a project.
type Milestone struct {
	Entity
	Title       string `json:"title"`
	Description string `json:"description"`
	Status      string `json:"status"` // open, reached, missed
	DueDate     Date   `json:"due_date,omitempty"`
	Position    int64  `json:"position"`
}

// Task is a piece of work; what it depends on and what blocks it are relations.
type Task struct {
	Entity
	Title       string `json:"title"`
	Description string `json:"description"`
	Status      string `json:"status"`   // todo, in_progress, blocked, done, cancelled
	Priority    string `json:"priority"` // low, normal, high, urgent
	MilestoneID string `json:"milestone_id,omitempty"`
	AssigneeID  string `json:"assignee_id,omitempty"`
	DueDate     Date   `json:"due_date,omitempty"`
	Blocker     string `json:"blocker,omitempty"` // why it is blocked, in words
	Position    int64  `json:"position"`
}

// Document is a versioned text; its versions are its revisions.
type Document struct {
	Entity
	Title  string `json:"title"`
	Type   string `json:"type"`   // context, note, report, brief, minutes
	Status string `json:"status"` // draft, published
	Body   string `json:"body"`   // Markdown
}

// Risk is something that may go wrong.
type Risk struct {
	Entity
	Title       string `json:"title"`
	Description string `json:"description"`
	Likelihood  string `json:"likelihood"` // low, medium, high
	Impact      string `json:"impact"`     // low, medium, high
	Mitigation  string `json:"mitigation"`
	Status      string `json:"status"` // open, mitigated, happened, closed
}

// Decision is what was decided and why.
type Decision struct {
	Entity
	Title     string `json:"title"`
	Rationale string `json:"rationale"`
	Status    string `json:"status"` // proposed, decided, superseded
	DecidedOn Date   `json:"decided_on,omitempty"`
}

// Relation is a typed link between two entities.
type Relation struct {
	Entity
	Type     string `json:"type"` // depends_on, blocks, relates_to, mitigates, supports, documents
	FromKind Kind   `json:"from_kind"`
	FromID   string `json:"from_id"`
	ToKind   Kind   `json:"to_kind"`
	ToID     string `json:"to_id"`
	Note     string `json:"note,omitempty"`
}

// Template is a shape for new projects. Shipped ones have no creator.
type Template struct {
	Entity
	Slug         string              `json:"slug"`
	Name         string              `json:"name"`
	Description  string              `json:"description"`
	Keywords     []string            `json:"keywords"`
	Goals        []string            `json:"goals"`
	Milestones   []TemplateMilestone `json:"milestones"`
	Risks        []string            `json:"risks"`
	DocumentBody string              `json:"document_body"` // outline of the context document, Markdown
}

// TemplateMilestone is a milestone of a template with its tasks. At is where it
// lies between start (0) and due date (1).
type TemplateMilestone struct {
	Title string   `json:"title"`
	At    float64  `json:"at"`
	Tasks []string `json:"tasks"`
}

// Member is a person in a project beside its owner.
type Member struct {
	ProjectID string `json:"project_id"`
	UserID    string `json:"user_id"`
	Email     string `json:"email"` // computed
	Name      string `json:"name"`  // computed
	AddedAt   Time   `json:"added_at"`
}

// Revision is what a write did to an entity: the whole entity after it, or
// null after a deletion. Before is the state that an undo restores.
type Revision struct {
	ID        string          `json:"id"`
	Kind      Kind            `json:"kind"`
	EntityID  string          `json:"entity_id"`
	ProjectID string          `json:"project_id"`
	Revision  int64           `json:"revision"`
	Op        string          `json:"op"` // create, update, delete, restore
	Title     string          `json:"title"`
	Before    json.RawMessage `json:"before"`
	After     json.RawMessage `json:"after"`
	UserID    string          `json:"user_id"`
	Caller    Caller          `json:"caller"`
	Tool      string          `json:"tool"`
	SessionID string          `json:"session_id,omitempty"`
	TurnID    string          `json:"turn_id,omitempty"`
	RunID     string          `json:"run_id,omitempty"`
	StepPath  string          `json:"step_path,omitempty"`
	At        Time            `json:"at"`
}

// SearchHit is one result of the search over everything a person may see.
type SearchHit struct {
	Kind      string `json:"kind"` // an entity kind, or "session"
	ID        string `json:"id"`
	ProjectID string `json:"project_id,omitempty"`
	Title     string `json:"title"`
	Snippet   string `json:"snippet"` // plain text around the match
}
