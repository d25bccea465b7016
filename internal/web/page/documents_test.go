package page_test

import (
	"net/http"
	"strings"
	"testing"

	"assent/internal/assent"
)

func TestADocumentIsWrittenReadComparedAndRestored(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	ada := s.add("Ada", assent.RoleAdmin)
	w := s.project(ada, "Office move")
	b := s.as(ada)
	b.get("/projects/"+w.id+"/documents").one(".rows li").says("Context", "version 1", "Ada", "Draft")
	page := b.submit(b.get("/documents/"+w.document+"/edit").one("form#f"), "body", "# Move\r\n\r\nBy the end of **April**.", "status", "published")
	b.want(http.StatusOK)
	page.one("article strong").says("April")
	page.says("Published", "version 2")
	if got := find[*assent.Document](s, w.document).Body; got != "# Move\n\nBy the end of **April**." {
		t.Errorf("stored is %q", got)
	}

	versions := b.get("/documents/" + w.document + "/versions").all("section.version")
	if len(versions) != 2 {
		t.Fatalf("there are %d versions", len(versions))
	}
	versions[0].says("Newest")
	if del, ins := versions[0].one("del").text(), versions[0].one("ins").text(); del != "March" || ins != "**April**" {
		t.Errorf("gone is %q, new is %q", del, ins)
	}
	versions[1].says("The first version")

	page = b.get("/documents/" + w.document + "/versions/1")
	page.says("This is version 1", "By the end of March")
	page = b.submit(page.one(".notice form"))
	page.one("[role=status]").says("Restored version 1")
	page.says("By the end of March", "version 3")
}

func TestRestoringOverANewerVersionIsRefused(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	ada := s.add("Ada", assent.RoleAdmin)
	w := s.project(ada, "Office move")
	b := s.as(ada)
	b.submit(b.get("/documents/"+w.document+"/edit").one("form#f"), "body", "Two")
	form := b.get("/documents/" + w.document + "/versions/1").one(".notice form")
	w.call("update_document", `{"document_id": "`+w.document+`", "body": "Three"}`)
	b.submit(form)
	b.want(http.StatusConflict)
	if find[*assent.Document](s, w.document).Body != "Three" {
		t.Error("the newest version was overwritten")
	}
}

func TestDocumentsCannotRunScriptsOrCallHome(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	ada := s.add("Ada", assent.RoleAdmin)
	w := s.project(ada, "Office move")
	b := s.as(ada)
	page := b.submit(b.get("/documents/"+w.document+"/edit").one("form#f"), "title", "<script>alert(1)</script>",
		"body", "<script>alert(2)</script>\n\n[x](javascript:alert(3)) ![y](https://evil.example/p.png)\n\n<img src=x onerror=alert(4)>")
	b.want(http.StatusOK)
	article := page.one("article")
	if article.has("script") || article.has("img") || article.has("[onerror]") {
		t.Errorf("it got through: %s", b.body)
	}
	for _, a := range article.all("a") {
		if strings.HasPrefix(a.attr("href"), "javascript") {
			t.Errorf("a link leads to %s", a.attr("href"))
		}
	}
	page.one("main h1").says("<script>alert(1)</script>")
}
