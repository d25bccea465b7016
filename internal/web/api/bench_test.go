package api_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"assent/internal/app"
	"assent/internal/assent"
	"assent/internal/config"
	"assent/internal/store"
)

// BenchmarkRequests is what one request costs from router to answer, without
// the network: "nothing" shows the middleware alone, "turn" adds one row.
func BenchmarkRequests(b *testing.B) {
	cfg, _, err := config.Load(config.Source{Env: []string{"ASSENT_DATA_DIR=" + b.TempDir(), "ASSENT_LLM_PROVIDER=offline"}})
	if err != nil {
		b.Fatal(err)
	}
	a, err := app.New(b.Context(), cfg, "bench", slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	defer a.Close(b.Context())
	p := assent.Person{ID: "ada", Email: "ada@example.org", Name: "Ada", Role: assent.RoleAdmin, TimeZone: "UTC", Locale: "en", Theme: "auto", DefaultMode: "auto_execute"}
	err = a.Store.Write(b.Context(), func(tx *store.Tx) error {
		if err := tx.CreatePerson(p, ""); err != nil {
			return err
		}
		if err := tx.CreateSession(assent.Session{ID: "s1", UserID: "ada", ContextType: "general"}); err != nil {
			return err
		}
		return tx.CreateTurn(assent.Turn{ID: "t1", SessionID: "s1", UserID: "ada", Status: assent.TurnCompleted}, "")
	})
	if err != nil {
		b.Fatal(err)
	}
	_, secret, err := a.Accounts.CreateToken(b.Context(), assent.Principal{Person: p, Scopes: assent.TokenScopes()}, "bench", assent.TokenScopes(), 0)
	if err != nil {
		b.Fatal(err)
	}
	for name, tc := range map[string]struct {
		path   string
		status int
	}{"nothing": {"/api/v1/sessions?limit=0", 422}, "turn": {"/api/v1/turns/t1", 200}, "sessions": {"/api/v1/sessions", 200}, "static": {"/static/none", 404}} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				req := httptest.NewRequest(http.MethodGet, tc.path, nil)
				req.Header.Set("Authorization", "Bearer "+secret)
				rec := httptest.NewRecorder()
				if a.Server.ServeHTTP(rec, req); rec.Code != tc.status {
					b.Fatalf("%d %s", rec.Code, rec.Body)
				}
			}
		})
	}
}
