package offline

import (
	"strings"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// deletion finds what is to be deleted; the runtime asks for the word.
func (s *situation) deletion(a *ask) (write, *answer) {
	t := a.text
	if m, ok := deleteVerb.Find(t.Canon()); ok {
		t = t.Drop(m.Range)
	}
	kind, named := nounOf(t)
	whole := t
	m, rest := s.takeProject(t)
	name := target(rest, "delete", "remove", "completely", "forever", "permanently", "can", "go", "be", "deleted", "whole", "entire", "old", "test")
	if kind == assent.KindProject || !named && m.named() && (isPronoun(name) || onlyStop(name)) {
		return s.deleteProject(m, whole)
	}
	if !named && s.state.Planning == nil {
		return s.deleteAnything(m, name)
	}
	if !named {
		kind = assent.KindTask
	}
	if kind == assent.KindTemplate {
		m = mention{}
	}
	in, next := s.inMention(m)
	if next != nil && m.named() {
		return write{}, next
	}
	if several(name) {
		return write{}, oneAtATime(string(kind))
	}
	f := s.thing(kind, name, in)
	if f.next != nil {
		return write{}, f.next
	}
	return deleteCall(kind, f.entity), nil
}

var deleteVerb = groups.Compile(`^(?:{delete}|please delete)(?: {det})?`)

func deleteCall(kind assent.Kind, e entity) write {
	text := "the " + string(kind) + " " + quoted(e.label())
	return write{call: call{"delete_" + string(kind), args{string(kind) + "_id": e.ID}}, label: "Delete " + text, done: "Deleted " + text + "."}
}

func (s *situation) deleteProject(m mention, t english.Text) (write, *answer) {
	if !m.named() {
		if name := target(t, "completely", "forever", "whole", "entire", "old"); !isPronoun(name) {
			m = mentionOf(s, name)
		}
	}
	f := s.project(m)
	if f.next != nil {
		return write{}, f.next
	}
	return deleteCall(assent.KindProject, f.entity), nil
}

// several reports words that name more than one thing: "all", "tasks".
func several(name string) bool {
	_, noun := kindNouns[strings.ToLower(name)]
	return english.All(name) || noun && strings.HasSuffix(name, "s")
}

func oneAtATime(what string) *answer {
	a := sayf("I delete one thing at a time, so that nothing goes by mistake. Which %s do you mean? Tell me its name.", what)
	return &a
}

// deleteAnything finds a thing by its name alone, whatever kind it is of: "delete
// the wedding" may be a project, a task or a milestone.
func (s *situation) deleteAnything(m mention, name string) (write, *answer) {
	if several(name) {
		return write{}, oneAtATime("one")
	}
	in, next := s.inMention(m)
	if next != nil && m.named() {
		return write{}, next
	}
	kind := s.kindOfPronoun(name)
	if e, ok := s.nthListed(kind, name); ok {
		return deleteCall(kind, e), nil
	}
	if isPronoun(name) {
		f := s.thing(kind, name, in)
		return deleteCall(kind, f.entity), f.next
	}
	f := s.anything(name, in)
	return deleteCall(f.Kind, f.entity), f.next
}

// severalDeleted makes one deletion of each thing that is named, unless one thing
// bears the whole name: "delete the cake and the band".
func (s *situation) severalDeleted(a *ask) ([]*ask, *answer) {
	m, ok := deleteVerb.Find(a.text.Canon())
	if _, named := nounOf(a.text); !ok || named || s.state.Planning != nil || a.text.Len() > longestOrder {
		return []*ask{a}, nil
	}
	text := withoutEnd(a.text)
	items := text.Items(m.To, text.Len(), nil)
	if len(items) < 2 {
		return []*ask{a}, nil
	}
	name := target(text.Part(english.Range{From: m.To, To: text.Len()}))
	look := call{"search", args{"query": name}}
	if !s.tried(look) {
		return nil, &answer{calls: []call{look}}
	}
	if hits := s.namedLike(name, entity{}); len(hits) > 0 && hits[0].like >= sureName {
		return []*ask{a}, nil
	}
	var out []*ask
	for _, it := range items {
		part := text.Drop(english.Range{From: m.To, To: it.From}, english.Range{From: it.To, To: text.Len()})
		b := &ask{raw: part.String(), text: part, mode: a.mode}
		b.refresh(s.reader)
		out = append(out, b)
	}
	return out, nil
}

// deleteInstead is a deletion with the answer to which thing was meant: its name,
// or only its kind ("the project").
func deleteInstead(wish *ask, given string) string {
	t := withoutEnd(read(given))
	if name := target(t, "the"); !isPronoun(name) {
		return "delete " + t.String()
	}
	name := wish.text
	if m, ok := deleteVerb.Find(name.Canon()); ok {
		name = name.Drop(m.Range)
	}
	return "delete " + t.String() + " " + target(name)
}
