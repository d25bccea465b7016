package page_test

import (
	"flag"
	"fmt"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"
	"time"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/internal/web"
	"assent/static"
)

var (
	serve = flag.String("serve", "", "keep serving the recorded conversations at this address, to look at them: go test -run TestServeRecordings -serve :8090")
	pace  = flag.Duration("pace", 60*time.Millisecond, "with -serve: time between two events of the conversation that streams")
	theme = flag.String("theme", "auto", "with -serve: auto, light or dark")
)

// TestServeRecordings shows every recorded conversation; with -serve it keeps
// doing so, and plays one for ever, for looking at the pages in a browser.
func TestServeRecordings(t *testing.T) {
	s := newChatSite(t)
	s.ada.Theme = *theme
	s.write(func(tx *store.Tx) error { return tx.UpdatePerson(s.ada) })
	s.project(s.ada, "Website relaunch")
	b := s.as(s.ada)
	ids := map[string]string{}
	for _, name := range []string{"drafted", "running", "finished", "troubled", "taken-back", "rounds", "revised"} {
		id := s.session(s.ada, "Office move to Leith: "+name)
		ids[name] = id
		s.play(id, recorded(t, name)...)
		b.get("/chat/"+id).says("Office move to Leith", "create_project")
		b.want(http.StatusOK)
	}
	if *serve != "" {
		s.serveAt(*serve, ids)
	}
}

func (s *chatSite) serveAt(addr string, ids map[string]string) {
	secret, err := s.accounts.Open(s.t.Context(), s.ada)
	if err != nil {
		s.t.Fatal(err)
	}
	target, _ := url.Parse(s.url)
	proxy := &httputil.ReverseProxy{FlushInterval: -1, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.AddCookie(&http.Cookie{Name: web.SessionCookie, Value: secret})
	}}
	live := s.session(s.ada, "Playing for ever")
	ids["live"] = live
	go s.playForEver(live)
	mux := http.NewServeMux()
	mux.Handle(static.Prefix, static.Handler())
	mux.HandleFunc("/ids", func(w http.ResponseWriter, _ *http.Request) {
		for name, id := range ids {
			fmt.Fprintln(w, name, id)
		}
	})
	mux.Handle("/", proxy)
	s.t.Log(http.ListenAndServe(addr, mux))
}

// playForEver repeats a recording as if it happened now.
func (s *chatSite) playForEver(session string) {
	events := recorded(s.t, "finished")
	for round := 0; ; round++ {
		for _, ev := range events {
			ev.At = assent.At(time.Now())
			suffix := fmt.Sprint("-", round)
			ev.TurnID += suffix
			data := string(ev.Data)
			for _, id := range []string{"p1", "r1", "m1", "m2", "at1", "at2"} {
				data = strings.ReplaceAll(data, `"`+id+`"`, `"`+id+suffix+`"`)
			}
			ev.Data = []byte(data)
			s.play(session, ev)
			time.Sleep(*pace)
		}
		time.Sleep(5 * time.Second)
	}
}
