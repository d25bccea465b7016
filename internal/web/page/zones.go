package page

import (
	_ "embed" // for the list of time zones
	"slices"
	"strings"

	"assent/views"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// zoneNames are the names of the IANA time zone database (zone.tab, zone1970.tab,
// which are in the public domain).
//
//go:embed zones.txt
var zoneNames string

// zoneOptions offers every time zone, and the one given if it is another.
func zoneOptions(current string) []views.Option {
	names := strings.Fields(zoneNames)
	if current != "" && !slices.Contains(names, current) {
		names = append([]string{current}, names...)
	}
	out := make([]views.Option, len(names))
	for i, n := range names {
		out[i] = views.Option{Value: n, Label: strings.ReplaceAll(n, "_", " ")}
	}
	return out
}

// localeOptions offers languages to read dates and numbers in, and the one given
// if it is another.
func localeOptions(current string) []views.Option {
	tags := []string{"en", "en-GB", "en-US", "en-IE", "en-AU", "en-CA", "en-IN", "de", "de-AT", "de-CH", "fr", "fr-CA", "es", "es-MX", "it", "pt", "pt-BR",
		"nl", "da", "sv", "nb", "fi", "pl", "cs", "hu", "ro", "uk", "tr", "el", "he", "ar", "hi", "ja", "ko", "zh-Hans", "zh-Hant"}
	if current != "" && !slices.Contains(tags, current) {
		tags = append([]string{current}, tags...)
	}
	out := make([]views.Option, len(tags))
	for i, t := range tags {
		out[i] = views.Option{Value: t, Label: t}
		if tag, err := language.Parse(t); err == nil {
			out[i].Label = display.English.Tags().Name(tag)
		}
	}
	return out
}

// localeOf takes the reader's language from what the browser says.
func localeOf(acceptLanguage string) string {
	tags, _, err := language.ParseAcceptLanguage(acceptLanguage)
	if err != nil || len(tags) == 0 || tags[0] == language.Und {
		return "en"
	}
	return tags[0].String()
}
