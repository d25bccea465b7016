package main

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"assent/internal/store"
)

// shell runs commands over one data directory.
type shell struct {
	t   *testing.T
	dir string
	env []string
}

func newShell(t *testing.T) *shell {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	return &shell{t: t, dir: dir, env: []string{"ASSENT_DATA_DIR=" + dir, "ASSENT_ADDR=127.0.0.1:1", "ASSENT_LLM_PROVIDER=offline"}}
}

// run gives what a command printed, and fails unless its exit code is want.
func (s *shell) run(want int, in string, args ...string) (out, errOut string) {
	s.t.Helper()
	var o, e bytes.Buffer
	if code := run(s.t.Context(), args, s.env, strings.NewReader(in), &o, &e); code != want {
		s.t.Fatalf("assent %s ends with %d, want %d: %s%s", strings.Join(args, " "), code, want, o.String(), e.String())
	}
	return o.String(), e.String()
}

func lastLine(s string) string {
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	return lines[len(lines)-1]
}

func TestCommandsSayHowTheyAreCalled(t *testing.T) {
	t.Parallel()
	s := newShell(t)
	for name, tc := range map[string]struct {
		args []string
		code int
		says string
	}{
		"no such command":       {[]string{"fly"}, 2, "assent help"},
		"half a command":        {[]string{"token"}, 2, "token create --email"},
		"no address":            {[]string{"token", "create", "--name", "ci"}, 2, "--email"},
		"an unknown flag":       {[]string{"token", "create", "--colour", "red"}, 1, "colour"},
		"words after flags":     {[]string{"user", "password", "--email", "a@example.org", "now"}, 2, "now"},
		"no file":               {[]string{"backup"}, 2, "backup FILE"},
		"two files":             {[]string{"restore", "a", "b"}, 2, "restore FILE"},
		"a command to no users": {[]string{"user", "fly"}, 2, "user add"},
		"serving a word":        {[]string{"serve", "now"}, 2, "flags only"},
		"a bad setting":         {[]string{"doctor", "--plan-max-steps", "many"}, 1, "ASSENT_PLAN_MAX_STEPS"},
		"help on nonsense":      {[]string{"help", "me"}, 2, "help config"},
		"nobody":                {[]string{"user", "password", "--email", "eve@example.org"}, 1, "eve@example.org"},
	} {
		t.Run(name, func(t *testing.T) {
			shell := *s
			shell.t = t
			if _, got := shell.run(tc.code, "", tc.args...); !strings.Contains(got, tc.says) {
				t.Errorf("it says %q, want %q in it", got, tc.says)
			}
		})
	}
}

func TestHelpAndVersion(t *testing.T) {
	t.Parallel()
	s := newShell(t)
	for _, args := range [][]string{{"help"}, {"--help"}, {"-h"}} {
		out, _ := s.run(0, "", args...)
		for name := range commands() {
			if name != "serve" && !strings.Contains(out, "assent "+name) {
				t.Errorf("assent %s does not tell of %s", args[0], name)
			}
		}
	}
	if out, _ := s.run(0, "", "help", "config"); !strings.Contains(out, "`ASSENT_ADDR`") {
		t.Errorf("help config prints %q", out)
	}
	if out, _ := s.run(0, "", "version"); out != "assent dev\n" {
		t.Errorf("version prints %q", out)
	}
	if _, err := os.Stat(s.dir); err == nil {
		t.Error("help makes a data directory")
	}
}

func TestPeopleAndTokensFromTheCommandLine(t *testing.T) {
	t.Parallel()
	s := newShell(t)
	if _, e := s.run(1, "short\n", "user", "add", "--email", "ada@example.org", "--name", "Ada", "--role", "admin", "--password-stdin"); !strings.Contains(e, "10 characters") {
		t.Errorf("a short password: %q", e)
	}
	out, _ := s.run(0, "a good long password\r\n", "user", "add", "--password-stdin", "--email", "ada@example.org", "--name=Ada", "--role", "admin")
	if strings.Contains(out, "password") {
		t.Errorf("a password that was given is spoken of: %q", out)
	}
	out, _ = s.run(0, "", "user", "add", "--email", "bo@example.org", "--name", "Bo", "--role", "member")
	if len(lastLine(out)) != 16 {
		t.Errorf("the one-time password is %q", lastLine(out))
	}
	out, _ = s.run(0, "", "user", "password", "--email", "BO@example.org")
	if len(lastLine(out)) != 16 {
		t.Errorf("the new one-time password is %q", lastLine(out))
	}
	if _, e := s.run(1, "", "user", "add", "--email", "bo@example.org", "--name", "Bo"); !strings.Contains(e, "already") {
		t.Errorf("an address that is taken: %q", e)
	}
	out, _ = s.run(0, "", "token", "create", "--email", "ada@example.org", "--name", "ci", "--scopes", "read, chat,approve,admin")
	if !regexp.MustCompile(`^ast_[A-Z2-7]{26}$`).MatchString(lastLine(out)) {
		t.Errorf("the last line is %q", lastLine(out))
	}
	if _, e := s.run(1, "", "token", "create", "--email", "bo@example.org", "--name", "ci", "--scopes", "admin"); !strings.Contains(e, "admin") {
		t.Errorf("a member's admin token: %q", e)
	}
	if _, e := s.run(1, "", "token", "create", "--email", "bo@example.org", "--name", "ci", "--scopes", "root"); !strings.Contains(e, "read, chat, approve and admin") {
		t.Errorf("an unknown scope: %q", e)
	}
}

func TestBackupAndRestoreFromTheCommandLine(t *testing.T) {
	t.Parallel()
	s := newShell(t)
	file := filepath.Join(t.TempDir(), "backup.db")
	if _, e := s.run(1, "", "backup", file); !strings.Contains(e, "nothing to back up") {
		t.Errorf("backing up nothing: %q", e)
	}
	s.run(0, "a good long password", "user", "add", "--email", "ada@example.org", "--name", "Ada", "--role", "admin", "--password-stdin")
	s.run(0, "", "backup", file, "--plan-max-steps", "5") // flags may follow
	s.run(0, "", "user", "add", "--email", "bo@example.org", "--name", "Bo")
	lock, err := store.AcquireLock(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, e := s.run(1, "", "restore", file); !strings.Contains(e, "in use") {
		t.Errorf("restoring under a server: %q", e)
	}
	s.run(0, "", "backup", file+"2") // beside a server
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	if out, _ := s.run(0, "", "restore", file); !strings.Contains(out, "kept as") {
		t.Errorf("restoring prints %q", out)
	}
	if out, _ := s.run(0, "", "doctor"); !strings.Contains(out, "sound; 1 accounts") {
		t.Errorf("after restoring: %q", out)
	}
}

func TestDoctorChangesNothing(t *testing.T) {
	t.Parallel()
	s := newShell(t)
	out, _ := s.run(0, "", "doctor", "--live")
	for _, want := range []string{"provider offline", "no data", "no server answers on 127.0.0.1:1", "offline/rules answers"} {
		if !strings.Contains(out, want) {
			t.Errorf("doctor prints %q, want %q in it", out, want)
		}
	}
	if _, err := os.Stat(s.dir); err == nil {
		t.Error("doctor makes a data directory")
	}
	s.run(1, "", "doctor", "--health")
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.dir, store.FileName), bytes.Repeat([]byte("no database "), 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, e := s.run(1, "", "doctor"); !strings.Contains(e, "no sound database") {
		t.Errorf("a damaged file: %q", e)
	}
}

// lines collects what a server prints while it runs.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func TestServeUntilToldToStop(t *testing.T) {
	t.Parallel()
	s := newShell(t)
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := free.Addr().String()
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	out, errOut := &lines{}, &lines{}
	ended := make(chan int, 1)
	env := append([]string{"ASSENT_NONSENSE=1"}, s.env...)
	go func() { ended <- run(ctx, []string{"--addr", addr}, env, strings.NewReader(""), out, errOut) }()
	ready := func() bool {
		resp, err := http.Get("http://" + addr + "/readyz")
		if err != nil {
			return false
		}
		defer resp.Body.Close()
		_, err = io.Copy(io.Discard, resp.Body)
		return err == nil && resp.StatusCode == http.StatusOK
	}
	for deadline := time.Now().Add(20 * time.Second); !ready(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("never ready: %s %s", out, errOut)
		}
	}
	if !strings.Contains(out.String(), "http://"+addr) || strings.Contains(out.String(), "One-time code") {
		t.Errorf("it prints %q", out)
	}
	if !strings.Contains(errOut.String(), "ASSENT_NONSENSE is no setting") {
		t.Errorf("an unknown name is not told: %q", errOut)
	}
	// Other commands work beside it; a second server does not.
	s.run(0, "", "user", "add", "--email", "ada@example.org", "--name", "Ada", "--role", "admin")
	s.run(0, "", "doctor", "--health", "--addr", addr)
	if _, e := s.run(1, "", "--addr", "127.0.0.1:0"); !strings.Contains(e, "in use by another server") {
		t.Errorf("a second server: %q", e)
	}
	stop()
	select {
	case code := <-ended:
		if code != 0 {
			t.Errorf("it ends with %d: %s", code, errOut)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("it does not end")
	}
	s.run(0, "", "backup", filepath.Join(t.TempDir(), "b.db"))
}

// TestErrorsAreSaidOnceAndNameTheirSetting: nothing twice, and the setting to change.
func TestErrorsAreSaidOnceAndNameTheirSetting(t *testing.T) {
	t.Parallel()
	s := newShell(t)
	s.run(0, "", "user", "add", "--email", "ada@example.org", "--name", "Ada")
	_, again := s.run(1, "", "user", "add", "--email", "ada@example.org", "--name", "Ada")
	if strings.Count(again, "has that e-mail address already") != 1 {
		t.Errorf("said: %s", again)
	}
	_, both := s.run(1, "", "user", "add", "--email", "nobody", "--name", "Ada", "--role", "king")
	if strings.Count(both, "no e-mail address") != 1 || !strings.Contains(both, "/role: Must be member or admin.") {
		t.Errorf("said: %s", both)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"serve"}, {"user", "add", "--email", "bob@example.org", "--name", "Bob"}} {
		s.env = []string{"ASSENT_DATA_DIR=" + file, "ASSENT_ADDR=127.0.0.1:0", "ASSENT_LLM_PROVIDER=offline"}
		if _, said := s.run(1, "", args...); !strings.Contains(said, file) || !strings.Contains(said, "ASSENT_DATA_DIR") {
			t.Errorf("%v: %s", args, said)
		}
	}
	s.env = append(s.env, `ASSENT_MODELS={"profiles":{"fast":[]}}`)
	if _, said := s.run(1, "", "serve"); strings.Count(said, "is not a field") != 1 || !strings.HasPrefix(said, "assent: ASSENT_MODELS ") {
		t.Errorf("says: %s", said)
	}
}
