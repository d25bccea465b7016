package views

// Problem is a whole page's content for an error: what happened, what was kept
// and what to do.
type Problem struct {
	Title   string // what happened
	Message string // in a sentence
	Kept    string // what was kept; may be empty
	Hint    string // what to do; may be empty
	Ref     string // id that finds the log line; may be empty
	Back    string // address of the way on
	BackTo  string // its label
}
