package offline

import (
	"strings"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// update is a call of the kind's update tool.
func update(kind assent.Kind, e entity, fields args, become string) write {
	a := args{string(kind) + "_id": e.ID}
	for k, v := range fields {
		a[k] = v
	}
	text := "the " + string(kind) + " " + quoted(e.label())
	e.Kind = kind
	now := "now "
	if strings.HasPrefix(become, "no longer") {
		now = ""
	}
	return write{on: e, call: call{"update_" + string(kind), a}, label: "Change " + text + ": " + become, done: english.Sentence(text) + " is " + now + become + "."}
}

func (s *situation) rename(kind assent.Kind, e entity, value english.Text) write {
	key := "title"
	if kind == assent.KindProject {
		key = "name"
	}
	name := value.Name(english.Range{From: 0, To: value.Len()})
	return update(kind, e, args{key: name}, "called "+quoted(name))
}

func assign(kind assent.Kind, e entity, to string) (write, *answer) {
	if kind != assent.KindTask {
		a := say("Only tasks can be assigned to someone.")
		return write{}, &a
	}
	to = strings.ToLower(strings.Trim(to, " .,!"))
	switch {
	case to == "me" || to == "myself":
		return update(kind, e, args{"assignee_id": "me"}, "assigned to you"), nil
	case to == "" || to == "nobody" || to == "no one":
		return update(kind, e, args{"assignee_id": ""}, "assigned to nobody"), nil
	case strings.Contains(to, "@"):
		return update(kind, e, args{"assignee_id": to}, "assigned to "+to), nil
	}
	a := say("I can assign a task to you (“assign it to me”) or to a member by e-mail address; I cannot look people up by name.")
	return write{}, &a
}

func block(kind assent.Kind, e entity, m formMatch) (write, *answer) {
	if kind != assent.KindTask {
		a := say("Only tasks can be blocked. A project can be put on hold.")
		return write{}, &a
	}
	if m.name == "unblock" {
		return update(kind, e, args{"blocker": ""}, "no longer blocked"), nil
	}
	why := strings.Trim(m.why.String(), " .,")
	if why == "" {
		a := sayf("What should I note as the reason that %s is blocked? One sentence is enough.", quoted(e.label()))
		return write{}, &a
	}
	return update(kind, e, args{"blocker": english.Sentence(why)}, "blocked: "+english.Lower(why)), nil
}
