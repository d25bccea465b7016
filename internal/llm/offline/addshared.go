package offline

import "assent/internal/llm/offline/english"

var sharedDate = groups.Compile(`(?:(?:,|;|and|-|–|\() )*(?:both|all|each|all of them|both of them|each of them|all three|all four|everything)(?: (?:of them|are|is|to be|should be|must be))*(?: (?:due|by|until|on|before|for|with a deadline of))+`)

// takeShared reads the date that a list's last words give to all of it: "both due
// on 15 January".
func (ad *addition) takeShared(t english.Text, r english.Reader) english.Text {
	m, ok := sharedDate.Find(t.Canon())
	if !ok || m.From == 0 {
		return t
	}
	for _, d := range r.Dates(t) {
		if d.From >= m.From && d.From <= m.To {
			ad.due = d.Day
			return t.Drop(english.Range{From: m.From, To: d.To})
		}
	}
	return t
}
