package page

import (
	"net/http"
	"slices"
	"strings"
	"unicode"

	"assent/internal/assent"
	"assent/views"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
)

// hitsPerPage is how many results a page shows; hitsLimit is how far one can page.
const (
	hitsPerPage = 20
	hitsLimit   = 200
)

// search finds words in everything that the one who asks may see.
func (p *Pages) search(c echo.Context) error {
	query, kind := strings.TrimSpace(c.QueryParam("q")), c.QueryParam("kind")
	s := views.Search{Query: query, Kind: kind, Filters: searchFilters(query, kind)}
	if query != "" {
		hits, err := p.hits(c, query, kind)
		if err != nil {
			return err
		}
		w, pager := pageOf(c, len(hits), hitsPerPage)
		s.Pager = pager
		if s.Hits, err = p.shownHits(c, query, hits[w.from:w.to]); err != nil {
			return err
		}
	}
	title := "Search"
	if query != "" {
		title = "Search for “" + query + "”"
	}
	return p.show(c, http.StatusOK, title, views.NavSearch, func(sh views.Shell) templ.Component { return views.SearchPage(sh, s) })
}

// searchKinds are the kinds that the filters offer.
func searchKinds() []string {
	out := []string{string(assent.KindProject)}
	for _, k := range entityKinds() {
		out = append(out, string(k))
	}
	return append(out, "session")
}

func searchFilters(query, kind string) []views.Link {
	out := []views.Link{{URL: views.WithQuery(views.SearchURL, "q", query), Label: "Everything", Current: kind == ""}}
	for _, k := range searchKinds() {
		out = append(out, views.Link{URL: views.WithQuery(views.SearchURL, "q", query, "kind", k),
			Label: views.Plural(views.KindWord(k), 2), Current: kind == k})
	}
	return out
}

// hits looks for the words in the workspace and in conversations.
func (p *Pages) hits(c echo.Context, query, kind string) ([]assent.SearchHit, error) {
	ctx, me := c.Request().Context(), person(c).Person.ID
	var out []assent.SearchHit
	if kind != "session" {
		kinds := searchKinds()
		if kind != "" {
			kinds = []string{kind}
		}
		found, err := p.Store.Search(ctx, me, query, "", kinds, hitsLimit)
		if err != nil {
			return nil, err
		}
		out = found
	}
	if kind == "" || kind == "session" {
		said, err := p.Store.SearchSessions(ctx, me, query, hitsLimit)
		if err != nil {
			return nil, err
		}
		out = append(out, said...)
	}
	return out, nil
}

func (p *Pages) shownHits(c echo.Context, query string, hits []assent.SearchHit) ([]views.Hit, error) {
	labels, terms := p.labels(c), terms(query)
	out := make([]views.Hit, len(hits))
	for i, h := range hits {
		v := views.Hit{Kind: h.Kind, Title: highlight(titleOf(h), terms), Snippet: highlight(h.Snippet, terms)}
		if h.Kind == "session" {
			v.URL = views.ChatURL(h.ID)
		} else {
			v.URL = views.EntityURL(assent.Kind(h.Kind), h.ID)
		}
		if h.ProjectID != "" && h.Kind != string(assent.KindProject) {
			var err error
			if v.Project, err = labels.title(h.ProjectID); err != nil {
				return nil, err
			}
		}
		out[i] = v
	}
	return out, nil
}

func titleOf(h assent.SearchHit) string {
	if h.Title == "" {
		return views.SessionTitle(assent.Session{})
	}
	return h.Title
}

// terms are the words of a query in small letters.
func terms(query string) []string {
	return strings.FieldsFunc(strings.ToLower(query), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// highlight marks the words of a text that begin with a term.
func highlight(text string, terms []string) []views.DiffSpan {
	var out []views.DiffSpan
	add := func(op views.DiffOp, s string) {
		if n := len(out); n > 0 && out[n-1].Op == op {
			out[n-1].Text += s
		} else if s != "" {
			out = append(out, views.DiffSpan{Op: op, Text: s})
		}
	}
	for text != "" {
		n := strings.IndexFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
		if n < 0 {
			add(views.DiffSame, text)
			break
		}
		add(views.DiffSame, text[:n])
		text = text[n:]
		end := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if end < 0 {
			end = len(text)
		}
		word := text[:end]
		op := views.DiffSame
		if slices.ContainsFunc(terms, func(t string) bool { return strings.HasPrefix(strings.ToLower(word), t) }) {
			op = views.DiffAdded
		}
		add(op, word)
		text = text[end:]
	}
	return out
}
