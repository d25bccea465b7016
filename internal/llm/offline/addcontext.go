package offline

import (
	"strings"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

var toContext = []english.Pattern{
	groups.Compile(`^(?:add|append|write|put|note|include|insert)(?: (?:this|that|the following|a line|a note|a sentence|something))? (?:to|in|into|at the end of) (?:{det} )?(?:project )?(?:context document|context doc|context|project context)(?: (?::|that|,|-|–|saying))+ (?P<text>.+)$`),
	groups.Compile(`^(?:add|append|write|put|note|include|insert) (?P<text>.+?) (?:to|in|into|at the end of) (?:{det} )?(?:project )?(?:context document|context doc|project context)(?: [.!])*$`),
}

// contextText is what words add to the text of the context document.
func contextText(t english.Text) (string, bool) {
	for _, p := range toContext {
		if m, ok := p.Find(t.Canon()); ok {
			part := t.Part(m.Groups["text"])
			if part.Len() == 1 && part.Tokens[0].Kind == english.Quote {
				return english.Sentence(part.Tokens[0].Inside), true
			}
			return english.Sentence(strings.Trim(part.String(), " ,:")), true
		}
	}
	return "", false
}

// addToContext writes a new version of the project's context document, with the
// text at its end; a project without one gets it.
func (s *situation) addToContext(m mention, text string) (write, *answer) {
	f := s.project(m)
	if f.next != nil {
		return write{}, f.next
	}
	look := call{listTools[assent.KindDocument], lists(f.entity, assent.KindDocument)}
	if !s.tried(look) {
		return write{}, &answer{calls: []call{look}}
	}
	for _, e := range s.resultOf(look).list(assent.KindDocument) {
		if e.Type != "context" {
			continue
		}
		read := call{"get_document", args{"document_id": e.ID}}
		if !s.tried(read) {
			return write{}, &answer{calls: []call{read}}
		}
		whole, ok := s.resultOf(read).one()
		if !ok {
			next := sayf("I could not read %s, so I have left it as it is.", quoted(e.label()))
			return write{}, &next
		}
		body := strings.TrimRight(whole.Body, "\n ") + "\n\n" + text
		return write{on: entity{ID: e.ID, Kind: assent.KindDocument, Title: e.label()}, call: call{"update_document", args{"document_id": e.ID, "body": body}},
			label: "Add to the document " + quoted(e.label()), done: "Added it to the end of " + quoted(e.label()) + " in " + quoted(f.label()) + ", as a new version."}, nil
	}
	return write{call: call{"publish_document", args{"project_id": f.ID, "title": "Context", "type": "context", "body": text}},
		label: "Publish the context document", done: "“" + f.label() + "” had no context document; it has one now."}, nil
}
