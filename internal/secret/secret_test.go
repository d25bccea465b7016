package secret_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"assent/internal/assent"
	"assent/internal/secret"
	"assent/internal/store"

	"github.com/google/uuid"
)

const value = "hunter2 is no password"

// vault is a vault over a real store in a directory of its own.
type vault struct {
	*secret.Vault
	store *store.Store
	dir   string
}

func newVault(t *testing.T) vault {
	t.Helper()
	dir := t.TempDir()
	s, err := store.Open(t.Context(), dir, store.Options{Clock: time.Now, IDs: func() string { return uuid.Must(uuid.NewV7()).String() }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return vault{secret.NewVault(s, secret.NewSealer(dir)), s, dir}
}

func (v vault) set(t *testing.T, name, value string) {
	t.Helper()
	if err := v.Set(t.Context(), "ada", name, value); err != nil {
		t.Fatal(err)
	}
}

func (v vault) resolves(t *testing.T, ref, want string) {
	t.Helper()
	if got, err := v.Resolve(t.Context(), ref); err != nil || got != want {
		t.Errorf("%s gives %q, %v", ref, got, err)
	}
}

// fails wants an error that says what is wrong and what to do, without the value.
func (v vault) fails(t *testing.T, ref, what string) {
	t.Helper()
	got, err := v.Resolve(t.Context(), ref)
	var e *assent.Error
	if !errors.As(err, &e) || e.Code != assent.CodeUnavailable || !strings.Contains(e.Message, what) || e.Hint == "" || got != "" {
		t.Errorf("%s gives %q, %v", ref, got, err)
	}
	if err != nil && strings.Contains(err.Error(), value) {
		t.Errorf("the error tells the value: %v", err)
	}
}

func TestASecretIsSealedAndOpensAgain(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	if _, err := os.Stat(filepath.Join(v.dir, secret.KeyFile)); err == nil {
		t.Error("there is a key file before anything was sealed")
	}
	v.set(t, "api-key", value)
	v.resolves(t, "secret:api-key", value)
	v.resolves(t, "plain text", "plain text")
	v.set(t, "api-key", "another")
	v.resolves(t, "secret:api-key", "another")
	st, err := os.Stat(filepath.Join(v.dir, secret.KeyFile))
	if err != nil || st.Mode().Perm() != 0o600 || st.Size() != 32 {
		t.Errorf("the key file: %v, %v", st, err)
	}
	sealed, err := v.store.FindSecret(t.Context(), "api-key")
	if err != nil || strings.Contains(sealed, "another") {
		t.Errorf("stored is %q, %v", sealed, err)
	}
	if err := v.Delete(t.Context(), "ada", "api-key"); err != nil {
		t.Fatal(err)
	}
	v.fails(t, "secret:api-key", "no secret named api-key")
	if err := v.Delete(t.Context(), "ada", "api-key"); assent.ErrorCode(err) != assent.CodeNotFound {
		t.Errorf("deleting it again: %v", err)
	}
}

// The name is sealed with the value: a row that is moved does not open.
func TestASecretMovedToAnotherNameDoesNotOpen(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	v.set(t, "mine", value)
	sealed, err := v.store.FindSecret(t.Context(), "mine")
	if err != nil {
		t.Fatal(err)
	}
	if err := v.store.SaveSecret(t.Context(), "eve", "theirs", sealed); err != nil {
		t.Fatal(err)
	}
	v.fails(t, "secret:theirs", "damaged")
	for _, bad := range []string{"", "v1", "v1..", "v2" + sealed[2:], sealed[:len(sealed)-2], "nonsense", strings.Replace(sealed, ".", "", 2)} {
		if err := v.store.SaveSecret(t.Context(), "eve", "mine", bad); err != nil {
			t.Fatal(err)
		}
		if got, err := v.Resolve(t.Context(), "secret:mine"); assent.ErrorCode(err) != assent.CodeUnavailable || got != "" {
			t.Errorf("%q opens as %q, %v", bad, got, err)
		}
	}
}

func TestAKeyFileThatDoesNotFitSaysWhatToDo(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	v.set(t, "a", value)
	path := filepath.Join(v.dir, secret.KeyFile)
	key, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	put := func(content string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("short")
	v.fails(t, "secret:a", "not 32 bytes")
	if err := v.Set(t.Context(), "ada", "b", "x"); assent.ErrorCode(err) != assent.CodeUnavailable {
		t.Errorf("sealing with a damaged key file: %v", err)
	}
	put(strings.Repeat("x", 32))
	v.fails(t, "secret:a", "not the one")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	v.fails(t, "secret:a", "missing")
	// A new key file begins with the next secret; the old ones wait for theirs.
	v.set(t, "b", "new")
	v.resolves(t, "secret:b", "new")
	v.fails(t, "secret:a", "not the one")
	put(string(key))
	v.resolves(t, "secret:a", value)
}

func TestNamesAndValuesAreChecked(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	for _, tc := range []struct{ name, value, pointer string }{
		{"", "x", "/name"}, {"1st", "x", "/name"}, {"a/b", "x", "/name"}, {"a b", "x", "/name"}, {strings.Repeat("a", 65), "x", "/name"}, {"ü", "x", "/name"},
		{"a", "", "/value"}, {"a", strings.Repeat("x", 32<<10+1), "/value"},
	} {
		err := v.Set(t.Context(), "ada", tc.name, tc.value)
		var e *assent.Error
		if !errors.As(err, &e) || e.Code != assent.CodeInvalid || len(e.Fields) != 1 || e.Fields[0].Pointer != tc.pointer {
			t.Errorf("%q: %v", tc.name, err)
		}
	}
	for _, name := range []string{"A", "a.b-c_9", strings.Repeat("a", 64)} {
		v.set(t, name, strings.Repeat("x", 32<<10))
	}
	list, err := v.List(t.Context())
	if err != nil || len(list) != 3 || list[0].Name != "A" || list[0].UpdatedAt == 0 {
		t.Errorf("listed: %v, %v", list, err)
	}
}

// Many begin at once: there is one key, and every value opens.
func TestTheKeyIsMadeOnce(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	var told sync.Map
	v.OnChange(func(_ context.Context, name string) { told.Store(name, true) })
	var wg sync.WaitGroup
	names := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
	for _, n := range names {
		wg.Go(func() {
			if err := v.Set(t.Context(), "ada", n, n+value); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, n := range names {
		v.resolves(t, "secret:"+n, n+value)
		if _, ok := told.Load(n); !ok {
			t.Errorf("nobody was told of %s", n)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(v.dir, "*.part")); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}

// A backup holds the sealed rows and not the key; restored elsewhere, everything
// but the secrets is there.
func TestABackupHoldsNoKey(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	v.set(t, "a", value)
	key, err := os.ReadFile(filepath.Join(v.dir, secret.KeyFile))
	if err != nil {
		t.Fatal(err)
	}
	file, dir := filepath.Join(t.TempDir(), "backup.db"), t.TempDir()
	if err := v.store.Backup(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(file)
	if err != nil || strings.Contains(string(b), value) || strings.Contains(string(b), string(key)) {
		t.Errorf("the backup tells a secret, %v", err)
	}
	if _, err := store.Restore(t.Context(), file, dir); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), dir, store.Options{Clock: time.Now, IDs: func() string { return uuid.Must(uuid.NewV7()).String() }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	restored := vault{secret.NewVault(s, secret.NewSealer(dir)), s, dir}
	restored.fails(t, "secret:a", "missing")
	if err := os.WriteFile(filepath.Join(dir, secret.KeyFile), key, 0o600); err != nil {
		t.Fatal(err)
	}
	restored.resolves(t, "secret:a", value)
}
