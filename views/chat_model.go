package views

import (
	"sort"

	"assent/internal/assent"
)

// Chat is a conversation as the page shows it: a fold over the session's
// events. The page at seq S and a live stream that has come to S hold the same
// Chat and render from the same components, so they cannot differ.
type Chat struct {
	Session assent.Session
	Seq     int64 // of the last event taken in
	// Deviations compares what was approved with what ran; nil: it is not said.
	Deviations func(approved []assent.Step, ran []assent.StepRun) []string
	// Usage is what a run took of models; nil: it is not said.
	Usage func(runID string) (assent.Usage, bool)

	state    string // of the last agent_state, while a turn is under way
	details  string
	loaded   assent.OntologyLoaded
	previous assent.LastTurnContext
	running  string // turn under way; "" for none
	queued   map[string]bool
	announce string // what a screen reader is told; states, never tokens

	groups    []*chatGroup // in order of their first event
	byTurn    map[string]*chatGroup
	elements  map[string]chatElement
	messages  map[string]*chatMessage
	calls     map[string]*chatCall // by turn and call id
	plans     map[string]*chatPlan
	planOrder []string
	runs      map[string]*chatRun
	approvals map[string]*chatApproval // by run
}

// chatElement is a part of the page that is replaced by its id.
type chatElement interface {
	elementID() string
}

// chatGroup is what belongs to one turn: the person's message, the answer with
// its tool calls, plans and lines, and the closing footer.
type chatGroup struct {
	id    string
	turn  string
	seq   int64 // of its first event: its place in the transcript
	items []chatItem
	text  *chatText // the text that grows; nil when the next delta begins a new one
	ended bool
	whole bool // its text came from the stored message; deltas left in the log repeat it
}

func (g *chatGroup) elementID() string { return g.id }

// chatItem is an element of a group. Items stand in order of order(), then of
// arrival.
type chatItem interface {
	chatElement
	order() int64
	base() *itemBase
}

// itemBase is what every item has.
type itemBase struct {
	id    string
	seq   int64
	group *chatGroup
}

func (b *itemBase) elementID() string { return b.id }
func (b *itemBase) order() int64      { return b.seq }
func (b *itemBase) base() *itemBase   { return b }

// chatMessage is what a person wrote, with how it was understood.
type chatMessage struct {
	itemBase
	message assent.MessageEvent
	at      assent.Time
	reading *assent.Reading
	queued  bool
}

// order puts the message first in its group: an approval takes effect in the
// transaction that stores the message, so its events come before the message's.
func (m *chatMessage) order() int64 { return -1_000_000_000 }

// chatText is a stretch of the assistant's answer, in blocks.
type chatText struct {
	itemBase
	prose Prose
}

func (t *chatText) blockID(i int) string { return t.id + "-" + itoa(int64(i)) }

// chatBlock names one block of a text.
type chatBlock struct {
	text  *chatText
	index int
}

func (b chatBlock) elementID() string { return b.text.blockID(b.index) }

// chatCall is a tool call with its outcome.
type chatCall struct {
	itemBase
	call   assent.ToolCallEvent
	result *assent.ToolResultEvent
	at     assent.Time
}

// chatLine says in one line that something changed state.
type chatLine struct {
	itemBase
	at     assent.Time
	kind   string // "", ok, wait, run or bad
	plan   *chatPlan
	run    *chatRun
	status assent.PlanStatus
	ver    int64
	reason string
	start  bool // it tells of the approval that started run
	done   int64
	total  int64 // steps of the run at that time
}

// chatNote is a warning or an error.
type chatNote struct {
	itemBase
	code, message string
	failed        bool // an error ended the turn
	retryable     bool
}

// chatFooter ends a turn.
type chatFooter struct {
	itemBase
	done     assent.Done
	loaded   assent.OntologyLoaded
	previous assent.LastTurnContext
}

// NewChat gives an empty conversation.
func NewChat(s assent.Session) *Chat {
	return &Chat{Session: s, queued: map[string]bool{}, byTurn: map[string]*chatGroup{}, elements: map[string]chatElement{},
		messages: map[string]*chatMessage{}, calls: map[string]*chatCall{}, plans: map[string]*chatPlan{},
		runs: map[string]*chatRun{}, approvals: map[string]*chatApproval{}}
}

// Empty reports whether nothing has been said yet.
func (c *Chat) Empty() bool { return len(c.groups) == 0 }

// Running is the turn under way; "" for none.
func (c *Chat) Running() string { return c.running }

// Busy reports whether a turn is under way or waits for its start.
func (c *Chat) Busy() bool { return c.running != "" || len(c.queued) > 0 }

// LastWords is the last thing that the person wrote, for the composer.
func (c *Chat) LastWords() string {
	for i := len(c.groups) - 1; i >= 0; i-- {
		for _, it := range c.groups[i].items {
			if m, ok := it.(*chatMessage); ok {
				return m.message.Content
			}
		}
	}
	return ""
}

// groupOf gives the group of a turn, made if need be. A turn without an id (a
// request by API) has a group of its own, named by key.
func (c *Chat) groupOf(turn, key string, seq int64) (g *chatGroup, made bool) {
	if turn == "" {
		turn = key
	}
	if g := c.byTurn[turn]; g != nil {
		return g, false
	}
	g = &chatGroup{id: "t-" + turn, turn: turn, seq: seq}
	c.byTurn[turn] = g
	c.groups = append(c.groups, g)
	c.elements[g.id] = g
	return g, true
}

// groupNow gives the group for an event of a plan or run: its own turn's while
// that is not over, else that of the turn under way, else the last one, so that
// news stand where the reader looks.
func (c *Chat) groupNow(turn string, seq int64) (g *chatGroup, made bool) {
	if g := c.byTurn[turn]; turn != "" && (g == nil || !g.ended) {
		return c.groupOf(turn, "", seq)
	}
	if g := c.byTurn[c.running]; g != nil {
		return g, false
	}
	if n := len(c.groups); n > 0 {
		return c.groups[n-1], false
	}
	return c.groupOf("", "seq"+itoa(seq), seq)
}

// add puts an item into its group and gives the id to render: the group's if
// the group is new, else the item's. It closes the text that was growing.
func (c *Chat) add(g *chatGroup, made bool, it chatItem) string {
	it.base().group = g
	at := sort.Search(len(g.items), func(i int) bool { return g.items[i].order() > it.order() })
	g.items = append(g.items, nil)
	copy(g.items[at+1:], g.items[at:])
	g.items[at] = it
	g.text = nil
	c.elements[it.elementID()] = it
	if made {
		return g.id
	}
	return it.elementID()
}

// Ids of the parts of the page around the transcript.
const (
	idStatus   = "status"
	idContext  = "context"
	idWorking  = "working"
	idPinned   = "pinned"
	idActions  = "actions"
	idAnnounce = "announce"
)
