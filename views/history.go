package views

import "assent/internal/assent"

// FieldChange is one field that a write changed.
type FieldChange struct {
	Label string
	Spans []DiffSpan // short values
	Lines []DiffLine // long texts; nil for short ones
}

// Change is one revision as people read it.
type Change struct {
	Revision assent.Revision
	Who      string // "You", a name, or "Assent" with for whom
	How      string // "on a page", "in a conversation", ...
	HowURL   string // the conversation, when it is the reader's own
	What     string // "created", "changed", ...
	URL      string // the thing itself; "" when it is gone
	Fields   []FieldChange
	CanUndo  bool
	Why      string // why it cannot be undone any more
}

// History is what happened in a project or to one thing.
type History struct {
	Head    *ProjectHead // for a project
	Title   string       // for one thing
	Crumbs  []Link
	Changes []Change
	Pager   Pager
}

// ChangePage is one change, to be looked at before it is undone.
type ChangePage struct {
	Crumbs []Link
	Change Change
	Now    []FieldChange // what changed since, when it cannot be undone
	Error  string
}
