package page_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/internal/stream"
)

// chatSite is a site with a hub and somebody who answers.
type chatSite struct {
	*site
	turns *answers
	ada   assent.Person
}

func newChatSite(t *testing.T) *chatSite {
	t.Helper()
	s := newSite(t, false)
	hub := stream.NewHub(s.store, stream.Options{})
	t.Cleanup(hub.Close)
	c := &chatSite{site: s, turns: &answers{store: s.store, next: s.pages.IDs}, ada: s.add("Ada", assent.RoleMember)}
	s.pages.Hub, s.pages.Turns, s.pages.Runs = hub, c.turns, c.turns
	return c
}

// session makes a conversation of somebody.
func (s *chatSite) session(owner assent.Person, title string) string {
	s.t.Helper()
	id := s.pages.IDs()
	s.write(func(tx *store.Tx) error {
		return tx.CreateSession(assent.Session{ID: id, UserID: owner.ID, Title: title, ContextType: assent.ContextProjectCreate, CreatedAt: tx.Now(), UpdatedAt: tx.Now()})
	})
	return id
}

// rawEvent is a recorded event on its way into the log again.
type rawEvent struct {
	assent.Event
	kind string
	data json.RawMessage
}

func (e rawEvent) EventType() string            { return e.kind }
func (e rawEvent) MarshalJSON() ([]byte, error) { return e.data, nil }

// recorded reads a recorded conversation of package views.
func recorded(t *testing.T, name string) []assent.LoggedEvent {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "views", "testdata", name+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []assent.LoggedEvent
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e struct {
			Type string          `json:"type"`
			Turn string          `json:"turn_id"`
			At   assent.Time     `json:"at"`
			Data json.RawMessage `json:"data"`
		}
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		out = append(out, assent.LoggedEvent{Type: e.Type, TurnID: e.Turn, At: e.At, Data: e.Data})
	}
	return out
}

// play appends recorded events to a conversation's log, at their times.
func (s *chatSite) play(session string, events ...assent.LoggedEvent) {
	s.t.Helper()
	for _, ev := range events {
		s.now.Store(int64(ev.At))
		s.write(func(tx *store.Tx) error {
			_, err := tx.Append(session, ev.TurnID, rawEvent{kind: ev.Type, data: ev.Data})
			return err
		})
	}
}

// answers stands in for the planner: it stores what comes, tells of it as the
// planner does, and says "Noted: …".
type answers struct {
	store *store.Store
	next  func() string

	mu      sync.Mutex
	sent    []assent.SendRequest
	stopped []string
	taken   []string
	acted   []assent.RunAction
	refuse  error
}

func (a *answers) Act(_ context.Context, _ assent.Principal, runID string, ra assent.RunAction) (assent.Run, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.acted = append(a.acted, ra)
	return assent.Run{ID: runID}, a.refuse
}

func (a *answers) Send(ctx context.Context, pr assent.Principal, req assent.SendRequest) (assent.SendResult, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.refuse != nil {
		return assent.SendResult{}, a.refuse
	}
	if t, err := a.store.FindTurnByKey(ctx, req.SessionID, req.IdempotencyKey); err == nil {
		return assent.SendResult{TurnID: t.ID, MessageID: t.MessageID, Repeated: true}, nil
	}
	a.sent = append(a.sent, req)
	t := assent.Turn{ID: a.next(), SessionID: req.SessionID, UserID: pr.Person.ID, MessageID: a.next(), Kind: assent.TurnMessage, Status: assent.TurnRunning}
	said := "Noted: " + req.Content
	err := a.store.Write(ctx, func(tx *store.Tx) error {
		t.CreatedAt, t.StartedAt = tx.Now(), tx.Now()
		if err := tx.CreateTurn(t, req.IdempotencyKey); err != nil {
			return err
		}
		for _, m := range []assent.Message{{ID: t.MessageID, Role: assent.RoleUser, Content: req.Content}, {ID: a.next(), Role: assent.RoleAssistant, Content: said}} {
			m.SessionID, m.TurnID, m.CreatedAt = req.SessionID, t.ID, tx.Now()
			if err := tx.CreateMessage(m); err != nil {
				return err
			}
		}
		if err := tx.SetSessionTitleIfEmpty(req.SessionID, strings.SplitN(req.Content, "\n", 2)[0]); err != nil {
			return err
		}
		for _, ev := range []assent.Event{assent.MessageEvent{MessageID: t.MessageID, Role: assent.RoleUser, Content: req.Content},
			assent.SessionEvent{SessionID: req.SessionID, ContextType: assent.ContextGeneral}, assent.AgentState{State: assent.StateThinking}, assent.Text{Delta: said},
			assent.Done{Status: assent.TurnCompleted, DurationMS: 900}} {
			if _, err := tx.Append(req.SessionID, t.ID, ev); err != nil {
				return err
			}
		}
		_, err := tx.EndTurn(t.ID, assent.TurnCompleted, assent.Usage{}, nil)
		return err
	})
	return assent.SendResult{TurnID: t.ID, MessageID: t.MessageID}, err
}

func (a *answers) Stop(_ context.Context, _ assent.Principal, turnID string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.stopped = append(a.stopped, turnID)
	return nil
}

func (a *answers) TakeBack(_ context.Context, _ assent.Principal, messageID string) (assent.TakeBack, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.taken = append(a.taken, messageID)
	return assent.TakeBack{Outcome: "returned"}, a.refuse
}

// byScript makes the browser's requests those of htmx.
func (b *browser) byScript() { b.http.Transport = htmx{} }

type htmx struct{}

func (htmx) RoundTrip(r *http.Request) (*http.Response, error) {
	r.Header.Set("HX-Request", "true")
	return http.DefaultTransport.RoundTrip(r)
}

// event is an event of a turn, as now.
func event(t *testing.T, turn string, ev assent.Event) assent.LoggedEvent {
	t.Helper()
	data, err := json.Marshal(ev)
	if err != nil {
		t.Fatal(err)
	}
	return assent.LoggedEvent{TurnID: turn, Type: ev.EventType(), At: 1795269900000, Data: data}
}

// storeRun stores an approved plan p1 with its run r1.
func (s *chatSite) storeRun(session string) {
	s.t.Helper()
	v := assent.Version{PlanID: "p1", Version: 1, Hash: "h", Status: assent.VersionOpen, Preview: assent.NewPreview(),
		Document: assent.PlanDocument{Objective: "Move", Steps: []assent.Step{{ID: "a", Type: assent.StepTool, Tool: "create_project"}}}}
	s.write(func(tx *store.Tx) error {
		if err := tx.CreatePlan(assent.Plan{ID: "p1", SessionID: session, UserID: s.ada.ID, Objective: "Move", Status: assent.PlanPendingReview, Version: 1}); err != nil {
			return err
		}
		if err := tx.CreatePlanVersion(v); err != nil {
			return err
		}
		return tx.StartApproved(assent.Approval{ID: "ap1", PlanID: "p1", Version: 1, Hash: "h", Basis: assent.BasisWords, UserID: s.ada.ID},
			assent.Run{ID: "r1", PlanID: "p1", SessionID: session, UserID: s.ada.ID, Version: 1, Hash: "h", Status: assent.RunRunning, State: "plan_validated", ApprovalID: "ap1", RequestedBy: s.ada.ID})
	})
}
