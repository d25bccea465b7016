package e2e

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// binary is the product, built once for all tests.
var binary string

func TestMain(m *testing.M) { os.Exit(runAll(m)) }

func runAll(m *testing.M) int {
	dir, err := os.MkdirTemp("", "assent-e2e-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	defer closeBrowser()
	binary = filepath.Join(dir, "assent")
	if out, err := exec.Command("go", "build", "-o", binary, "assent/cmd/web").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "the product does not build: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// server is one installation, with a data directory of its own.
type server struct {
	t    *testing.T
	dir  string
	addr string // host:port, the same after every start
	url  string
	cmd  *exec.Cmd
}

func startServer(t *testing.T) *server {
	t.Helper()
	s := &server{t: t, dir: t.TempDir(), addr: "127.0.0.1:0"}
	s.start()
	t.Cleanup(s.kill)
	return s
}

// start starts the binary and waits until it says where it is.
func (s *server) start() {
	s.t.Helper()
	cmd := exec.Command(binary)
	cmd.Dir = s.dir // no .env of anybody's
	cmd.Env = []string{"ASSENT_DATA_DIR=" + filepath.Join(s.dir, "data"), "ASSENT_ADDR=" + s.addr, "ASSENT_LLM_PROVIDER=offline", "HOME=" + s.dir}
	var log strings.Builder
	cmd.Stderr = &log
	out, err := cmd.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.cmd = cmd
	said := make(chan string, 1)
	go func() {
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			if at, ok := strings.CutPrefix(lines.Text(), "Assent is at "); ok {
				said <- at
			}
		}
		close(said)
	}()
	select {
	case s.url = <-said:
	case <-time.After(patience):
	}
	if s.url == "" {
		s.kill()
		s.t.Fatalf("the server does not start:\n%s", log.String())
	}
	s.addr = strings.TrimPrefix(s.url, "http://")
}

// kill ends the server without a chance to tidy up.
func (s *server) kill() {
	if s.cmd == nil {
		return
	}
	_ = s.cmd.Process.Kill() // it may be gone already
	_ = s.cmd.Wait()         // killed, so it did not end well
	s.cmd = nil
}
