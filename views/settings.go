package views

import "assent/internal/assent"

// Settings is a page of the reader's own settings.
type Settings struct {
	Form Form
}

// SignIn is a browser in which the reader is signed in.
type SignIn struct {
	Token assent.Token
	Here  bool // this browser
}

// Security is the page of password and sign-ins.
type Security struct {
	Form    Form
	SignIns []SignIn
}

// Tokens is the page of the reader's API tokens.
type Tokens struct {
	Tokens []assent.Token
	Form   Form
	Secret string // of the one just made; shown this once
	Name   string // of the one just made
}

func settingsTabs(current string) []Link {
	tab := func(url, label string) Link { return Link{URL: url, Label: label, Current: current == url} }
	return []Link{tab(SettingsURL, "Profile"), tab(SettingsSecurityURL, "Password and sign-ins"), tab(SettingsTokensURL, "API tokens")}
}

func scopesLine(scopes []assent.TokenScope) string {
	words := make([]string, len(scopes))
	for i, s := range scopes {
		words[i] = string(s)
	}
	return Words(assent.List(words))
}

func signInName(s SignIn) string {
	if s.Token.Name == "" {
		return "A browser"
	}
	return s.Token.Name
}
