package web_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"assent/internal/assent"
	"assent/internal/web"

	"github.com/labstack/echo/v4"
)

func TestBodiesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	for name, body := range map[string]string{
		"nothing": "", "spaces": " \n", "null": "null", "a list": "[]", "text": `"x"`, "a number": "1", "cut off": `{"name": "a`, "no JSON": "name=a",
		"more after it": `{"name": "a"} {}`, "garbage after it": `{"name": "a"}x`, "a comma too many": `{"name": "a",}`, "a comment": `{/* */}`,
		"a key twice": `{"name": "a", "name": "b"}`, "a key twice inside": `{"raw": [{"a": {"b": 1, "b": 2}}]}`, "a key twice, escaped": `{"name": "a", "n\u0061me": "b"}`,
		"bad UTF-8": "{\"name\": \"\xff\"}", "half a character": "{\"raw\": [\"\xe2\x82\"]}",
		"too deep": `{"raw": ` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + "}",
	} {
		a := s.send("POST", "/api/v1/bind", body)
		if p := s.problem(a); a.status != 400 || p.Code != assent.CodeMalformed {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
	}
	for ct, want := range map[string]int{"": 200, "application/json": 200, "application/json; charset=utf-8": 200, "Application/JSON": 200,
		"text/plain": 400, "application/x-www-form-urlencoded": 400, "multipart/form-data": 400, ";": 400} {
		if a := s.send("POST", "/api/v1/bind", `{}`, "Content-Type", ct); a.status != want {
			t.Errorf("content type %q: %d %s", ct, a.status, a.body)
		}
	}
}

// named lists the fields that a problem names, each with its code.
func named(p web.Problem) string {
	var out []string
	for _, f := range p.Errors {
		out = append(out, f.Pointer+" "+f.Code)
	}
	return strings.Join(out, ", ")
}

func TestMissingFieldsAreNamedByPointer(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	for body, want := range map[string]string{
		`{}`:                                     "/title required",
		`{"title": null}`:                        "/title required",
		`{"title": "", "lines": [{"n": 0}, {}]}`: "/lines/1/n required",
		`{"x": 1}`:                               "/x unknown_field, /title required",
		`{"title": 1}`:                           "/title wrong_type",
		`{"title": ""}`:                          "",
		`{"title": "", "lines": null}`:           "",
		`{"title": "", "lines": [{"n": 0}]}`:     "",
	} {
		if a := s.send("POST", "/api/v1/needs", body); want == "" && a.status != 200 || want != "" && named(s.problem(a)) != want {
			t.Errorf("%s: %d %s, want %q", body, a.status, a.body, want)
		}
	}
}

func TestFieldsAreNamedByPointer(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	for name, tc := range map[string]struct{ body, want string }{
		"unknown":                {json1("colour", `"red"`), "/colour unknown_field"},
		"in capitals":            {json1("NAME", `"a"`), "/NAME unknown_field"},
		"hidden":                 {json1("Hidden", `"a"`), "/Hidden unknown_field"},
		"without a name":         {json1("", `1`), "/ unknown_field"},
		"with a slash":           {json1("a/b~c", `1`), "/a~1b~0c unknown_field"},
		"a number for text":      {json1("name", `1`), "/name wrong_type"},
		"text for a number":      {json1("count", `"1"`), "/count wrong_type"},
		"half a number":          {json1("count", `1.5`), "/count wrong_type"},
		"too great a number":     {json1("count", `99999999999999999999`), "/count wrong_type"},
		"too great for its kind": {json1("small", `200`), "/small wrong_type"},
		"text for yes or no":     {json1("on", `"yes"`), "/on wrong_type"},
		"a list for text":        {json1("name", `["a"]`), "/name wrong_type"},
		"text for a list":        {json1("scopes", `"read"`), "/scopes wrong_type"},
		"an object for a list":   {json1("scopes", `{}`), "/scopes wrong_type"},
		"one of a list":          {json1("scopes", `["read", 2, "chat", null, {"a": 1}]`), "/scopes/1 wrong_type, /scopes/4 wrong_type"},
		"no time":                {json1("at", `"tomorrow"`), "/at wrong_type"},
		"text for an object":     {json1("nested", `"x"`), "/nested wrong_type"},
		"deep inside":            {json1("nested", `{"items": [{"title": "a"}, {"title": 1, "colour": 2}], "free": {"x": 1, "y": "z"}}`), "/nested/items/1/title wrong_type, /nested/items/1/colour unknown_field, /nested/free/y wrong_type"},
		"all at once":            {`{"name": 1, "colour": 2, "count": "3"}`, "/name wrong_type, /colour unknown_field, /count wrong_type"},
	} {
		a := s.send("POST", "/api/v1/bind", tc.body)
		if a.status != 422 {
			t.Errorf("%s: %d %s", name, a.status, a.body)
			continue
		}
		p := s.problem(a)
		for _, f := range p.Errors {
			if f.Message == "" || f.Code == "unknown_field" && len(f.AvailableFields) == 0 {
				t.Errorf("%s: %+v", name, f)
			}
		}
		if got := named(p); got != tc.want {
			t.Errorf("%s: %s, want %s", name, got, tc.want)
		}
	}
	if a := s.send("POST", "/api/v1/bind", json1("at", `1`)); !strings.Contains(a.body, "RFC 3339") {
		t.Errorf("a time is not explained: %s", a.body)
	}
}

func TestWhatFitsIsBound(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	body := `{"name": "ünï \u0041", "count": -3, "small": 127, "ratio": 1e3, "on": true, "at": "2026-11-21T12:00:00Z", "raw": {"x": [1, "}"]},
		"scopes": ["read"], "nested": {"items": [{"title": "t"}], "free": {"any key": 1}}, "any": [{"a": null}]}`
	a := s.send("POST", "/api/v1/bind", body)
	var got bound
	if err := json.Unmarshal([]byte(a.body), &got); err != nil || a.status != 200 {
		t.Fatal(a.status, a.body, err)
	}
	if got.Name != "ünï A" || *got.Count != -3 || got.Ratio != 1000 || !got.On || got.At == 0 || string(got.Raw) != `{"x":[1,"}"]}` || got.Nested.Items[0].Title != "t" || got.Nested.Free["any key"] != 1 {
		t.Errorf("%s", a.body)
	}
	nulls := `{"name": null, "count": null, "small": null, "on": null, "at": null, "raw": null, "scopes": null, "nested": null, "any": null}`
	if a := s.send("POST", "/api/v1/bind", nulls); a.status != 200 {
		t.Errorf("nulls: %d %s", a.status, a.body)
	}
	var free map[string]any
	c := echo.New().NewContext(httptest.NewRequest("POST", "/", strings.NewReader(`{"a": {"b": [1]}}`)), httptest.NewRecorder())
	if err := web.Bind(c, &free); err != nil || fmt.Sprint(free) != "map[a:map[b:[1]]]" {
		t.Errorf("a free object: %v, %v", free, err)
	}
}

func TestABodyThatIsWrongThroughoutHasABoundedAnswer(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	var b strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&b, `"k%d": 1,`, i)
	}
	a := s.send("POST", "/api/v1/bind", "{"+strings.TrimSuffix(b.String(), ",")+"}")
	if n := len(s.problem(a).Errors); a.status != 422 || n != 50 {
		t.Errorf("%d with %d errors", a.status, n)
	}
}

func FuzzBind(f *testing.F) {
	for _, s := range []string{`{}`, `{"name": 1}`, `{"nested": {"items": [{"title": []}]}}`, `{"a": 1, "a": 2}`, `[`, `{"at": "x", "raw": {`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, body string) {
		var in bound
		c := echo.New().NewContext(httptest.NewRequest("POST", "/", strings.NewReader(body)), httptest.NewRecorder())
		err := web.Bind(c, &in)
		if code := assent.ErrorCode(err); err != nil && code != assent.CodeMalformed && code != assent.CodeInvalid {
			t.Errorf("%q gives %v", body, err)
		}
		if err == nil && !json.Valid([]byte(body)) {
			t.Errorf("%q is bound", body)
		}
	})
}

func TestPagesOfLists(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	for query, want := range map[string]string{
		"":                                     `{"items":[],"next_cursor":null}`,
		"?cursor=c":                            `{"items":["c","50"],"next_cursor":"c"}`,
		"?cursor=c&limit=200":                  `{"items":["c","200"],"next_cursor":"c"}`,
		"?cursor=c&limit=201":                  `{"items":["c","200"],"next_cursor":"c"}`,
		"?cursor=c&limit=99999999999999999999": `{"items":["c","200"],"next_cursor":"c"}`,
		"?limit=0":                             "/limit", "?limit=x": "/limit", "?limit=-1": "/limit",
	} {
		a := s.send("GET", "/api/v1/list"+query, "")
		if want == "/limit" {
			if p := s.problem(a); a.status != 422 || p.Errors[0].Pointer != want {
				t.Errorf("%s: %d %s", query, a.status, a.body)
			}
		} else if strings.TrimSpace(a.body) != want {
			t.Errorf("%s: %s", query, a.body)
		}
	}
}

func BenchmarkBind(b *testing.B) {
	body := `{"content": "Set up the office move as a project, but show me the plan first", "execution_mode": "draft_only", "idempotency_key": "k-1", "seen_seq": 12}`
	e := echo.New()
	b.ReportAllocs()
	for b.Loop() {
		var in struct {
			Content string `json:"content"`
			Mode    string `json:"execution_mode"`
			Key     string `json:"idempotency_key"`
			Seen    *int64 `json:"seen_seq"`
		}
		if err := web.Bind(e.NewContext(httptest.NewRequest("POST", "/", strings.NewReader(body)), nil), &in); err != nil {
			b.Fatal(err)
		}
	}
}
