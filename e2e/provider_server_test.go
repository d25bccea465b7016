package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"assent/internal/llm/llmtest"
)

// The installation that talks to a provider.
const (
	adminEmail    = "ada@example.org"
	adminPassword = "correct horse battery"
	secretKey     = "sk-live-4711-nobody-may-read-this"
	modelName     = "model-x1"
	// micro-dollars per million tokens
	priceIn, priceOut = 200_000, 1_000_000
)

// install is the real binary with a provider, used by API and by pages.
type install struct {
	t    *testing.T
	dir  string
	env  []string
	cmd  *exec.Cmd
	log  *safeBuffer
	url  string
	http *http.Client // signed in as the admin
	key  string       // API token with all scopes
}

// safeBuffer collects what a process writes.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// providerEnv points the product at a fake of the provider.
func providerEnv(provider, baseURL string) []string {
	prices := fmt.Sprintf(`{"prices":{%q:{"in":%d,"out":%d}}}`, modelName, priceIn, priceOut)
	if provider == "gemini" {
		return []string{"ASSENT_LLM_PROVIDER=gemini", "GEMINI_API_KEY=" + secretKey, "ASSENT_GEMINI_BASE_URL=" + baseURL,
			"ASSENT_GEMINI_MODEL=" + modelName, "ASSENT_MODELS=" + prices}
	}
	return []string{"ASSENT_LLM_PROVIDER=openai", "OPENAI_API_KEY=" + secretKey, "ASSENT_OPENAI_BASE_URL=" + baseURL,
		"ASSENT_OPENAI_MODEL=" + modelName, "ASSENT_MODELS=" + prices}
}

// fakeProvider starts a fake that refuses every key but ours.
func fakeProvider(t *testing.T, provider string, scripts ...llmtest.Script) *llmtest.Server {
	t.Helper()
	if provider == "gemini" {
		return llmtest.NewGemini(t, scripts...).RequireKey(secretKey)
	}
	return llmtest.NewOpenAI(t, scripts...).RequireKey(secretKey)
}

// setUpInstall starts the product and signs its admin in.
func setUpInstall(t *testing.T, env []string) *install {
	t.Helper()
	in := &install{t: t, dir: t.TempDir(), env: env, log: &safeBuffer{}}
	in.start()
	t.Cleanup(in.kill)
	in.key = in.command("token", "create", "--email", adminEmail, "--name", "e2e", "--scopes", "read,chat,approve,admin")
	in.signIn()
	return in
}

func (in *install) environment() []string {
	return append([]string{"HOME=" + in.dir, "ASSENT_DATA_DIR=" + filepath.Join(in.dir, "data"), "ASSENT_ADDR=127.0.0.1:0",
		"ASSENT_ADMIN_EMAIL=" + adminEmail, "ASSENT_ADMIN_PASSWORD=" + adminPassword}, in.env...)
}

func (in *install) start() {
	in.t.Helper()
	cmd := exec.Command(binary)
	cmd.Dir, cmd.Env, cmd.Stderr = in.dir, in.environment(), in.log
	out, err := cmd.StdoutPipe()
	if err != nil {
		in.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		in.t.Fatal(err)
	}
	in.cmd, in.url = cmd, ""
	said := make(chan string, 1)
	go func() {
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			fmt.Fprintln(in.log, lines.Text())
			if at, ok := strings.CutPrefix(lines.Text(), "Assent is at "); ok {
				said <- at
			}
		}
		close(said)
	}()
	select {
	case in.url = <-said:
	case <-time.After(patience):
	}
	if in.url == "" {
		in.kill()
		in.t.Fatalf("the server does not start:\n%s", in.log)
	}
	in.ready()
}

// ready waits until what a former process left has been seen to.
func (in *install) ready() {
	in.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); {
		if resp, err := http.Get(in.url + "/readyz"); err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return
			}
		}
	}
	in.t.Fatalf("the server does not get ready:\n%s", in.log)
}

// kill ends the process without a chance to tidy up.
func (in *install) kill() {
	if in.cmd == nil {
		return
	}
	_ = in.cmd.Process.Kill() // it may be gone already
	_ = in.cmd.Wait()         // killed, so it did not end well
	in.cmd = nil
}

func (in *install) command(args ...string) string {
	in.t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Dir, cmd.Env = in.dir, in.environment()
	out, err := cmd.Output()
	if err != nil {
		in.t.Fatalf("%v: %v", args, err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[len(lines)-1]
}

var csrfField = regexp.MustCompile(`name="csrf" value="([^"]+)"`)

// signIn does what the login page does.
func (in *install) signIn() {
	in.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		in.t.Fatal(err)
	}
	in.http = &http.Client{Jar: jar}
	token := csrfField.FindStringSubmatch(in.page("/login"))
	if token == nil {
		in.t.Fatal("the login page has no form")
	}
	resp, err := in.http.PostForm(in.url+"/login", url.Values{"csrf": {token[1]}, "email": {adminEmail}, "password": {adminPassword}})
	if err != nil {
		in.t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK || strings.Contains(resp.Request.URL.Path, "login") {
		in.t.Fatalf("signing in leads to %s with %s", resp.Request.URL.Path, resp.Status)
	}
}

// page gives the HTML of a page.
func (in *install) page(path string) string {
	in.t.Helper()
	resp, err := in.http.Get(in.url + path)
	if err != nil {
		in.t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		in.t.Fatalf("%s gives %s, %v", path, resp.Status, err)
	}
	return string(b)
}

// call makes an API request and reads its JSON into out; it gives the raw body.
func (in *install) call(method, path string, body, out any) string {
	in.t.Helper()
	b, err := json.Marshal(body)
	if err != nil {
		in.t.Fatal(err)
	}
	req, err := http.NewRequest(method, in.url+"/api/v1"+path, bytes.NewReader(b))
	if err != nil {
		in.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+in.key)
	req.Header.Set("Content-Type", "application/json")
	resp, err := (&http.Client{Timeout: time.Minute}).Do(req)
	if err != nil {
		in.t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode >= 300 {
		in.t.Fatalf("%s %s gives %s: %s %v", method, path, resp.Status, raw, err)
	}
	if out != nil {
		if err := json.Unmarshal(raw, out); err != nil {
			in.t.Fatalf("%s %s: %v\n%s", method, path, err, raw)
		}
	}
	return string(raw)
}

// turnView is a turn as the API shows it.
type turnView struct {
	ID, Status string
	Error      *struct{ Code, Message string }
	Usage      struct {
		Calls      int64  `json:"calls"`
		TokensIn   int64  `json:"tokens_in"`
		TokensOut  int64  `json:"tokens_out"`
		CostMicros *int64 `json:"cost_micros"`
	}
}

// conversation opens a conversation.
func (in *install) conversation(contextType string) string {
	in.t.Helper()
	var s struct{ ID string }
	in.call("POST", "/sessions", map[string]any{"context_type": contextType}, &s)
	return s.ID
}

// say sends a message, waits for the end of what it set off and gives its turn.
func (in *install) say(session, words string) turnView {
	in.t.Helper()
	var sent struct {
		TurnID string `json:"turn_id"`
	}
	in.call("POST", "/sessions/"+session+"/messages", map[string]any{"content": words}, &sent)
	in.events(session)
	var turn turnView
	in.call("GET", "/turns/"+sent.TurnID, nil, &turn)
	return turn
}

// events waits until nothing is under way and gives the whole stream.
func (in *install) events(session string) string {
	in.t.Helper()
	return in.callRaw("/sessions/" + session + "/events?until=done")
}

func (in *install) callRaw(path string) string {
	in.t.Helper()
	return in.call("GET", path, nil, nil)
}

// leaks looks for the provider's key wherever it could have come to rest.
func (in *install) leaks(session string) {
	in.t.Helper()
	seen := map[string]string{"the events": in.events(session), "the log": in.log.String()}
	for _, path := range []string{"/sessions/" + session, "/admin/errors", "/admin/models", "/admin/tools", "/admin/secrets", "/admin/usage?group_by=provider,error_class"} {
		seen["the API at "+path] = in.callRaw(path)
	}
	for _, path := range []string{"/chat/" + session, "/admin/errors", "/admin/usage", "/admin/models", "/admin/secrets"} {
		seen["the page "+path] = in.page(path)
	}
	err := filepath.WalkDir(in.dir, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // a temporary file that is gone
		}
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		seen["the file "+filepath.Base(path)] = string(b)
		return err
	})
	if err != nil {
		in.t.Error(err)
	}
	for where, text := range seen {
		if strings.Contains(text, secretKey) {
			in.t.Errorf("the key stands in %s", where)
		}
		if text == "" && !strings.HasPrefix(where, "the file") && where != "the log" {
			in.t.Errorf("%s is empty", where)
		}
	}
}
