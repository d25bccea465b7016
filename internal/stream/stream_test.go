package stream_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/internal/stream"

	"github.com/google/uuid"
)

// bench is a store with one session behind a server of its event stream.
type bench struct {
	*store.Store
	hub     *stream.Hub
	session string
	url     string
	gone    atomic.Bool // the reader may read no longer
}

func setup(t testing.TB, o stream.Options) *bench {
	t.Helper()
	s, err := store.Open(context.Background(), t.TempDir(), store.Options{Clock: time.Now, IDs: func() string { return uuid.Must(uuid.NewV7()).String() }})
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{Store: s, hub: stream.NewHub(s, o), session: s.NewID()}
	user := s.NewID()
	if err := s.Write(context.Background(), func(tx *store.Tx) error {
		if err := tx.CreatePerson(assent.Person{ID: user, Email: "a@example.org", Name: "A", Role: assent.RoleMember, TimeZone: "UTC", Locale: "en"}, "x"); err != nil {
			return err
		}
		return tx.CreateSession(assent.Session{ID: b.session, UserID: user, ContextType: assent.ContextGeneral})
	}); err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		after, ok := stream.After(r)
		if !ok {
			http.Error(w, "after", http.StatusBadRequest)
			return
		}
		err := b.hub.Serve(w, r, b.session, func(ctx context.Context) (stream.Feed, error) {
			sess, err := s.FindSession(ctx, b.session)
			return stream.Feed{LastSeq: sess.LastSeq, After: after, UntilDone: r.URL.Query().Get("until") == "done", Renderer: stream.JSON{},
				Still: func(context.Context) bool { return !b.gone.Load() }}, err
		})
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
		}
	}))
	b.url = srv.URL
	t.Cleanup(func() { b.hub.Close(); srv.Close(); s.Close() })
	return b
}

func (b *bench) write(t testing.TB, n int) {
	t.Helper()
	if err := b.Write(context.Background(), func(tx *store.Tx) error {
		for range n {
			if _, err := tx.Append(b.session, "turn", assent.Text{Delta: "line\nwith\r\nbreaks"}); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// frame is one SSE frame as a client reads it.
type frame struct {
	id          int64
	event, data string
}

// read gives frames until the stream ends, fn says stop or ctx does.
func read(r io.Reader, fn func(frame) bool) error {
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, 1<<20)
	var f frame
	for sc.Scan() {
		line := sc.Text()
		switch {
		case line == "":
			if f.event != "" && !fn(f) {
				return nil
			}
			f = frame{}
		case strings.HasPrefix(line, "id: "):
			f.id, _ = strconv.ParseInt(line[4:], 10, 64)
		case strings.HasPrefix(line, "event: "):
			f.event = line[7:]
		case strings.HasPrefix(line, "data: "):
			f.data += line[6:]
		}
	}
	return sc.Err()
}

func (b *bench) get(ctx context.Context, query string, lastID int64) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, "GET", b.url+query, nil)
	if err != nil {
		return nil, err
	}
	if lastID > 0 {
		req.Header.Set("Last-Event-ID", strconv.FormatInt(lastID, 10))
	}
	return http.DefaultClient.Do(req)
}

func TestReplayThenFollow(t *testing.T) {
	b := setup(t, stream.Options{})
	b.write(t, 600)
	for _, tc := range []struct {
		query  string
		lastID int64
		first  int64
	}{{"/?after=0", 0, 1}, {"/", 0, 1}, {"/?after=10", 0, 11}, {"/?after=10", 300, 301}, {"/?after=300", 10, 301}, {"/?after=600", 0, 601}} {
		t.Run(fmt.Sprint(tc), func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			resp, err := b.get(ctx, tc.query, tc.lastID)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			s, err := b.FindSession(ctx, b.session)
			if err != nil {
				t.Fatal(err)
			}
			b.write(t, 3)
			want, end := tc.first, s.LastSeq+3
			err = read(resp.Body, func(f frame) bool {
				if f.id != want || f.event != "text" || !strings.Contains(f.data, `"delta":"line\nwith\r\nbreaks"`) {
					t.Errorf("got %+v, want seq %d", f, want)
				}
				want++
				return f.id < end
			})
			if err != nil || want != end+1 {
				t.Errorf("ended before %d: at %d, error %v", end, want, err)
			}
		})
	}
}

func TestPositionsThatAreGoneAreAnsweredWithReset(t *testing.T) {
	b := setup(t, stream.Options{})
	b.write(t, 5)
	if err := b.PruneEvents(t.Context(), b.Now()+1); err != nil {
		t.Fatal(err)
	}
	b.write(t, 2)
	for query, event := range map[string]string{"/?after=2": "reset", "/?after=99": "reset", "/?after=5&until=done": "text"} {
		resp, err := b.get(t.Context(), query, 0)
		if err != nil {
			t.Fatal(err)
		}
		var got []frame
		if err := read(resp.Body, func(f frame) bool { got = append(got, f); return true }); err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if len(got) == 0 || got[0].event != event {
			t.Errorf("%s: got %+v, want %s", query, got, event)
		}
		if event == "reset" && (len(got) != 1 || !strings.Contains(got[0].data, `"last_seq":7`)) {
			t.Errorf("%s: got %+v, want one reset to 7", query, got)
		}
	}
}

func TestUntilDoneEndsOnceNoTurnIsOpen(t *testing.T) {
	b := setup(t, stream.Options{})
	turn := assent.Turn{ID: b.NewID(), SessionID: b.session, Kind: assent.TurnMessage, Status: assent.TurnRunning}
	if err := b.Write(t.Context(), func(tx *store.Tx) error { return tx.CreateTurn(turn, "") }); err != nil {
		t.Fatal(err)
	}
	resp, err := b.get(t.Context(), "/?until=done", 0)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b.write(t, 3)
	if err := b.Write(t.Context(), func(tx *store.Tx) error {
		if _, err := tx.EndTurn(turn.ID, assent.TurnCompleted, assent.Usage{}, nil); err != nil {
			return err
		}
		_, err := tx.Append(b.session, turn.ID, assent.Done{Status: assent.TurnCompleted})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	var last frame
	if err := read(resp.Body, func(f frame) bool { last = f; return true }); err != nil {
		t.Fatal(err)
	}
	if last.event != "done" || last.id != 4 {
		t.Errorf("the stream ended with %+v, want done at 4", last)
	}
}

// A stream ends when its reader may read no longer.
func TestReadersWhoMayNoLongerReadAreEnded(t *testing.T) {
	b := setup(t, stream.Options{Heartbeat: 5 * time.Millisecond})
	resp, err := http.Get(b.url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b.gone.Store(true)
	if _, err := io.ReadAll(resp.Body); err != nil {
		t.Errorf("the stream ended with %v", err)
	}
}

func TestHeartbeats(t *testing.T) {
	b := setup(t, stream.Options{Heartbeat: 10 * time.Millisecond})
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	resp, err := b.get(ctx, "/", 0)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	line, err := bufio.NewReader(resp.Body).ReadString('\n')
	if err != nil || line != ": hb\n" {
		t.Errorf("got %q, %v: want a comment", line, err)
	}
}

// TestForcedReconnects cuts every connection again and again while events are
// written: nobody may miss one or see one twice.
func TestForcedReconnects(t *testing.T) {
	const clients, total, cuts = 10, 2000, 20
	b := setup(t, stream.Options{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for range total / 10 {
			b.write(t, 10)
			time.Sleep(time.Millisecond)
		}
	})
	for c := range clients {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(c), 1))
			seen, reconnects := int64(0), 0
			for seen < total {
				ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
				resp, err := b.get(ctx, "/", seen)
				if err != nil {
					t.Error(err)
					cancel()
					return
				}
				stop := seen + 1 + rng.Int64N(2*total/cuts)
				err = read(resp.Body, func(f frame) bool {
					if f.id != seen+1 {
						t.Errorf("client %d: got %d after %d", c, f.id, seen)
					}
					seen = f.id
					return seen < stop && seen < total
				})
				if err != nil {
					t.Error(err)
				}
				cancel()
				resp.Body.Close()
				reconnects++
			}
			if reconnects < cuts/2 {
				t.Errorf("client %d reconnected %d times only", c, reconnects)
			}
		})
	}
	wg.Wait()
	eventually(t, "connections are forgotten", func() bool { return b.hub.Connections() == 0 })
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Errorf("not within 10 s: %s", what)
}

// TestASlowClientIsDroppedAndDelaysNobody opens a connection that never reads.
func TestASlowClientIsDroppedAndDelaysNobody(t *testing.T) {
	b := setup(t, stream.Options{WriteTimeout: 300 * time.Millisecond})
	conn, err := net.Dial("tcp", strings.TrimPrefix(b.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.(*net.TCPConn).SetReadBuffer(1 << 10); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	eventually(t, "the slow client is connected", func() bool { return b.hub.Connections() == 1 })
	big := strings.Repeat("x", 64<<10)
	start := time.Now()
	for range 200 {
		if err := b.Write(t.Context(), func(tx *store.Tx) error { _, err := tx.Append(b.session, "", assent.Text{Delta: big}); return err }); err != nil {
			t.Fatal(err)
		}
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("200 writes took %s beside a slow client", took)
	}
	resp, err := b.get(t.Context(), "/?until=done", 0)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	n := int64(0)
	if err := read(resp.Body, func(f frame) bool { n++; return f.id == n }); err != nil || n != 200 {
		t.Errorf("the fast client got %d of 200, error %v", n, err)
	}
	eventually(t, "the slow client is dropped", func() bool { return b.hub.Connections() == 0 })
}

func TestCloseEndsEveryConnectionAndRefusesNewOnes(t *testing.T) {
	b := setup(t, stream.Options{})
	resp, err := b.get(t.Context(), "/", 0)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b.hub.Close()
	if err := read(resp.Body, func(frame) bool { return true }); err != nil {
		t.Errorf("the stream ended with %v", err)
	}
	again, err := b.get(t.Context(), "/", 0)
	if err != nil {
		t.Fatal(err)
	}
	again.Body.Close()
	if again.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("a new connection got %d", again.StatusCode)
	}
}

// FuzzFraming holds that whatever text an event carries, a client reads exactly
// one frame with exactly that text: nothing can pose as a frame of its own.
func FuzzFraming(f *testing.F) {
	b := setup(f, stream.Options{})
	for _, s := range []string{"plain", "\n\nevent: evil\ndata: x\n\n", "a\revent: evil", ": comment", "\r\n\r\n", "id: 9", "\u2028", "data:"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var seq int64
		if err := b.Write(t.Context(), func(tx *store.Tx) (err error) {
			seq, err = tx.Append(b.session, "", assent.Text{Delta: text})
			return err
		}); err != nil {
			t.Fatal(err)
		}
		resp, err := b.get(t.Context(), fmt.Sprintf("/?after=%d&until=done", seq-1), 0)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		events, err := b.Events(t.Context(), b.session, seq-1, 1)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		if err := read(resp.Body, func(fr frame) bool {
			n++
			if fr.id != seq || fr.event != "text" || fr.data != string(events[0].Data) {
				t.Errorf("got %+v for %q", fr, text)
			}
			return true
		}); err != nil || n != 1 {
			t.Errorf("%d frames for %q, error %v", n, text, err)
		}
	})
}

// BenchmarkReconnects forces reconnects over a log of 10,000 events, each of
// which replays what it missed.
func BenchmarkReconnects(b *testing.B) {
	s := setup(b, stream.Options{})
	for range 100 {
		s.write(b, 100)
	}
	b.ResetTimer()
	for i := range b.N {
		from := int64(i*37) % 9_900
		resp, err := s.get(context.Background(), "/", from)
		if err != nil {
			b.Fatal(err)
		}
		want := from + 1
		if err := read(resp.Body, func(f frame) bool {
			if f.id != want {
				b.Fatalf("got %d, want %d", f.id, want)
			}
			want++
			return f.id < from+100
		}); err != nil {
			b.Fatal(err)
		}
		resp.Body.Close()
	}
}
