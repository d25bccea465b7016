package offline

import (
	"assent/internal/llm/offline/english"
)

// createTemplate makes a template of what the person names.
func (s *situation) createTemplate(a *ask) answer {
	if !a.has(newTemplate) {
		return s.createProject(a)
	}
	b := brief{words: a.raw}
	text := b.takeSections(a.text, s.reader)
	name := templateName(text)
	if name == "" {
		return say("What should the template be called? For example: “create a template for client onboarding with milestones: kick-off, setup done and handover”.")
	}
	b.name, b.about = name, name
	o := planOutline(b, nil, s.today())
	o.words = a.raw
	w := write{call: call{"create_template", unescape(o.templateArgs())}, label: "Create the template " + quoted(name),
		done: "Created the template " + quoted(name) + " with " + english.Plural(len(o.milestones), "milestone") + "."}
	return s.apply(a, w)
}

// unescape takes the protection for plans off arguments of a direct call.
func unescape(a args) args {
	a["name"] = plain(a.text("name"))
	a["description"] = plain(a.text("description"))
	return a
}

var (
	newTemplate     = groups.Compile(`^(?:{create}|save|keep)(?: (?:{det}|new|me|us|project))* {template}`)
	templateNamings = []english.Pattern{
		groups.Compile(`{template} (?:called|named|titled|:)? ?(?P<name>«»)`),
		groups.Compile(`{template} (?:called|named|titled|for|about|:) (?P<name>[^.,;?!¶:]+)`),
		groups.Compile(`(?:{create}) (?:{det} |new )*(?P<name>[^.,;?!¶:]+?) {template}`),
	}
)

func templateName(t english.Text) string {
	for _, p := range templateNamings {
		if m, ok := p.Find(t.Canon()); ok {
			if name := cleanName(t, m.Groups["name"]); name != "" {
				return name
			}
		}
	}
	return ""
}
