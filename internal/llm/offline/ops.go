package offline

import (
	"strings"

	"assent/internal/llm"
	"assent/internal/llm/offline/english"
)

const titleWords = 6

// title names a conversation after what its first message is about.
func (s *situation) title() answer {
	words := s.words
	for _, m := range s.req.Messages {
		if m.Role == llm.RoleUser && !isNote(m.Content) && strings.TrimSpace(m.Content) != "" {
			words = m.Content
			break
		}
	}
	a := newAsk(words, s.reader)
	name := ""
	if u := understand(s, a); u.want == wantCreate {
		name = readBrief(a, s.reader).name
	}
	if name == "" {
		first := a.text.Part(english.Range{From: 0, To: sentenceEnd(a.text, 0)})
		name = first.Name(english.Range{From: 0, To: first.Len()})
	}
	name = strings.Trim(english.Clip(name, titleWords), " .,;:!?\"“”")
	if name == "" {
		name = "New conversation"
	}
	return say(name)
}

const (
	summaryLines = 12
	summaryWords = 30
)

// historySummary keeps what was asked and answered, shortened, newest last.
func (s *situation) historySummary() answer {
	var lines []string
	for _, m := range s.req.Messages {
		who := map[llm.Role]string{llm.RoleUser: "Asked", llm.RoleAssistant: "Answered"}[m.Role]
		if text := english.Squeeze(m.Content); who != "" && text != "" && !isNote(m.Content) {
			clipped := english.Clip(text, summaryWords)
			if len(clipped) < len(text) {
				clipped += " …"
			}
			lines = append(lines, who+": "+clipped)
		}
		for _, c := range m.Calls {
			lines = append(lines, "Called: "+c.Name)
		}
	}
	if len(lines) > summaryLines {
		lines = lines[len(lines)-summaryLines:]
	}
	return say(strings.Join(lines, "\n"))
}
