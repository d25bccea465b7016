package page

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/views"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
)

// versionsPerPage is how many versions of a document are compared on one page.
const versionsPerPage = 10

// documents lists a project's documents.
func (p *Pages) documents(c echo.Context) error {
	project, err := p.findProject(c, c.Param("id"))
	if err != nil {
		return err
	}
	docs, next, err := store.List[assent.Document](c.Request().Context(), p.Store.Reads, store.Filter{UserID: person(c).Person.ID,
		ProjectID: project.ID, Page: store.Page{Cursor: c.QueryParam("cursor"), Limit: 50}})
	if err != nil {
		return err
	}
	props := views.Documents{Head: p.head(c, project, views.TabDocuments), Pager: cursorPager(c, next)}
	people := p.names(c)
	for _, d := range docs {
		l := views.DocumentLine{Document: d}
		if _, l.By, err = p.lastChange(c, people, d.ID, d.Revision); err != nil {
			return err
		}
		props.Lines = append(props.Lines, l)
	}
	return p.show(c, http.StatusOK, project.Name+": documents", views.NavProjects, func(s views.Shell) templ.Component { return views.DocumentsPage(s, props) })
}

// lastChange tells when and by whom a revision was made; nothing if that is not
// known.
func (p *Pages) lastChange(c echo.Context, people *names, id string, revision int64) (assent.Time, string, error) {
	r, err := p.Store.FindRevision(c.Request().Context(), id, revision)
	if assent.ErrorCode(err) == assent.CodeNotFound {
		return 0, "", nil
	}
	if err != nil {
		return 0, "", err
	}
	who, err := people.of(r.UserID)
	return r.At, who, err
}

func (p *Pages) findDocument(c echo.Context) (assent.Document, assent.Project, error) {
	n, project, err := p.findEntity(c, assent.KindDocument, c.Param("id"))
	if err != nil {
		return assent.Document{}, project, err
	}
	d, ok := n.(*assent.Document)
	if !ok {
		return assent.Document{}, project, assent.NotFound("document")
	}
	return *d, project, nil
}

// document shows one document, read.
func (p *Pages) document(c echo.Context) error {
	d, project, err := p.findDocument(c)
	if err != nil {
		return err
	}
	props := views.DocumentPage{Project: project, Document: d, Body: views.Markdown(d.Body)}
	if props.At, props.By, err = p.lastChange(c, p.names(c), d.ID, d.Revision); err != nil {
		return err
	}
	return p.show(c, http.StatusOK, d.Title, views.NavProjects, func(s views.Shell) templ.Component { return views.DocumentView(s, props) })
}

// findVersion gives a revision of a document with the document as it was then.
func (p *Pages) findVersion(c echo.Context, d assent.Document) (assent.Revision, assent.Document, error) {
	var old assent.Document
	n, err := strconv.ParseInt(c.Param("version"), 10, 64)
	if err != nil {
		return assent.Revision{}, old, assent.NotFound("version of this document")
	}
	r, err := p.Store.FindRevision(c.Request().Context(), d.ID, n)
	if assent.ErrorCode(err) == assent.CodeNotFound || err == nil && len(r.After) == 0 {
		return r, old, assent.NotFound("version of this document")
	}
	if err != nil {
		return r, old, err
	}
	if err := json.Unmarshal(r.After, &old); err != nil {
		return r, old, fmt.Errorf("version %d of document %s: %w", n, d.ID, err)
	}
	return r, old, nil
}

// documentVersion shows a document as it was.
func (p *Pages) documentVersion(c echo.Context) error {
	d, project, err := p.findDocument(c)
	if err != nil {
		return err
	}
	r, old, err := p.findVersion(c, d)
	if err != nil {
		return err
	}
	props := views.DocumentPage{Project: project, Document: d, Body: views.Markdown(old.Body), At: r.At, CSRF: csrf(c)}
	if r.Revision != d.Revision {
		props.Old = r.Revision
	}
	props.Document.Title, props.Document.Type, props.Document.Status = old.Title, old.Type, old.Status
	if props.By, err = p.names(c).of(r.UserID); err != nil {
		return err
	}
	return p.show(c, http.StatusOK, d.Title, views.NavProjects, func(s views.Shell) templ.Component { return views.DocumentView(s, props) })
}

// documentVersions lists what every version changed.
func (p *Pages) documentVersions(c echo.Context) error {
	d, project, err := p.findDocument(c)
	if err != nil {
		return err
	}
	before, _ := strconv.ParseInt(c.QueryParam("cursor"), 10, 64) // what is no number is the start
	revs, err := p.Store.ListRevisions(c.Request().Context(), d.ID, before, versionsPerPage)
	if err != nil {
		return err
	}
	props := views.DocumentVersions{Project: project, Document: d}
	people := p.names(c)
	for _, r := range revs {
		v, err := versionOf(r)
		if err != nil {
			return err
		}
		if v.By, err = people.of(r.UserID); err != nil {
			return err
		}
		v.Current = r.Revision == d.Revision
		props.Versions = append(props.Versions, v)
	}
	next := ""
	if n := len(revs); n == versionsPerPage && revs[n-1].Revision > 1 {
		next = strconv.FormatInt(revs[n-1].Revision, 10)
	}
	props.Pager = cursorPager(c, next)
	return p.show(c, http.StatusOK, "Versions of "+d.Title, views.NavProjects, func(s views.Shell) templ.Component { return views.DocumentVersionsPage(s, props) })
}

// versionOf compares a version with the one before it.
func versionOf(r assent.Revision) (views.DocumentVersion, error) {
	v := views.DocumentVersion{Revision: r}
	if len(r.Before) == 0 {
		return v, nil // there is nothing to compare it with
	}
	before, err := textFields(r.Before)
	if err != nil {
		return v, err
	}
	after, err := textFields(r.After)
	if err != nil {
		return v, err
	}
	if before["title"] != after["title"] {
		v.Title = views.DiffWords(before["title"], after["title"])
	}
	if before["body"] != after["body"] {
		v.Lines = views.DiffText(before["body"], after["body"])
	}
	return v, nil
}

// restoreDocument writes an older version as the newest one.
func (p *Pages) restoreDocument(c echo.Context) error {
	d, _, err := p.findDocument(c)
	if err != nil {
		return err
	}
	r, old, err := p.findVersion(c, d)
	if err != nil {
		return err
	}
	revision, err := revisionOf(c)
	if err != nil {
		return err
	}
	_, err = p.call(c, "update_document", map[string]any{"document_id": d.ID, "revision": revision,
		"title": old.Title, "body": old.Body, "type": old.Type, "status": old.Status})
	if err != nil {
		return err
	}
	return done(c, views.EntityURL(assent.KindDocument, d.ID), "Restored version "+strconv.FormatInt(r.Revision, 10)+" as the newest one.")
}
