package views

import (
	"encoding/json"

	"github.com/a-h/templ"
)

// ModelsPage is what admins set about models.
type ModelsPage struct {
	Head      AdminHead
	Offline   bool   // the embedded model alone answers
	Fixed     bool   // set by the environment, so that the page cannot change it
	Error     string // why something was refused that is no field's matter
	Tested    *TestedModel
	Providers []ProviderLine
	Profiles  []ProfileBox
	Prices    []PriceLine
	Unpriced  []string // models in use without a price
}

// ProviderLine is a provider.
type ProviderLine struct {
	Name        string
	BaseURL     string
	HasKey      bool
	Environment bool
	Problem     string
}

// ProfileBox is a profile with its models in the order in which they are tried.
type ProfileBox struct {
	Name    string
	Hint    string
	Targets []TargetLine // empty: not set
	Borrows string       // whose models are used when it is not set
	Add     Form
}

// TargetLine is a model in a profile.
type TargetLine struct {
	Name    string // provider/model
	Missing bool   // nobody set its provider up
}

// seen is the list as this page shows it, so that a change of an older one is refused.
func (b ProfileBox) seen() string {
	names := make([]string, len(b.Targets))
	for i, t := range b.Targets {
		names[i] = t.Name
	}
	text, err := json.Marshal(names)
	if err != nil {
		return ""
	}
	return string(text)
}

// PriceLine is the price of a model in micro-dollars per million tokens.
type PriceLine struct {
	Model           string
	In, Out, Cached int64
}

// TestedModel is how a model answered an admin.
type TestedModel struct {
	Model               string
	OK                  bool
	FirstToken, Took    int64 // milliseconds
	TokensIn, TokensOut int64
	Cost                *int64
	Message, Detail     string
}

func (t TestedModel) words(r Reader) string {
	out := "First token after " + r.Duration(t.FirstToken) + ", " + r.Duration(t.Took) + " in all; " + r.Count(t.TokensIn, "token") + " in, " + r.Number(t.TokensOut) + " out"
	if t.Cost == nil {
		return out + "; no price is known."
	}
	return out + "; " + r.Money(t.Cost) + "."
}

// AdminForm is a page of the administration that is one form.
type AdminForm struct {
	Head   AdminHead
	Title  string
	Crumbs []Link
	Intro  string
	Form   Form
	Remove *Form // takes away what the form is about
}

// addUnless leads to a form for something new, where the page may change anything.
func addUnless(fixed bool, url, label string) templ.Component {
	if fixed {
		return nil
	}
	return AddLink(url, label)
}
