package views

import "assent/internal/assent"

// DocumentLine is a document in a list.
type DocumentLine struct {
	Document assent.Document
	By       string // who changed it last; may be empty
}

// Documents is the page of a project's documents.
type Documents struct {
	Head  ProjectHead
	Lines []DocumentLine
	Pager Pager
}

// DocumentPage is one document, read.
type DocumentPage struct {
	Project  assent.Project
	Document assent.Document
	Body     string // sanitised HTML
	Old      int64  // the version shown when it is not the newest; 0 otherwise
	At       assent.Time
	By       string
	CSRF     string
}

// DocumentVersion is one version in the list, with what it changed.
type DocumentVersion struct {
	Revision assent.Revision
	By       string
	Current  bool
	Title    []DiffSpan // nil when the title did not change
	Lines    []DiffLine // of the body against the version before
}

// DocumentVersions lists the versions of a document.
type DocumentVersions struct {
	Project  assent.Project
	Document assent.Document
	Versions []DocumentVersion
	Pager    Pager
}

// shown is the version number that the page shows.
func (d DocumentPage) shown() int64 {
	if d.Old > 0 {
		return d.Old
	}
	return d.Document.Revision
}

// documentCrumbs leads to the documents of a project and, from its versions, to
// the document.
func documentCrumbs(p assent.Project, d assent.Document) []Link {
	out := []Link{{URL: ProjectURL(p.ID), Label: p.Name}, {URL: ProjectTabURL(p.ID, TabDocuments), Label: "Documents"}}
	if d.ID != "" {
		out = append(out, Link{URL: EntityURL(assent.KindDocument, d.ID), Label: d.Title})
	}
	return out
}
