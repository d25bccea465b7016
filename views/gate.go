package views

// Gate is a page before one is inside: set-up, sign-in, sign-up, a password
// that has to be changed.
type Gate struct {
	Title string
	Lead  string
	Form  Form
	Links []Link // other ways
}
