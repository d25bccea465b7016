package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"assent/internal/assent"
	"assent/internal/store"

	"github.com/google/uuid"
)

func TestABackupIsConsistentWhileWritesGoOn(t *testing.T) {
	t.Parallel()
	s, sess := open(t)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			// Two rows that belong together: a backup has both or none.
			err := s.Write(context.Background(), func(tx *store.Tx) error {
				if err := tx.SaveSetting("a", fmt.Sprint(i)); err != nil {
					return err
				}
				return tx.SaveSetting("b", fmt.Sprint(i))
			})
			if err != nil {
				t.Error(err)
				return
			}
		}
	})
	dir := t.TempDir()
	for i := range 5 {
		file := filepath.Join(dir, fmt.Sprintf("odd name %d?%%#.db", i))
		if err := s.Backup(t.Context(), file); err != nil {
			t.Fatal(err)
		}
		if st, err := os.Stat(file); err != nil || st.Mode().Perm() != 0o600 {
			t.Errorf("the backup is %v, %v", st.Mode(), err)
		}
		to := t.TempDir()
		if aside, err := store.Restore(t.Context(), file, to); err != nil || aside != "" {
			t.Fatal(aside, err)
		}
		copied := reopen(t, to)
		a, aerr := copied.FindSetting(t.Context(), "a")
		b, berr := copied.FindSetting(t.Context(), "b")
		if a != b || aerr != nil || berr != nil {
			t.Errorf("the backup holds %q and %q (%v, %v)", a, b, aerr, berr)
		}
		if _, err := copied.FindSession(t.Context(), sess.ID); err != nil {
			t.Error(err)
		}
	}
	close(stop)
	wg.Wait()
	if left, _ := filepath.Glob(filepath.Join(dir, ".*.part")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func reopen(t *testing.T, dir string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), dir, store.Options{Clock: time.Now, IDs: func() string { return uuid.Must(uuid.NewV7()).String() }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestABackupRefusesWhatIsThereAndWhatIsNot(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	dir := t.TempDir()
	there := filepath.Join(dir, "there.db")
	if err := os.WriteFile(there, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Backup(t.Context(), there); assent.ErrorCode(err) != assent.CodeConflict {
		t.Errorf("an existing file: %v", err)
	}
	if b, err := os.ReadFile(there); err != nil || string(b) != "precious" {
		t.Errorf("it now holds %q, %v", b, err)
	}
	if err := s.Backup(t.Context(), filepath.Join(dir, "no", "such", "folder.db")); assent.ErrorCode(err) != assent.CodeNotFound {
		t.Errorf("a folder that is not there: %v", err)
	}
	empty := t.TempDir()
	if err := store.Backup(t.Context(), empty, filepath.Join(dir, "b.db")); assent.ErrorCode(err) != assent.CodeNotFound {
		t.Errorf("no database: %v", err)
	}
	if made, _ := os.ReadDir(empty); len(made) > 0 {
		t.Errorf("backing up nothing made %v", made)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Backup(ctx, filepath.Join(dir, "c.db")); err == nil {
		t.Error("a backup that was cancelled succeeds")
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

func TestRestoreRefusesWhatIsNoBackup(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	files := t.TempDir()
	good := filepath.Join(files, "good.db")
	if err := s.Backup(t.Context(), good); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name string, b []byte) string {
		path := filepath.Join(files, name)
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	change := func(name, statement string) string {
		path := write(name, whole)
		d, err := sql.Open("sqlite", "file:"+path)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		if _, err := d.Exec(statement); err != nil {
			t.Fatal(err)
		}
		return path
	}
	broken := append([]byte(nil), whole...)
	for i := len(broken) / 2; i < len(broken)/2+8192 && i < len(broken); i++ {
		broken[i] = 0xA5
	}
	used := write("used.db", whole)
	write("used.db-wal", []byte("something"))
	for name, file := range map[string]string{
		"nothing there":   filepath.Join(files, "absent.db"),
		"a folder":        files,
		"text":            write("text.db", []byte("this is not a database, whatever its name says")),
		"empty":           write("empty.db", nil),
		"cut off":         write("cut.db", whole[:len(whole)/2]),
		"damaged":         write("broken.db", broken),
		"another program": change("other.db", "DROP TABLE plan_versions"),
		"a newer version": change("newer.db", "INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, 1)"),
		"a file in use":   used,
	} {
		dir := t.TempDir()
		kept := filepath.Join(dir, store.FileName)
		if err := os.WriteFile(kept, []byte("kept"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := store.Restore(t.Context(), file, dir); assent.ErrorCode(err) != assent.CodeInvalid && assent.ErrorCode(err) != assent.CodeNotFound {
			t.Errorf("%s: %v", name, err)
		}
		if b, err := os.ReadFile(kept); err != nil || string(b) != "kept" {
			t.Errorf("%s changed what was there: %q, %v", name, b, err)
		}
		if all, _ := os.ReadDir(dir); len(all) != 1 {
			t.Errorf("%s left %v", name, all)
		}
	}
}

func TestRestoreMovesTheOldOneAsideWithItsLog(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	file := filepath.Join(t.TempDir(), "b.db")
	if err := s.Backup(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	for name, present := range map[string][]string{
		"a database":                  {"", "-wal", "-shm"},
		"what a cut-off restore left": {"-wal"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for _, suffix := range present {
				if err := os.WriteFile(filepath.Join(dir, store.FileName)+suffix, []byte("old"+suffix), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			aside, err := store.Restore(t.Context(), file, dir)
			if err != nil {
				t.Fatal(err)
			}
			for _, suffix := range present {
				if b, err := os.ReadFile(aside + suffix); err != nil || string(b) != "old"+suffix {
					t.Errorf("%q is kept as %q, %v", suffix, b, err)
				}
			}
			if err := store.Verify(t.Context(), filepath.Join(dir, store.FileName)); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestOneOwnerOfADirectory(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	lock, err := store.AcquireLock(dir)
	if err != nil {
		t.Fatal(err)
	}
	_, err = store.AcquireLock(dir)
	if assent.ErrorCode(err) != assent.CodeConflict || !strings.Contains(assent.ErrorMessage(err), fmt.Sprintf("process %d", os.Getpid())) ||
		!strings.Contains(assent.ErrorMessage(err), dir) {
		t.Errorf("a second owner gets %v", err)
	}
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	again, err := store.AcquireLock(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Release(); err != nil {
		t.Fatal(err)
	}
}
