package app_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assent/internal/app"
	"assent/internal/config"
	"assent/internal/llm"
	"assent/internal/secret"
)

// TestCommandsSeeWhatAdminsSet: a command beside the server asks the models that
// the server asks, and says what is wrong with a provider.
func TestCommandsSeeWhatAdminsSet(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cfg, _, err := config.Load(config.Source{Env: []string{"ASSENT_DATA_DIR=" + dir, "ASSENT_ADDR=127.0.0.1:0", "ASSENT_LLM_PROVIDER=offline"}})
	if err != nil {
		t.Fatal(err)
	}
	first := func() (llm.Target, string) {
		t.Helper()
		in, err := app.ModelsInForce(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		target := in.Catalog.Targets(llm.ProfileBalanced)[0]
		if in.Clients[target.Provider] == nil {
			t.Errorf("%s has no client", target)
		}
		return target, in.Settings.Providers["main"].Problem
	}
	if got, _ := first(); got.Provider != "offline" {
		t.Errorf("without data it is %s", got)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("looking made %v", left)
	}
	a, err := app.New(t.Context(), cfg, "test", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close(context.Background()) }) // its end is not what is tested
	body := `{"providers": {"main": {"base_url": "http://127.0.0.1:1", "api_key": "k"}}, "profiles": {"balanced": [{"provider": "main", "model": "m1"}]}}`
	if err := a.Models.Save(t.Context(), "ada", []byte(body)); err != nil {
		t.Fatal(err)
	}
	if got, problem := first(); got.String() != "main/m1" || problem != "" {
		t.Errorf("set it is %s, %s", got, problem)
	}
	if err := os.Remove(filepath.Join(dir, secret.KeyFile)); err != nil {
		t.Fatal(err)
	}
	if _, problem := first(); !strings.Contains(problem, secret.KeyFile) {
		t.Errorf("without the key file the problem is %q", problem)
	}
}
