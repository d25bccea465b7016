package store

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"assent/db/sqlc"
	"assent/internal/assent"
)

func sessionOf(r sqlc.Session) assent.Session {
	return assent.Session{ID: r.ID, UserID: r.UserID, ContextType: assent.ContextType(r.ContextType), EntityID: r.EntityID,
		Title: r.Title, LastSeq: r.LastSeq, CreatedAt: assent.Time(r.CreatedAt), UpdatedAt: assent.Time(r.UpdatedAt)}
}

func messageOf(r sqlc.Message) (assent.Message, error) {
	m := assent.Message{ID: r.ID, SessionID: r.SessionID, TurnID: r.TurnID, Role: assent.MessageRole(r.Role), Content: r.Content,
		SeenSeq: r.SeenSeq, Stopped: r.Stopped, MayApprove: r.MayApprove, CreatedAt: assent.Time(r.CreatedAt)}
	return m, decode(r.Reading, &m.Reading)
}

func turnOf(r sqlc.Turn) (assent.Turn, error) {
	t := assent.Turn{ID: r.ID, SessionID: r.SessionID, UserID: r.UserID, MessageID: r.MessageID, RunID: r.RunID,
		Kind: assent.TurnKind(r.Kind), ExecutionMode: assent.Mode(r.ExecutionMode), Status: assent.TurnStatus(r.Status),
		CreatedAt: assent.Time(r.CreatedAt), StartedAt: assent.Time(r.StartedAt), EndedAt: assent.Time(r.EndedAt)}
	if err := decode(r.Usage, &t.Usage); err != nil {
		return t, err
	}
	return t, decode(r.Error, &t.Error)
}

// CreateSession stores a new conversation.
func (tx *Tx) CreateSession(s assent.Session) error {
	return tx.q.CreateSession(context.Background(), sqlc.CreateSessionParams{ID: s.ID, UserID: s.UserID,
		ContextType: string(s.ContextType), EntityID: s.EntityID, Title: s.Title, CreatedAt: int64(s.CreatedAt), UpdatedAt: int64(s.UpdatedAt)})
}

// FindSession gives a conversation; whose it is must be checked by the caller.
func (r Reads) FindSession(ctx context.Context, id string) (assent.Session, error) {
	row, err := r.q.FindSession(plain(ctx), id)
	return sessionOf(row), rowError(err, "conversation")
}

// ListSessions gives a person's conversations, the latest touched first, and
// the cursor of the next page ("" after the last).
func (r Reads) ListSessions(ctx context.Context, userID string, p Page) ([]assent.Session, string, error) {
	at, id := int64(math.MaxInt64), last
	if p.Cursor != "" {
		var ok bool
		if at, id, ok = splitCursor(p.Cursor); !ok {
			return nil, "", assent.Invalid("/cursor", "invalid", "The cursor is not one that a list gave out.")
		}
	}
	rows, err := r.q.ListSessions(plain(ctx), sqlc.ListSessionsParams{UserID: userID, BeforeAt: at, BeforeID: id, RowLimit: p.limit()})
	if err != nil {
		return nil, "", err
	}
	out := make([]assent.Session, len(rows))
	for i, s := range rows {
		out[i] = assent.Session{ID: s.ID, UserID: s.UserID, ContextType: assent.ContextType(s.ContextType), EntityID: s.EntityID,
			Title: s.Title, LastSeq: s.LastSeq, CreatedAt: assent.Time(s.CreatedAt), UpdatedAt: assent.Time(s.UpdatedAt),
			Waiting: s.Waiting, Running: s.Busy > 0}
	}
	return out, nextCursor(out, p, func(s assent.Session) string { return fmt.Sprintf("%d.%s", s.UpdatedAt, s.ID) }), nil
}

func splitCursor(c string) (int64, string, bool) {
	a, b, ok := strings.Cut(c, ".")
	n, err := strconv.ParseInt(a, 10, 64)
	return n, b, ok && err == nil
}

// nextCursor is the cursor after a full page, "" after a short one.
func nextCursor[T any](items []T, p Page, of func(T) string) string {
	if int64(len(items)) < p.limit() {
		return ""
	}
	return of(items[len(items)-1])
}

// UpdateSessionTitle renames a conversation.
func (tx *Tx) UpdateSessionTitle(id, title string) error {
	n, err := tx.q.UpdateSessionTitle(context.Background(), sqlc.UpdateSessionTitleParams{Title: title, UpdatedAt: int64(tx.Now()), ID: id})
	return expectOne(n, err, "conversation")
}

// SetSessionTitleIfEmpty names a conversation that has no title yet.
func (tx *Tx) SetSessionTitleIfEmpty(id, title string) error {
	_, err := tx.q.UpdateSessionTitleIfEmpty(context.Background(), sqlc.UpdateSessionTitleIfEmptyParams{Title: title, ID: id})
	return err
}

// TouchSession moves a conversation to the top of its owner's list.
func (tx *Tx) TouchSession(id string) error {
	return tx.q.UpdateSessionTouched(context.Background(), sqlc.UpdateSessionTouchedParams{UpdatedAt: int64(tx.Now()), ID: id})
}

// DeleteSession deletes a conversation with everything in it but usage rows.
// It refuses while a run is unfinished.
func (tx *Tx) DeleteSession(id string) error {
	n, err := tx.q.CountUnfinishedRuns(context.Background(), id)
	if err != nil {
		return err
	}
	if n > 0 {
		return &assent.Error{Code: assent.CodeConflict, Message: "A run of this conversation is not finished. Let it finish or cancel it, then delete.",
			Details: map[string]any{"allowed": []string{"cancel"}}}
	}
	tx.After(func() { tx.store.feeds.end(id) })
	rows, err := tx.q.DeleteSession(context.Background(), id)
	return expectOne(rows, err, "conversation")
}

func expectOne(n int64, err error, what string) error {
	if err == nil && n == 0 {
		return assent.NotFound(what)
	}
	return err
}

// CountWaiting is how many plans wait for a person's word.
func (r Reads) CountWaiting(ctx context.Context, userID string) (int64, error) {
	return r.q.CountWaitingPlans(plain(ctx), userID)
}

// CountWaitingIn is how many plans of one session wait for a person's word.
func (r Reads) CountWaitingIn(ctx context.Context, sessionID string) (int64, error) {
	return r.q.CountWaitingInSession(plain(ctx), sessionID)
}

// ListWaitingSessions gives the conversations in which a plan waits for the person.
func (r Reads) ListWaitingSessions(ctx context.Context, userID string) ([]assent.Session, error) {
	rows, err := r.q.ListWaitingSessions(plain(ctx), userID)
	return each(rows, err, pure(func(s sqlc.ListWaitingSessionsRow) assent.Session {
		return assent.Session{ID: s.ID, UserID: userID, Title: s.Title, UpdatedAt: assent.Time(s.UpdatedAt), Waiting: 1}
	}))
}

// CreateMessage stores a message.
func (tx *Tx) CreateMessage(m assent.Message) error {
	reading, err := encode(m.Reading)
	if err != nil {
		return err
	}
	return tx.q.CreateMessage(context.Background(), sqlc.CreateMessageParams{ID: m.ID, SessionID: m.SessionID, TurnID: m.TurnID,
		Role: string(m.Role), Content: m.Content, SeenSeq: m.SeenSeq, Stopped: m.Stopped, MayApprove: m.MayApprove, Reading: reading, CreatedAt: int64(m.CreatedAt)})
}

// FindMessage gives a message.
func (r Reads) FindMessage(ctx context.Context, id string) (assent.Message, error) {
	row, err := r.q.FindMessage(plain(ctx), id)
	if err != nil {
		return assent.Message{}, rowError(err, "message")
	}
	return messageOf(row)
}

// ListMessages gives the messages of a conversation in order.
func (r Reads) ListMessages(ctx context.Context, sessionID string) ([]assent.Message, error) {
	rows, err := r.q.ListMessages(plain(ctx), sessionID)
	return each(rows, err, messageOf)
}

// UpdateMessageReading stores how a message was understood.
func (tx *Tx) UpdateMessageReading(id string, reading assent.Reading) error {
	s, err := encode(reading)
	if err != nil {
		return err
	}
	n, err := tx.q.UpdateMessageReading(context.Background(), sqlc.UpdateMessageReadingParams{Reading: s, ID: id})
	return expectOne(n, err, "message")
}

// CreateTurn stores a turn; key ("" for none) makes it idempotent per session.
func (tx *Tx) CreateTurn(t assent.Turn, key string) error {
	usage, err := encode(t.Usage)
	if err != nil {
		return err
	}
	var k *string
	if key != "" {
		k = &key
	}
	return tx.q.CreateTurn(context.Background(), sqlc.CreateTurnParams{ID: t.ID, SessionID: t.SessionID, UserID: t.UserID,
		MessageID: t.MessageID, RunID: t.RunID, Kind: string(t.Kind), ExecutionMode: string(t.ExecutionMode), IdempotencyKey: k,
		Status: string(t.Status), Usage: usage, CreatedAt: int64(t.CreatedAt), StartedAt: int64(t.StartedAt)})
}

func oneTurn(row sqlc.Turn, err error) (assent.Turn, error) {
	if err != nil {
		return assent.Turn{}, rowError(err, "turn")
	}
	return turnOf(row)
}

// FindTurn gives a turn.
func (r Reads) FindTurn(ctx context.Context, id string) (assent.Turn, error) {
	row, err := r.q.FindTurn(plain(ctx), id)
	return oneTurn(row, err)
}

// FindTurnWithSession gives a turn with its conversation and its person.
func (r Reads) FindTurnWithSession(ctx context.Context, id string) (t assent.Turn, s assent.Session, p assent.Person, err error) {
	row, err := r.q.FindTurnWithSession(plain(ctx), id)
	if t, err = oneTurn(row.Turn, err); err != nil {
		return t, s, p, err
	}
	return t, sessionOf(row.Session), personOf(row.Person), nil
}

// FindTurnByKey gives the turn that a client's idempotency key made.
func (r Reads) FindTurnByKey(ctx context.Context, sessionID, key string) (assent.Turn, error) {
	row, err := r.q.FindTurnByKey(plain(ctx), sqlc.FindTurnByKeyParams{SessionID: sessionID, IdempotencyKey: &key})
	return oneTurn(row, err)
}

// FindRunningTurn gives the one running turn of a session.
func (r Reads) FindRunningTurn(ctx context.Context, sessionID string) (assent.Turn, error) {
	row, err := r.q.FindRunningTurn(plain(ctx), sessionID)
	return oneTurn(row, err)
}

// FindNextQueuedTurn gives the turn that has waited longest in a session.
func (r Reads) FindNextQueuedTurn(ctx context.Context, sessionID string) (assent.Turn, error) {
	row, err := r.q.FindNextQueuedTurn(plain(ctx), sessionID)
	return oneTurn(row, err)
}

// FindPreviousTurn gives the turn before id in its session.
func (r Reads) FindPreviousTurn(ctx context.Context, sessionID, id string) (assent.Turn, error) {
	row, err := r.q.FindPreviousTurn(plain(ctx), sqlc.FindPreviousTurnParams{SessionID: sessionID, ID: id})
	return oneTurn(row, err)
}

// ListTurns gives the turns of a session in order.
func (r Reads) ListTurns(ctx context.Context, sessionID string) ([]assent.Turn, error) {
	rows, err := r.q.ListTurns(plain(ctx), sessionID)
	return each(rows, err, turnOf)
}

// ListTurnsByStatus gives all turns in a status, oldest first.
func (r Reads) ListTurnsByStatus(ctx context.Context, st assent.TurnStatus) ([]assent.Turn, error) {
	rows, err := r.q.ListTurnsByStatus(plain(ctx), string(st))
	return each(rows, err, turnOf)
}

// CountOpenTurns is how many turns of a session are queued or running.
func (r Reads) CountOpenTurns(ctx context.Context, sessionID string) (int64, error) {
	return r.q.CountOpenTurns(plain(ctx), sessionID)
}

// ListOpenMessages gives what the queued and running turns of a session answer:
// id, what the sender had seen and the reading; empty for a turn without a
// message.
func (r Reads) ListOpenMessages(ctx context.Context, sessionID string) ([]assent.Message, error) {
	rows, err := r.q.ListOpenMessages(plain(ctx), sessionID)
	return each(rows, err, func(o sqlc.ListOpenMessagesRow) (assent.Message, error) {
		m := assent.Message{ID: o.ID, SeenSeq: o.SeenSeq}
		return m, decode(o.Reading, &m.Reading)
	})
}

// StartTurn moves a queued turn to running; false if it was not queued any more.
func (tx *Tx) StartTurn(id string) (bool, error) {
	n, err := tx.q.StartTurn(context.Background(), sqlc.StartTurnParams{StartedAt: int64(tx.Now()), ID: id})
	return n > 0, err
}

// EndTurn gives an unfinished turn its end; false if it had one already.
func (tx *Tx) EndTurn(id string, st assent.TurnStatus, u assent.Usage, p *assent.Problem) (bool, error) {
	usage, err := encode(u)
	if err != nil {
		return false, err
	}
	problem, err := encode(p)
	if err != nil {
		return false, err
	}
	n, err := tx.q.EndTurn(context.Background(), sqlc.EndTurnParams{Status: string(st), Usage: usage, Error: problem, EndedAt: int64(tx.Now()), ID: id})
	return n > 0, err
}

// UpdateTurnMode stores the mode floor that a turn applies.
func (tx *Tx) UpdateTurnMode(id string, m assent.Mode) error {
	return tx.q.UpdateTurnMode(context.Background(), sqlc.UpdateTurnModeParams{ExecutionMode: string(m), ID: id})
}

// CreateHistoryItem keeps what the model saw or said.
func (tx *Tx) CreateHistoryItem(sessionID string, h assent.HistoryItem) error {
	return tx.q.CreateHistoryItem(context.Background(), sqlc.CreateHistoryItemParams{TurnID: h.TurnID, Position: h.Position,
		SessionID: sessionID, Data: string(h.Data)})
}

// ListHistory gives the model-side messages of a session, by turn and position.
func (r Reads) ListHistory(ctx context.Context, sessionID string) ([]assent.HistoryItem, error) {
	rows, err := r.q.ListHistory(plain(ctx), sessionID)
	return each(rows, err, pure(func(h sqlc.ListHistoryRow) assent.HistoryItem {
		return assent.HistoryItem{TurnID: h.TurnID, Position: h.Position, Data: raw(h.Data)}
	}))
}

// ListTurnHistory gives the model-side messages of one turn.
func (r Reads) ListTurnHistory(ctx context.Context, turnID string) ([]assent.HistoryItem, error) {
	rows, err := r.q.ListTurnHistory(plain(ctx), turnID)
	return each(rows, err, pure(func(h sqlc.ListTurnHistoryRow) assent.HistoryItem {
		return assent.HistoryItem{TurnID: h.TurnID, Position: h.Position, Data: raw(h.Data)}
	}))
}
