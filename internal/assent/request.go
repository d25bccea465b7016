package assent

// SendRequest is a person's message on its way into a conversation.
type SendRequest struct {
	SessionID      string
	Content        string
	Mode           Mode   // a stricter floor for this turn than the person's own; "" for none
	IdempotencyKey string // "" for none
	SeenSeq        *int64 // the last event the sender had seen; nil: everything up to receipt
}

// SendResult says which turn answers the message.
type SendResult struct {
	TurnID    string
	MessageID string
	Queued    bool // it waits behind a running turn
	Repeated  bool // the idempotency key was known: nothing new was made
}

// TakeBack says what became of a reading that a person took back.
type TakeBack struct {
	Outcome  string   `json:"outcome"` // returned (the plan waits again) or cancelled
	PlanID   string   `json:"plan_id"`
	RunID    string   `json:"run_id,omitempty"`
	Undoable []string `json:"undoable,omitempty"` // paths of steps that can be undone
}

// RunAction is what a person asks of a run; design 03 §6.
type RunAction struct {
	Action ControlAction `json:"action"`
	// Decision and Input answer a run that waits for a person (human-response):
	// approve or reject, and what else they say; "done" counts an interrupted
	// step as done.
	Decision string `json:"decision,omitempty"`
	Input    string `json:"input,omitempty"`
}
