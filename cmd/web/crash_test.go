package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// server is the real binary on a data directory, to be killed and started again.
type server struct {
	t          *testing.T
	bin, dir   string
	cmd        *exec.Cmd
	url, token string
}

func buildServer(t *testing.T) *server {
	t.Helper()
	dir := t.TempDir()
	s := &server{t: t, bin: filepath.Join(dir, "assent"), dir: filepath.Join(dir, "data")}
	if out, err := exec.Command("go", "build", "-o", s.bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("building: %v\n%s", err, out)
	}
	t.Cleanup(func() {
		if s.cmd != nil {
			s.kill()
		}
	})
	return s
}

func (s *server) env() []string {
	return append(os.Environ(), "ASSENT_DATA_DIR="+s.dir, "ASSENT_ADDR=127.0.0.1:0", "ASSENT_LLM_PROVIDER=offline",
		"ASSENT_ADMIN_EMAIL=ada@example.org", "ASSENT_ADMIN_PASSWORD=correct horse battery")
}

func (s *server) start() {
	s.t.Helper()
	s.cmd = exec.Command(s.bin)
	s.cmd.Env, s.cmd.Stderr, s.cmd.Dir = s.env(), os.Stderr, s.t.TempDir()
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		s.t.Fatalf("the server did not start: %v", err)
	}
	s.url = strings.TrimSpace(strings.TrimPrefix(line, "Assent is at "))
	go io.Copy(io.Discard, out)
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if resp, err := http.Get(s.url + "/readyz"); err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return
			}
		}
	}
	s.t.Fatal("the server was not ready within 10 s")
}

// kill ends the process as a power cut would end it: at once.
func (s *server) kill() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
	s.cmd = nil
}

func (s *server) command(args ...string) string {
	s.t.Helper()
	cmd := exec.Command(s.bin, args...)
	cmd.Env, cmd.Dir = s.env(), s.t.TempDir()
	out, err := cmd.Output()
	if err != nil {
		s.t.Fatalf("%v: %v", args, err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[len(lines)-1]
}

// call makes a request; a server that is being killed gives an error.
func (s *server) call(method, path string, body, out any) (int, error) {
	b, err := json.Marshal(body)
	if err != nil {
		return 0, err
	}
	req, err := http.NewRequest(method, s.url+"/api/v1"+path, bytes.NewReader(b))
	if err != nil {
		return 0, err
	}
	req.Header.Set("Authorization", "Bearer "+s.token)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	return resp.StatusCode, json.NewDecoder(resp.Body).Decode(out)
}

func (s *server) must(method, path string, body, out any) {
	s.t.Helper()
	if code, err := s.call(method, path, body, out); err != nil || code >= 300 {
		s.t.Fatalf("%s %s: %d, %v: %v", method, path, code, err, out)
	}
}

// settled waits until nothing is under way in a session and gives the types of
// its events, checking that the log has no gap.
func (s *server) settled(session string) []string {
	s.t.Helper()
	req, err := http.NewRequest("GET", s.url+"/api/v1/sessions/"+session+"/events?until=done", nil)
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+s.token)
	resp, err := (&http.Client{Timeout: 30 * time.Second}).Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	var types []string
	sc := bufio.NewScanner(resp.Body)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		data, ok := strings.CutPrefix(sc.Text(), "data: ")
		if !ok {
			continue
		}
		var ev struct {
			Seq  int
			Type string
		}
		if err := json.Unmarshal([]byte(data), &ev); err != nil {
			s.t.Fatal(err)
		}
		if types = append(types, ev.Type); ev.Seq != len(types) {
			s.t.Fatalf("event %d of session %s has seq %d", len(types), session, ev.Seq)
		}
	}
	if err := sc.Err(); err != nil {
		s.t.Fatal(err)
	}
	return types
}

type planView struct {
	ID, Status string
	Runs       []struct {
		Status string
		Steps  []struct{ Status, Tool string }
	}
}

// await polls a session's plan until it has ended.
func (s *server) await(session string) planView {
	s.t.Helper()
	var v struct{ Plans []planView }
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		s.must("GET", "/sessions/"+session, nil, &v)
		if len(v.Plans) == 1 && v.Plans[0].Status == "completed" {
			return v.Plans[0]
		}
	}
	s.t.Fatalf("the plan of session %s did not complete: %+v", session, v.Plans)
	return planView{}
}

// TestKillsLoseAndDoubleNothing kills the real process at random moments around
// an approval, at least 50 times, and holds that every approved plan runs to its
// end with each effect exactly once.
func TestKillsLoseAndDoubleNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("starts the server more than 50 times; -short was asked for")
	}
	const kills = 50
	s := buildServer(t)
	s.start()
	s.token = s.command("token", "create", "--email", "ada@example.org", "--name", "crash", "--scopes", "read,chat,approve")
	rng := rand.New(rand.NewPCG(7, 11))
	for i := range kills {
		session := s.draft(i)
		key := fmt.Sprintf("approve-%d", i)
		answered := make(chan error, 1)
		go func() {
			var out map[string]any
			code, err := s.call("POST", "/sessions/"+session+"/messages", map[string]any{"content": "looks good, run it", "idempotency_key": key}, &out)
			if err == nil && code != http.StatusAccepted {
				err = fmt.Errorf("status %d: %v", code, out)
			}
			answered <- err
		}()
		time.Sleep(time.Duration(rng.IntN(25_000)) * time.Microsecond)
		s.kill()
		<-answered
		s.start()
		// The answer may have been lost; the same key never makes a second turn.
		var out map[string]any
		s.must("POST", "/sessions/"+session+"/messages", map[string]any{"content": "looks good, run it", "idempotency_key": key}, &out)
		s.check(i, session)
	}
	var all struct{ Items []struct{ Name string } }
	s.must("GET", "/projects?limit=200", nil, &all)
	if len(all.Items) != kills {
		t.Errorf("%d projects after %d approved plans", len(all.Items), kills)
	}
}

// draft opens a session with a plan that waits.
func (s *server) draft(i int) string {
	s.t.Helper()
	var sess struct{ ID string }
	s.must("POST", "/sessions", map[string]any{"context_type": "general"}, &sess)
	var out map[string]any
	s.must("POST", "/sessions/"+sess.ID+"/messages", map[string]any{"content": fmt.Sprintf(
		`Set up the office move as a project called "Move number %d" by the end of March, but show me the plan first`, i)}, &out)
	s.settled(sess.ID)
	return sess.ID
}

func (s *server) check(i int, session string) {
	s.t.Helper()
	p := s.await(session)
	types := s.settled(session)
	if len(p.Runs) != 1 || p.Runs[0].Status != "completed" {
		s.t.Fatalf("kill %d: runs %+v", i, p.Runs)
	}
	for _, st := range p.Runs[0].Steps {
		if st.Status != "success" {
			s.t.Errorf("kill %d: step %s is %s", i, st.Tool, st.Status)
		}
	}
	ends := 0
	for _, typ := range types {
		if typ == "step_complete" {
			ends++
		}
	}
	if ends != len(p.Runs[0].Steps) {
		s.t.Errorf("kill %d: %d ends for %d steps: an effect was done twice or lost", i, ends, len(p.Runs[0].Steps))
	}
}
