package main

import (
	"bytes"
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// invoke runs a command in this process.
func invoke(t *testing.T, dir string, in string, args ...string) (code int, out, errOut string) {
	t.Helper()
	var o, e bytes.Buffer
	code = run(context.Background(), args, []string{"ASSENT_DATA_DIR=" + dir}, strings.NewReader(in), &o, &e)
	return code, o.String(), e.String()
}

func TestCommands(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	for _, tc := range []struct {
		name, in string
		args     []string
		code     int
		out, err string
	}{
		{"version", "", []string{"version"}, 0, "assent dev", ""},
		{"help", "", []string{"help"}, 0, "assent backup FILE", ""},
		{"help config", "", []string{"help", "config"}, 0, "ASSENT_DATA_DIR", ""},
		{"an unknown command", "", []string{"frobnicate"}, 2, "", "no command"},
		{"a bad setting", "", []string{"--addr", "nowhere"}, 1, "", "ASSENT_ADDR"},
		{"add a person", "correct horse battery\n", []string{"user", "add", "--email", "Ada@Example.org", "--name", "Ada", "--role", "admin", "--password-stdin"}, 0, "ada@example.org (admin)", ""},
		{"add them again", "correct horse battery\n", []string{"user", "add", "--email", "ada@example.org", "--name", "Ada", "--role", "admin", "--password-stdin"}, 1, "", "already"},
		{"a bad role", "", []string{"user", "add", "--email", "b@example.org", "--name", "B", "--role", "boss"}, 1, "", "/role"},
		{"a token", "", []string{"token", "create", "--email", "ada@example.org", "--name", "ci"}, 0, "\nast_", ""},
		{"a token for nobody", "", []string{"token", "create", "--email", "x@example.org", "--name", "ci"}, 1, "", "nobody"},
		{"a scope that is none", "", []string{"token", "create", "--email", "ada@example.org", "--name", "ci", "--scopes", "fly"}, 1, "", "Scopes are"},
		{"a one-time password", "", []string{"user", "password", "--email", "ada@example.org"}, 0, "One-time password", ""},
		{"doctor", "", []string{"doctor", "--live"}, 0, "offline/rules answers", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			code, out, errOut := invoke(t, dir, tc.in, tc.args...)
			if code != tc.code || !strings.Contains(out, tc.out) || !strings.Contains(errOut, tc.err) {
				t.Errorf("code %d, out %q, err %q", code, out, errOut)
			}
		})
	}
}

func TestBackupAndRestore(t *testing.T) {
	dir, file := filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "backup.db")
	add := func(email string) {
		t.Helper()
		if code, _, e := invoke(t, dir, "correct horse battery\n", "user", "add", "--email", email, "--name", "N", "--password-stdin"); code != 0 {
			t.Fatal(e)
		}
	}
	add("before@example.org")
	if code, _, e := invoke(t, dir, "", "backup", file); code != 0 {
		t.Fatal(e)
	}
	if code, _, e := invoke(t, dir, "", "backup", file); code == 0 || !strings.Contains(e, "exists") {
		t.Errorf("an existing file is overwritten: %d %s", code, e)
	}
	add("after@example.org")
	if code, _, e := invoke(t, dir, "", "restore", file); code != 0 {
		t.Fatal(e)
	}
	if code, _, _ := invoke(t, dir, "", "token", "create", "--email", "before@example.org", "--name", "x"); code != 0 {
		t.Error("who was in the backup is not there")
	}
	if code, _, _ := invoke(t, dir, "", "token", "create", "--email", "after@example.org", "--name", "x"); code == 0 {
		t.Error("who came after the backup is still there")
	}
	if code, _, e := invoke(t, dir, "", "restore", "commands_test.go"); code == 0 || !strings.Contains(e, "not restored") {
		t.Errorf("a file that is no database: %d %s", code, e)
	}
}

func TestASecondServerIsRefusedAndTheFirstEndsCleanly(t *testing.T) {
	s := buildServer(t)
	s.start()
	second := exec.Command(s.bin)
	second.Env, second.Dir = s.env(), t.TempDir()
	out, err := second.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "in use by another server (process ") {
		t.Errorf("the second server said %q, %v", out, err)
	}
	restoring := exec.Command(s.bin, "restore", "x")
	restoring.Env, restoring.Dir = s.env(), t.TempDir()
	if out, err := restoring.CombinedOutput(); err == nil || !strings.Contains(string(out), "in use") {
		t.Errorf("restore beside a server said %q, %v", out, err)
	}
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- s.cmd.Wait() }()
	select {
	case err := <-done:
		if err != nil {
			t.Errorf("the server ended with %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Error("the server did not end within 10 s")
	}
	s.cmd = exec.Command("true") // for the clean-up
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
}
