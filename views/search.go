package views

// Hit is one result of a search; spans of Title and Snippet that match are
// DiffAdded, the rest DiffSame.
type Hit struct {
	Kind    string
	URL     string
	Title   []DiffSpan
	Snippet []DiffSpan
	Project string // where it is; empty for conversations and projects
}

// Search is the page of a search over everything that the reader may see.
type Search struct {
	Query   string
	Kind    string
	Filters []Link
	Hits    []Hit
	Pager   Pager
}
