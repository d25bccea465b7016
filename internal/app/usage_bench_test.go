package app_test

import (
	"context"
	"database/sql"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"assent/internal/app"
	"assent/internal/assent"
	"assent/internal/config"
	"assent/internal/store"
	"assent/internal/web"
)

// manyCalls is a month of model calls of 200 people at work: operations, contexts
// with their profiles and models, modes, and some failures and fallbacks.
const manyCalls = `
WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 1000000),
r AS (SELECT i, abs(random()) AS a, abs(random()) AS b, abs(random()) AS c, abs(random()) AS d FROM n),
x AS (SELECT i, a, b, c, d, CASE WHEN b % 10 < 5 THEN 'general' WHEN b % 10 < 8 THEN 'project' ELSE 'task' END AS context,
    CASE WHEN c % 100 < 60 THEN 'planner_stream' WHEN c % 100 < 75 THEN 'consent_reading' WHEN c % 100 < 85 THEN 'plan_generation'
         WHEN c % 100 < 92 THEN 'title' WHEN c % 100 < 97 THEN 'plan_review' ELSE 'clarification' END AS op,
    CASE WHEN d % 100 < 2 THEN 'failed' WHEN d % 100 < 3 THEN 'timeout' WHEN d % 100 < 4 THEN 'cancelled' ELSE 'ok' END AS status FROM r)
INSERT INTO llm_usage SELECT 'call-' || i, @from + (a % 30) * 86400000 + 8 * 3600000 + b % 36000000, @from, 'person-' || (d / 100 % 200), 's', 't', '', '', '', '', op, context,
    CASE d / 100 % 10 WHEN 0 THEN 'draft_only' WHEN 1 THEN 'agent_review' ELSE 'auto_execute' END,
    CASE context WHEN 'task' THEN 'speed' ELSE 'balanced' END, 'gemini', CASE context WHEN 'task' THEN 'small' ELSE 'middle' END, status,
    CASE status WHEN 'ok' THEN '' WHEN 'failed' THEN CASE b % 2 WHEN 0 THEN 'overloaded' ELSE 'network' END ELSE status END,
    a % 9000, b % 900, a % 3000, 0, CASE WHEN c % 50 = 0 THEN NULL ELSE c % 20000 END, 300 + c % 20000, 100 + d % 900, 0, 0, '', 0, '', '' FROM x`

// BenchmarkUsagePage shows an admin a month of a million model calls: the whole
// page, through the server.
func BenchmarkUsagePage(b *testing.B) {
	dir := b.TempDir()
	fillUsage(b, dir)
	cfg, _, err := config.Load(config.Source{Args: []string{"--data-dir", dir}})
	if err != nil {
		b.Fatal(err)
	}
	a, err := app.New(context.Background(), cfg, "bench", slog.New(slog.NewTextHandler(io.Discard, nil)))
	if err != nil {
		b.Fatal(err)
	}
	defer a.Close(context.Background())
	if err := a.Recover(context.Background()); err != nil {
		b.Fatal(err)
	}
	secret := admin(b, a)
	for b.Loop() {
		req := httptest.NewRequest(http.MethodGet, "/admin/usage", nil)
		req.AddCookie(&http.Cookie{Name: web.SessionCookie, Value: secret})
		res := httptest.NewRecorder()
		if a.Server.ServeHTTP(res, req); res.Code != http.StatusOK {
			b.Fatalf("status %d: %s", res.Code, res.Body)
		}
	}
}

// admin gives the secret of a browser in which an admin is signed in.
func admin(b *testing.B, a *app.App) string {
	b.Helper()
	p := assent.Person{ID: app.NewIDs(), Email: "root@example.org", Name: "Root", Role: assent.RoleAdmin, TimeZone: "Europe/London", Locale: "en"}
	if err := a.Store.Write(context.Background(), func(tx *store.Tx) error { return tx.CreatePerson(p, "x") }); err != nil {
		b.Fatal(err)
	}
	secret, err := a.Accounts.Open(context.Background(), p)
	if err != nil {
		b.Fatal(err)
	}
	return secret
}

// fillUsage makes a data file with a million calls in the last 30 days.
func fillUsage(b *testing.B, dir string) {
	b.Helper()
	f := openFixture(b, dir)
	if err := f.s.Close(); err != nil {
		b.Fatal(err)
	}
	d, err := sql.Open("sqlite", "file:"+filepath.Join(dir, store.FileName))
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	from := time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, -29)
	if _, err := d.Exec(manyCalls, sql.Named("from", from.UnixMilli())); err != nil {
		b.Fatal(err)
	}
}
