package page_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"assent/internal/assent"
	"assent/internal/store"
)

func TestAFirstMessageBeginsAConversation(t *testing.T) {
	t.Parallel()
	s := newChatSite(t)
	b := s.as(s.ada)
	form := b.get("/chat").one("form#composer")
	page := b.submit(form, "content", "Set up the office move", "context", "project_create", "execution_mode", "draft_only")
	b.want(http.StatusOK)
	page.one("h1").says("Set up the office move")
	page.one(".said").says("Set up the office move")
	page.one(".agent").says("Noted: Set up the office move")
	if got := s.turns.sent[0]; got.Mode != assent.ModeDraftOnly || got.SessionID == "" {
		t.Errorf("sent %+v", got)
	}
	first := b.at
	b.submit(form, "content", "Set up the office move", "context", "project_create") // a double click
	if b.at != first || len(s.turns.sent) != 1 {
		t.Errorf("a repeated submit leads to %s (first %s) and sends %d messages", b.at, first, len(s.turns.sent))
	}
}

func TestAConversationCanBeAboutAProject(t *testing.T) {
	t.Parallel()
	s := newChatSite(t)
	w := s.project(s.ada, "Website relaunch")
	b := s.as(s.ada)
	form := b.get("/chat?context_type=project&entity_id=" + w.id).one("form#composer")
	page := b.submit(form, "content", "What is blocked?")
	page.one("a.about").says("Website relaunch")

	stranger := s.as(s.add("Bob", assent.RoleMember))
	form = stranger.get("/chat").one("form#composer")
	stranger.submit(form, "content", "What is blocked?", "context", "project:"+w.id)
	stranger.want(http.StatusNotFound)
	if len(s.turns.sent) != 1 {
		t.Error("somebody else's project was talked about")
	}
}

func TestMessagesComeByTheStreamOrByAPage(t *testing.T) {
	t.Parallel()
	s := newChatSite(t)
	id := s.session(s.ada, "Move")
	b := s.as(s.ada)
	form := b.get("/chat/" + id).one("form#composer")
	page := b.submit(form, "content", "Hello")
	b.want(http.StatusOK)
	page.one(".said").says("Hello")
	if got := *s.turns.sent[0].SeenSeq; got != 0 {
		t.Errorf("seen %d", got)
	}
	b.byScript()
	b.submit(page.one("form#composer"), "content", "Again")
	b.want(http.StatusNoContent)
	if got := *s.turns.sent[1].SeenSeq; got != 5 {
		t.Errorf("seen %d, want the page's position", got)
	}
}

func TestASuggestedReplyIsSentAsThePersonsWords(t *testing.T) {
	t.Parallel()
	s := newChatSite(t)
	id := s.session(s.ada, "Move")
	s.play(id, recorded(t, "drafted")...)
	b := s.as(s.ada)
	page := b.get("/chat/" + id)
	reply := page.one("article.plan").all("button.say")[0]
	if reply.attr("form") != "composer" || reply.attr("name") != "reply" {
		t.Fatal("the reply does not belong to the composer")
	}
	b.submit(page.one("form#composer"), "content", "a draft of something else", "reply", reply.attr("value"))
	if got := s.turns.sent[0].Content; got != "Looks good, run it" {
		t.Errorf("sent %q", got)
	}
}

func TestARefusedMessageIsKept(t *testing.T) {
	t.Parallel()
	s := newChatSite(t)
	id := s.session(s.ada, "Move")
	b := s.as(s.ada)
	s.turns.refuse = assent.Errorf(assent.CodeTooLarge, "A message may be at most 32 KB long. Nothing was sent.")
	form := b.submit(b.get("/chat/"+id).one("form#composer"), "content", "very long").one("form#composer")
	b.want(http.StatusRequestEntityTooLarge)
	form.says("at most 32 KB", "very long")
	b.submit(b.get("/chat").one("form#composer"), "content", "very long").one("form#composer").says("at most 32 KB", "very long")
	b.want(http.StatusRequestEntityTooLarge)
	if list, _, err := s.store.ListSessions(t.Context(), s.ada.ID, store.Page{}); err != nil || len(list) != 1 {
		t.Errorf("%d conversations, %v", len(list), err)
	}
	b.byScript()
	b.submit(form, "content", "very long").one(".notice").says("at most 32 KB")
	if strings.Contains(b.body, "<html") {
		t.Error("a whole page for htmx")
	}
}

func TestSomeoneElsesConversationIsNotThere(t *testing.T) {
	t.Parallel()
	s := newChatSite(t)
	id := s.session(s.ada, "Secret")
	ada := s.as(s.ada)
	ada.submit(ada.get("/chat/"+id).one("form#composer"), "content", "Mine")
	messages, err := s.store.ListMessages(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	b := s.as(s.add("Bob", assent.RoleAdmin))
	for _, path := range []string{"/chat/" + id, "/chat/" + id + "/events", "/chat/" + id + "/delete", "/chat/" + id + "/export.md", "/chat/" + id + "/export.json"} {
		b.get(path).silent("Secret", "Mine")
		b.want(http.StatusNotFound)
	}
	for _, path := range []string{"/chat/" + id + "/messages", "/chat/" + id + "/stop", "/chat/" + id + "/rename", "/chat/" + id + "/delete", "/messages/" + messages[0].ID + "/take-back"} {
		b.post(path, "content", "x", "title", "x")
		b.want(http.StatusNotFound)
	}
	if len(s.turns.sent) != 1 || len(s.turns.taken) != 0 {
		t.Error("something was done to it")
	}
}

func TestStopAndTakeBackReachTheTurn(t *testing.T) {
	t.Parallel()
	s := newChatSite(t)
	id := s.session(s.ada, "Move")
	b := s.as(s.ada)
	s.write(func(tx *store.Tx) error {
		if err := tx.CreateTurn(assent.Turn{ID: "t1", SessionID: id, UserID: s.ada.ID, Kind: assent.TurnMessage, Status: assent.TurnRunning}, ""); err != nil {
			return err
		}
		return tx.CreateMessage(assent.Message{ID: "m1", SessionID: id, TurnID: "t1", Role: assent.RoleUser, Content: "go ahead"})
	})
	b.byScript()
	b.post("/chat/" + id + "/stop")
	b.want(http.StatusNoContent)
	b.post("/messages/m1/take-back")
	b.want(http.StatusNoContent)
	if len(s.turns.stopped) != 1 || s.turns.stopped[0] != "t1" || len(s.turns.taken) != 1 {
		t.Errorf("stopped %v, taken back %v", s.turns.stopped, s.turns.taken)
	}
	s.turns.refuse = assent.Errorf(assent.CodeConflict, "There is nothing here that can be taken back.")
	b.post("/messages/m1/take-back").says("nothing here that can be taken back")
	b.want(http.StatusConflict)
}

func TestStopWithNothingToStopIsNoError(t *testing.T) {
	t.Parallel()
	s := newChatSite(t)
	id := s.session(s.ada, "Move")
	b := s.as(s.ada)
	b.post("/chat/" + id + "/stop")
	b.want(http.StatusOK)
	if b.at != "/chat/"+id {
		t.Errorf("at %s", b.at)
	}
}

// frames reads a stream until it has seen an id.
func (b *browser) frames(path, until string) (out []string) {
	b.t.Helper()
	ctx, cancel := context.WithCancel(b.t.Context())
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, b.site.url+path, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	res, err := b.http.Do(req)
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	lines := bufio.NewScanner(res.Body)
	lines.Buffer(nil, 1<<20)
	var frame strings.Builder
	for lines.Scan() {
		if lines.Text() != "" {
			frame.WriteString(lines.Text() + "\n")
			continue
		}
		out = append(out, frame.String())
		if strings.Contains(frame.String(), until) {
			return out
		}
		frame.Reset()
	}
	return out
}

func TestTheStreamGoesOnWhereThePageEnds(t *testing.T) {
	t.Parallel()
	s := newChatSite(t)
	id := s.session(s.ada, "Move")
	events := recorded(t, "finished")
	s.play(id, events[:30]...)
	b := s.as(s.ada)
	connect := b.get("/chat/" + id).one(".stream").attr("sse-connect")
	if connect != "/chat/"+id+"/events?after=30" {
		t.Fatalf("connects to %s", connect)
	}
	s.play(id, events[30:]...)
	frames := b.frames(connect, fmt.Sprintf("id: %d\n", len(events)))
	all := strings.Join(frames, "\n")
	for _, want := range []string{"id: 31", `id="p-p1-2"`, "Everything ran as approved.", `id="lists"`, "The answer is complete."} {
		if !strings.Contains(all, want) {
			t.Errorf("%q did not come", want)
		}
	}
	if strings.Contains(all, "I looked for a template") {
		t.Error("what the page has came again")
	}
	if got := b.frames("/chat/"+id+"/events?after=999", "reset"); len(got) != 1 {
		t.Errorf("a position that does not exist gives %q", got)
	}
}

func TestAPrunedConversationShowsWhatIsStored(t *testing.T) {
	t.Parallel()
	s := newChatSite(t)
	id := s.session(s.ada, "Move")
	b := s.as(s.ada)
	b.submit(b.get("/chat/"+id).one("form#composer"), "content", "Long ago")
	s.wait(40 * 24 * time.Hour)
	b = s.as(s.ada)
	b.submit(b.get("/chat/"+id).one("form#composer"), "content", "Just now")
	if err := s.store.PruneEvents(t.Context(), assent.At(s.clock())-1000); err != nil {
		t.Fatal(err)
	}
	page := b.get("/chat/" + id)
	if n := len(page.all(".said")); n != 2 {
		t.Errorf("%d messages", n)
	}
	page.says("Long ago", "Noted: Long ago", "Just now", "Noted: Just now")
}

func TestConversationsAreFoundRenamedExportedAndDeleted(t *testing.T) {
	t.Parallel()
	s := newChatSite(t)
	b := s.as(s.ada)
	b.get("/conversations").says("No conversations yet")
	id := s.session(s.ada, "")
	b.submit(b.get("/chat/"+id).one("form#composer"), "content", "Removal firms in Leith")
	b.get("/conversations").one(".talks").says("Removal firms in Leith", "New project")
	b.get("/conversations?q=removal").one(".talks").says("Removal firms")
	b.get("/conversations?q=nonesuch").says("Nothing found")

	b.submit(b.get("/chat/"+id).one("form.rename"), "title", "Firms & movers").one("h1").says("Firms & movers")
	b.post("/chat/"+id+"/rename", "title", " ")
	b.want(http.StatusUnprocessableEntity)

	b.get("/chat/" + id + "/export.md")
	if !strings.Contains(b.body, "# Firms & movers") || !strings.Contains(b.body, "Noted: Removal") || !strings.Contains(b.header.Get("Content-Disposition"), `"firms-movers.md"`) {
		t.Errorf("export %q %s", b.header.Get("Content-Disposition"), b.body)
	}
	b.get("/chat/" + id + "/export.json")
	var out struct{ Messages []assent.Message }
	if err := json.Unmarshal([]byte(b.body), &out); err != nil || len(out.Messages) != 2 {
		t.Errorf("export %v %s", err, b.body)
	}

	confirm := b.get("/chat/" + id + "/delete")
	confirm.says("deleted for good", "stays")
	b.submit(confirm.one("form#f")).says("Deleted “Firms & movers”.", "No conversations yet")
	b.get("/chat/" + id)
	b.want(http.StatusNotFound)
}

func TestErrorsSayWhatHappenedAndWhatToDo(t *testing.T) {
	t.Parallel()
	s := newChatSite(t)
	b := s.as(s.ada)
	page := b.get("/chat/nonesuch")
	b.want(http.StatusNotFound)
	page.one("h1").says("Not here")
	page.one("nav#side").says("New chat")
	b.byScript()
	b.get("/chat/nonesuch").one(".notice").says("Not here", "There is no such conversation")
	s.add("Chief", assent.RoleAdmin) // without an admin one is led to the set-up
	nobody := s.browser()
	nobody.get("/chat/nonesuch")
	if !strings.HasPrefix(nobody.at, "/login?back=%2Fchat%2Fnonesuch") {
		t.Errorf("somebody who is not signed in is at %s", nobody.at)
	}
}
