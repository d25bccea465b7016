package page

import "encoding/json"

// details renders the facts of an audit line; names and values alternate.
func details(pairs ...string) string {
	m := map[string]string{}
	for i := 0; i+1 < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	b, _ := json.Marshal(m) // a map of strings always encodes
	return string(b)
}
