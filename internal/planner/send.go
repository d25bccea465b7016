package planner

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"assent/internal/assent"
	"assent/internal/consent"
	"assent/internal/llm"
	"assent/internal/store"
)

// maxMessage bounds a message in bytes.
const maxMessage = 32 << 10

// Send takes a person's message: it is read, stored and answered by a turn of
// its own. What the message approves, rejects or controls takes effect in the
// same transaction, before any queueing.
func (p *Planner) Send(ctx context.Context, pr assent.Principal, req assent.SendRequest) (assent.SendResult, error) {
	if len(req.Content) > maxMessage {
		return assent.SendResult{}, &assent.Error{Code: assent.CodeTooLarge, Message: "A message may be at most 32 KB long. Nothing was sent.",
			Fields: []assent.FieldError{{Pointer: "/content", Code: "too_large", Message: "at most 32768 bytes"}}}
	}
	if !utf8.ValidString(req.Content) || strings.ContainsRune(req.Content, 0) {
		return assent.SendResult{}, assent.Invalid("/content", "invalid", "The message is not valid text.")
	}
	req.Content = p.Secrets.Text(req.Content)
	sess, err := p.session(ctx, pr, req.SessionID)
	if err != nil {
		return assent.SendResult{}, err
	}
	if res, err := p.repeated(ctx, sess.ID, req); assent.ErrorCode(err) != assent.CodeNotFound {
		return res, err
	}
	res, err := p.receive(ctx, pr, sess, req)
	if err != nil {
		// The same key may have come in twice at the same moment.
		if first, ferr := p.repeated(ctx, sess.ID, req); ferr == nil {
			return first, nil
		}
	}
	return res, err
}

// repeated gives the turn that a client's key has made already; not_found if it
// has made none. The key of one message is refused for other words, which would
// be lost without a trace.
func (p *Planner) repeated(ctx context.Context, sessionID string, req assent.SendRequest) (assent.SendResult, error) {
	if req.IdempotencyKey == "" {
		return assent.SendResult{}, assent.NotFound("turn")
	}
	t, err := p.Store.FindTurnByKey(ctx, sessionID, req.IdempotencyKey)
	if err != nil {
		return assent.SendResult{}, err
	}
	m, err := p.Store.FindMessage(ctx, t.MessageID)
	if err == nil && m.Content != req.Content {
		err = assent.Invalid("/idempotency_key", "used", "This key was used for another message. Nothing was sent; send it with a key of its own.")
	}
	return assent.SendResult{TurnID: t.ID, MessageID: t.MessageID, Queued: t.Status == assent.TurnQueued, Repeated: true}, err
}

// fresh is what Send knows of a turn that begins at once, so that its drive does
// not read it back. Only the id crosses the engine; without this the rows tell
// the same.
type fresh struct {
	turn    assent.Turn
	session assent.Session
	person  assent.Person
	message assent.Message
}

// start lets a turn that is not queued begin. It does not block.
func (p *Planner) start(ctx context.Context, f fresh) {
	if f.turn.Status == assent.TurnRunning {
		p.fresh.Store(f.turn.ID, f)
		p.Engine.Start(ctx, assent.JobTurn, f.turn.ID)
	}
}

// session gives the person's own session; someone else's is not found.
func (p *Planner) session(ctx context.Context, pr assent.Principal, id string) (assent.Session, error) {
	s, err := p.Store.FindSession(ctx, id)
	if err == nil && s.UserID != pr.Person.ID {
		return assent.Session{}, assent.NotFound("conversation")
	}
	return s, err
}

// errMoved says that something happened in the conversation while a message was
// read: what it was read against is not there any more.
var errMoved = errors.New("the conversation has moved on")

// maxRereads bounds how often a message is read anew because of that. A run that
// tells of its steps moves all the time.
const maxRereads = 3

// receive reads the message by the rules, then stores message, reading, turn
// and their events as one.
func (p *Planner) receive(ctx context.Context, pr assent.Principal, sess assent.Session, req assent.SendRequest) (res assent.SendResult, err error) {
	seen := sess.LastSeq
	if req.SeenSeq != nil {
		seen = min(*req.SeenSeq, sess.LastSeq)
	}
	for tries := 0; ; tries++ {
		res, err = p.receiveOnce(ctx, pr, sess, req, seen, tries < maxRereads)
		if !errors.Is(err, errMoved) {
			return res, err
		}
		if sess, err = p.Store.FindSession(ctx, sess.ID); err != nil {
			return res, err
		}
	}
}

// receiveOnce is receive as long as nothing else happens in between; strict says
// that it may be asked again.
func (p *Planner) receiveOnce(ctx context.Context, pr assent.Principal, sess assent.Session, req assent.SendRequest, seen int64, strict bool) (assent.SendResult, error) {
	reading, err := p.read(ctx, sess, req.Content, seen)
	if err != nil {
		return assent.SendResult{}, err
	}
	floor := assent.Stricter(assent.Stricter(pr.Person.DefaultMode, req.Mode), consent.ModeAsked(req.Content))
	t := assent.Turn{ID: p.IDs(), SessionID: sess.ID, UserID: pr.Person.ID, MessageID: p.IDs(), Kind: assent.TurnMessage, ExecutionMode: floor}
	opening, err := p.opening(ctx, pr.Person, sess, t.ID)
	if err != nil {
		return assent.SendResult{}, err
	}
	m := consent.Message{Principal: pr, Message: assent.Message{ID: t.MessageID, SessionID: sess.ID, TurnID: t.ID, Role: assent.RoleUser,
		Content: req.Content, SeenSeq: seen, MayApprove: pr.May(assent.ScopeApprove), Reading: reading}}
	write := p.Store.Write
	if reading != nil && reading.As == assent.ReadApprove {
		write = p.Store.WriteFull // an approval survives power loss
	}
	err = write(ctx, func(tx *store.Tx) error {
		tx.After(func() { p.start(ctx, fresh{turn: t, session: sess, person: pr.Person, message: m.Message}) })
		return p.storeMessage(tx, &t, &m, arrival{key: req.IdempotencyKey, session: sess, opening: opening, strict: strict})
	})
	if err != nil {
		return assent.SendResult{}, err
	}
	p.stopIfAsked(ctx, sess.ID, t.ID, m.Reading)
	return assent.SendResult{TurnID: t.ID, MessageID: m.ID, Queued: t.Status == assent.TurnQueued}, nil
}

// read gives the rules' reading; nil when there is nothing it could be about.
func (p *Planner) read(ctx context.Context, sess assent.Session, content string, seen int64) (*assent.Reading, error) {
	if sess.LastSeq == 0 {
		return nil, nil // the first message
	}
	sit, empty, err := p.Consent.Situation(ctx, sess.ID, seen)
	if err != nil {
		return nil, err
	}
	open, err := p.Store.ListOpenMessages(ctx, sess.ID)
	if err != nil {
		return nil, err
	}
	sit.TurnRunning = len(open) > 0
	if empty && !sit.TurnRunning {
		return nil, nil
	}
	r, sure := p.Consent.Read(content, sit)
	if empty && r.As != assent.ReadControl {
		return nil, nil // nothing waits: a stop is all that could be meant
	}
	if !r.Counts {
		answer, ok, err := p.Consent.Which(ctx, sess.ID, content, sit)
		if err != nil {
			return nil, err
		}
		if ok {
			r, sure = answer, true
		}
	}
	if !sure {
		r.Counts = false
	}
	r.By = consent.ByRules
	return &r, p.Consent.AwaitChanges(ctx, &r, open)
}

// arrival is what a message came with.
type arrival struct {
	key     string         // the client's, may be empty
	session assent.Session // as it was when the message was read
	opening []assent.Event // of its turn, should that begin at once
	strict  bool           // nothing may have happened in the session since
}

// append puts a message's first events into the log. There they must follow what
// the message was read against.
func (a arrival) append(tx *store.Tx, turnID string, events ...assent.Event) error {
	last, err := tx.Append(a.session.ID, turnID, events...)
	if err == nil && a.strict && last != a.session.LastSeq+int64(len(events)) {
		return errMoved
	}
	return err
}

// storeMessage stores a message with its turn and what it makes happen.
func (p *Planner) storeMessage(tx *store.Tx, t *assent.Turn, m *consent.Message, a arrival) error {
	running, err := tx.CountOpenTurns(context.Background(), t.SessionID)
	if err != nil {
		return err
	}
	now := tx.Now()
	t.Status, t.CreatedAt, m.CreatedAt = assent.TurnQueued, now, now
	if running == 0 {
		t.Status, t.StartedAt = assent.TurnRunning, now
	} else {
		a.opening = nil // a queued turn tells its own when it begins
	}
	events := []assent.Event{assent.MessageEvent{MessageID: m.ID, Role: m.Role, Content: m.Content, Queued: t.Status == assent.TurnQueued}}
	if m.Reading == nil {
		events = append(events, a.opening...)
	}
	if err := a.append(tx, t.ID, events...); err != nil {
		return err
	}
	if err := tx.CreateTurn(*t, a.key); err != nil {
		return err
	}
	if err := p.applyReading(tx, m, a.opening); err != nil {
		return err
	}
	if err := tx.CreateMessage(m.Message); err != nil {
		return err
	}
	item, err := json.Marshal(llm.Message{Role: llm.RoleUser, Content: m.Content})
	if err != nil {
		return err
	}
	if err := tx.CreateHistoryItem(t.SessionID, assent.HistoryItem{TurnID: t.ID, Position: 0, Data: item}); err != nil {
		return err
	}
	if a.session.Title != "" {
		return nil
	}
	if title := titleOf(m.Content); title != "" {
		return tx.SetSessionTitleIfEmpty(t.SessionID, title)
	}
	return nil
}

// applyReading makes a reading take effect and tells of it, before what its
// turn begins with. A message without one has nothing to do here.
func (p *Planner) applyReading(tx *store.Tx, m *consent.Message, opening []assent.Event) error {
	if m.Reading == nil {
		return nil
	}
	r, err := p.Consent.Apply(tx, *m, *m.Reading)
	if err != nil {
		return err
	}
	m.Reading = &r
	_, err = tx.Append(m.SessionID, m.TurnID, append([]assent.Event{assent.ReadingEvent{MessageID: m.ID, Reading: r}}, opening...)...)
	return err
}

// opening are the events with which a turn begins; design 02 §2 step 4.
func (p *Planner) opening(ctx context.Context, person assent.Person, sess assent.Session, turnID string) ([]assent.Event, error) {
	events := []assent.Event{assent.SessionEvent{SessionID: sess.ID, ContextType: sess.ContextType, EntityID: sess.EntityID}}
	last, err := p.lastTurn(ctx, sess, turnID)
	if err != nil {
		return nil, err
	}
	if last != nil {
		events = append(events, *last)
	}
	scope, project := "workspace", ""
	if sess.EntityID != "" {
		scope = "project"
		if n, err := p.Store.FindAny(ctx, sess.EntityID); err == nil {
			scope, project = string(n.Base().Kind), n.Base().ProjectID
		} else if assent.ErrorCode(err) != assent.CodeNotFound {
			return nil, err
		}
	}
	counts, err := p.Store.CountEntities(ctx, person.ID, project)
	if err != nil {
		return nil, err
	}
	return append(events, assent.OntologyLoaded{Scope: scope, Counts: counts},
		assent.AgentState{State: assent.StateThinking, ContextType: sess.ContextType}), nil
}

// lastTurn tells what the turn before this one touched; nil if there is none.
func (p *Planner) lastTurn(ctx context.Context, sess assent.Session, turnID string) (*assent.LastTurnContext, error) {
	if sess.LastSeq == 0 {
		return nil, nil // nothing has happened yet
	}
	prev, err := p.Store.FindPreviousTurn(ctx, sess.ID, turnID)
	if assent.ErrorCode(err) == assent.CodeNotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	revs, err := p.Store.ListTurnRevisions(ctx, prev.ID)
	if err != nil {
		return nil, err
	}
	plans, err := p.Store.ListPlanIDsByTurn(ctx, sess.ID, prev.ID)
	if err != nil {
		return nil, err
	}
	out := &assent.LastTurnContext{PreviousTurnID: prev.ID, Status: string(prev.Status), Entities: []string{}, Plans: plans}
	seen := map[string]bool{}
	for _, r := range revs {
		if !seen[r.EntityID] && len(out.Entities) < 50 {
			seen[r.EntityID] = true
			out.Entities = append(out.Entities, r.EntityID)
		}
	}
	return out, nil
}

// stopIfAsked cancels the turn that runs when the message says stop.
func (p *Planner) stopIfAsked(ctx context.Context, sessionID, own string, r *assent.Reading) {
	if r == nil || r.As != assent.ReadControl || r.Action != assent.ControlStop || !r.Counts {
		return
	}
	t, err := p.Store.FindRunningTurn(ctx, sessionID)
	if err == nil && t.ID != own {
		p.Engine.Signal(ctx, t.ID, assent.SignalCancel)
	}
}

// Stop cancels a turn: what was said stays, marked as stopped.
func (p *Planner) Stop(ctx context.Context, pr assent.Principal, turnID string) error {
	t, err := p.Store.FindTurn(ctx, turnID)
	if err != nil {
		return err
	}
	if t.UserID != pr.Person.ID {
		return assent.NotFound("turn")
	}
	switch t.Status {
	case assent.TurnQueued:
		return p.stopQueued(ctx, t)
	case assent.TurnRunning:
		p.Engine.Signal(ctx, t.ID, assent.SignalCancel)
		return nil
	}
	return &assent.Error{Code: assent.CodeConflict, Message: "This turn has ended already.", Details: map[string]any{"allowed": []string{}}}
}

// stopQueued ends a turn that has not begun.
func (p *Planner) stopQueued(ctx context.Context, t assent.Turn) error {
	return p.Store.Write(ctx, func(tx *store.Tx) error {
		ok, err := tx.EndTurn(t.ID, assent.TurnStopped, assent.Usage{}, nil)
		if err != nil || !ok {
			return err
		}
		_, err = tx.Append(t.SessionID, t.ID, assent.Done{Status: assent.TurnStopped, Counts: map[string]int{}})
		return err
	})
}

// TakeBack takes the reading of a message back.
func (p *Planner) TakeBack(ctx context.Context, pr assent.Principal, messageID string) (assent.TakeBack, error) {
	return p.Consent.TakeBack(ctx, pr, messageID)
}
