package page_test

import (
	"database/sql"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"assent/internal/assent"
	"assent/internal/store"
)

// spend records model calls: on three days of November, and one in October.
func (s *site) spend(who assent.Person) {
	s.t.Helper()
	ledger := s.store.Ledger()
	for i, u := range []assent.CallUsage{
		{At: day(2026, 11, 20), Operation: assent.OpPlannerStream, Model: "m1", CostMicros: micros(1_500_000), TokensIn: 12_000, TokensOut: 900, LatencyMS: 2000, TTFTMS: 800, Status: assent.CallOK},
		{At: day(2026, 11, 20), Operation: assent.OpPlanGeneration, Model: "m1", CostMicros: micros(500_000), TokensIn: 2000, TokensOut: 100, LatencyMS: 4000, TTFTMS: 900, Status: assent.CallOK},
		{At: day(2026, 11, 3), Operation: assent.OpPlannerStream, Model: "m2", TokensIn: 10, LatencyMS: 100, Status: assent.CallFailed, ErrorClass: "overloaded", ContextType: assent.ContextTask},
		{At: day(2026, 10, 1), Operation: assent.OpPlannerStream, Model: "m1", CostMicros: micros(4_000_000), LatencyMS: 1, Status: assent.CallOK},
	} {
		u.ID, u.UserID, u.Provider, u.Profile = fmt.Sprint("u", i), who.ID, "gemini", "balanced"
		if err := ledger.Open(s.t.Context(), u); err != nil {
			s.t.Fatal(err)
		}
		if err := ledger.Close(s.t.Context(), u); err != nil {
			s.t.Fatal(err)
		}
	}
	s.write(func(*store.Tx) error { return nil }) // writes are in order: the ledger's are done
}

func day(y, m, d int) assent.Time {
	return assent.At(time.Date(y, time.Month(m), d, 10, 0, 0, 0, time.UTC))
}

func micros(n int64) *int64 { return &n }

func TestUsageTellsWhatItCost(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	ada := s.add("Ada", assent.RoleAdmin)
	b := s.as(ada)
	b.get("/admin/usage").one("main .empty").says("No calls in these days")
	s.spend(ada)
	page := b.get("/admin/usage")
	page.one("dl.cards").says("$2.00", "−50 % on the 30 days before", "1 call without a known price", "66.7 % succeeded", "14 k / 1,000", "900 ms")
	page.one("section[aria-labelledby=by-operation] tbody").says("planner_stream", "plan_generation", "$1.50", "$0.50")
	page.one("section[aria-labelledby=by-model] tbody").says("m1", "m2", "no price")
	page.one("section[aria-labelledby=by-person] tbody").says("Ada", "1 (33.3 %)")
	days := page.all("section[aria-labelledby=by-day] tbody tr")
	if len(days) != 2 {
		t.Fatalf("%d days are listed", len(days))
	}
	days[0].says("20 Nov 2026", "$2.00")
	bars := page.all(".plot rect")
	if len(bars) != 2 {
		t.Errorf("the chart has %d bars", len(bars))
	}
	bars[0].says("20 Nov 2026, planner_stream: $1.50")
	page.one(".chart table").says("20 Nov 2026", "$1.50")
	b.get("/admin/usage?from=2026-11-01&to=2026-11-05&context=task").one("dl.cards").says("no price", "0 % succeeded")
}

func TestUsageDaysAreCheckedAndSwapped(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	b := s.as(s.add("Ada", assent.RoleAdmin))
	b.get("/admin/usage?from=moon")
	b.want(http.StatusUnprocessableEntity)
	b.get("/admin/usage?from=2000-01-01")
	b.want(http.StatusUnprocessableEntity)
	page := b.get("/admin/usage?from=2026-11-05&to=2026-11-01")
	if page.one("#from").attr("value") != "2026-11-01" || page.one("#to").attr("value") != "2026-11-05" {
		t.Error("days the wrong way round are not put right")
	}
}

func TestUsageIsExported(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	ada := s.add("Ada", assent.RoleAdmin)
	s.spend(ada)
	b := s.as(ada)
	b.get(b.get("/admin/usage").one("a[download]").attr("href"))
	b.want(http.StatusOK)
	if got := b.header.Get("Content-Disposition"); !strings.Contains(got, "assent-usage-2026-10-23-to-2026-11-21.csv") {
		t.Errorf("the file is %s", got)
	}
	rows, err := csv.NewReader(strings.NewReader(b.body)).ReadAll()
	if err != nil || len(rows) != 4 || rows[0][0] != "day" || rows[1][0] != "2026-11-03" || rows[1][7] != "Ada" {
		t.Errorf("the file holds %v, %v", rows, err)
	}
}

// fail records a failure in somebody's conversation.
func (s *site) fail(who assent.Person, class string) {
	s.write(func(tx *store.Tx) error {
		if err := tx.CreateSession(assent.Session{ID: "session", UserID: who.ID, ContextType: assent.ContextGeneral, Title: "Private matters", CreatedAt: tx.Now(), UpdatedAt: tx.Now()}); err != nil {
			return err
		}
		if err := tx.CreateTurn(assent.Turn{ID: "turn", SessionID: "session", UserID: who.ID, Kind: assent.TurnMessage, Status: assent.TurnRunning, CreatedAt: tx.Now()}, ""); err != nil {
			return err
		}
		if err := tx.CreateMessage(assent.Message{ID: "m", SessionID: "session", TurnID: "turn", Role: assent.RoleUser, Content: "My **secret** wish", CreatedAt: tx.Now()}); err != nil {
			return err
		}
		return tx.CreateErrorRow(assent.ErrorRow{Code: assent.CodeUnavailable, Class: class, Component: "llm", Stage: "stream", Provider: "gemini", Model: "m1",
			SessionID: "session", TurnID: "turn", UserID: who.ID, Message: "The model service is overloaded.", Details: json.RawMessage(`{"status":529}`)})
	})
}

func TestErrorsAreFilteredAndLeadToTheTurn(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	ada, bo := s.add("Ada", assent.RoleAdmin), s.add("Bo", assent.RoleMember)
	b := s.as(ada)
	b.get("/admin/errors").one("main .empty").says("No errors")
	s.fail(bo, "overloaded")
	page := b.get("/admin/errors?class=overloaded")
	page.one("nav.tabs").says("Errors 1")
	row := page.one(".errors li")
	row.says("Overloaded", "The model service is overloaded.", "gemini", "m1", "stream", "Bo", `"status": 529`)
	b.get("/admin/errors?class=auth").one("main .empty").says("No errors")
	page = b.get(row.one("a.btn").attr("href"))
	page.says("Bo", "Running", "What was said is private to Bo")
	page.silent("secret wish", "Private matters")
}

// TestOpeningAConversationIsLogged: an admin reads what somebody else said only
// by the button that says so, and the log knows.
func TestOpeningAConversationIsLogged(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	ada, bo := s.add("Ada", assent.RoleAdmin), s.add("Bo", assent.RoleMember)
	s.fail(bo, "overloaded")
	b := s.as(ada)
	form := b.get("/admin/turns/turn").one("form[action=/admin/conversations/session]")
	form.says("Open conversation (this is logged)")
	b.get("/admin/conversations/session")
	b.want(http.StatusNotFound)
	if n := s.audited("open_conversation"); len(n) != 0 {
		t.Fatalf("logged before it was opened: %v", n)
	}
	page := b.submit(form)
	b.want(http.StatusOK)
	page.says("Private to Bo", "That you opened it was logged", "Private matters", "My secret wish")
	if got := s.audited("open_conversation"); len(got) != 1 || got[0] != ada.ID+" session" {
		t.Errorf("the log says %v", got)
	}
	if page.has("main textarea") {
		t.Error("one could reply in somebody else's conversation")
	}
}

// audited gives who did an action to what, from the log.
func (s *site) audited(action string) []string {
	s.t.Helper()
	db, err := sql.Open("sqlite", "file:"+s.store.Path()+"?mode=ro")
	if err != nil {
		s.t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.QueryContext(s.t.Context(), "SELECT user_id, subject FROM audit WHERE action = ? ORDER BY id", action)
	if err != nil {
		s.t.Fatal(err)
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var who, what string
		if err := rows.Scan(&who, &what); err != nil {
			s.t.Fatal(err)
		}
		out = append(out, who+" "+what)
	}
	return out
}

func TestPeopleAreAddedWithAOneTimePassword(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	b := s.as(s.add("Ada", assent.RoleAdmin))
	page := b.submit(b.get("/admin/people").one("form#person"), "name", "Bo", "email", "ada@example.org")
	b.want(http.StatusConflict)
	page.one("#person-email-error").says("Somebody has that e-mail address already")
	page = b.submit(page.one("form#person"), "email", "bo@example.org")
	b.want(http.StatusCreated)
	secret := page.one("#secret").attr("value")
	page.says("Hand this one-time password to Bo now", "bo@example.org", "New password due")
	b.get("/admin/people").silent(secret)
	bo := s.browser()
	bo.post("/login", "email", "bo@example.org", "password", secret)
	if bo.get("/projects"); bo.at != "/password" {
		t.Errorf("Bo is at %s", bo.at)
	}
}

func TestTheLastAdminStays(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	ada, bo := s.add("Ada", assent.RoleAdmin), s.add("Bo", assent.RoleMember)
	b := s.as(ada)
	page := b.submit(b.get("/admin/people/"+ada.ID).one("form#person"), "role", "member")
	b.want(http.StatusConflict)
	page.one("[role=alert]").says("This is the last admin")
	b.post("/admin/people/" + ada.ID + "/disable")
	b.want(http.StatusConflict)
	b.submit(b.get("/admin/people/"+bo.ID).one("form#person"), "role", "admin")
	b.submit(b.get("/admin/people/"+ada.ID).one("form#person"), "role", "member")
	b.get("/admin/usage")
	b.want(http.StatusForbidden)
}

func TestAPersonIsResetSignedOutAndDisabled(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	ada, bo := s.add("Ada", assent.RoleAdmin), s.add("Bo", assent.RoleMember)
	admin, path := s.as(ada), "/admin/people/"+bo.ID
	for _, action := range []string{"sign-out", "reset", "disable"} {
		theirs := s.as(bo)
		theirs.get("/settings/security")
		page := admin.submit(admin.get(path).one("form[action=" + path + "/" + action + "]"))
		admin.want(http.StatusOK)
		if action == "reset" && page.one("#secret").attr("value") == "" {
			t.Error("no one-time password is shown")
		}
		if theirs.get("/settings/security"); !strings.HasPrefix(theirs.at, "/login") {
			t.Errorf("after %s Bo is at %s", action, theirs.at)
		}
	}
	admin.get("/admin/people").says("Disabled")
	admin.submit(admin.get(path).one("form[action=" + path + "/enable]"))
	admin.get("/admin/people").silent("Disabled")
}
