package rules

// ItemKind is what an item is doing.
type ItemKind int

// Kinds of items.
const (
	Waiting      ItemKind = iota // a version in pending_review
	Running                      // its run is under way
	Paused                       // its run is paused
	WaitingHuman                 // its run waits for a person
	Undoable                     // its run has ended and can be undone
	Failed                       // its run failed: it can be taken up again, or undone
)

// Item is one plan that a message may be about.
type Item struct {
	Kind        ItemKind
	PlanID      string
	Version     int64
	RunID       string
	Title       string
	Steps       []StepInfo
	Seen        bool // the sender had seen its plan_ready_for_review
	Destructive bool // it deletes or reaches outside
	Held        bool // a start that waits some seconds for second thoughts
}

// StepInfo is a step as people see it.
type StepInfo struct {
	ID     string `json:"id"`
	Number string `json:"number"` // from 1; children "3.1"
	Label  string `json:"label"`
	Tool   string `json:"tool"`
}

// Situation is everything the rules may look at beside the message.
type Situation struct {
	Items       []Item
	AsksElse    bool // the assistant's latest words ask something else
	TurnRunning bool
}
