package offline

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

// content is what a plan would make, as far as it can be told in words.
type content struct {
	name, start, due string
	things           []thing
}

// thing is something that a plan creates.
type thing struct {
	kind       assent.Kind
	title, due string
}

// contentOf reads the steps of a plan.
func contentOf(steps []json.RawMessage, tools []string) content {
	var c content
	for i, raw := range steps {
		a := argsOf(raw)
		if tools[i] == "create_project" {
			c.name, c.start, c.due = plain(a.text("name")), a.text("start_date"), a.text("due_date")
			for _, k := range []assent.Kind{assent.KindGoal, assent.KindRisk} {
				c.addList(k, a[string(k)+"s"])
			}
		} else if kind, ok := strings.CutPrefix(tools[i], "create_"); ok && a.text("title") != "" {
			c.things = append(c.things, thing{assent.Kind(kind), plain(a.text("title")), a.text("due_date")})
		} else if tools[i] == "publish_document" {
			c.things = append(c.things, thing{assent.KindDocument, plain(a.text("title")), ""})
		}
		for _, m := range milestonesOf(a) {
			c.things = append(c.things, thing{assent.KindMilestone, plain(m.Title), m.DueDate})
			for _, t := range m.Tasks {
				c.things = append(c.things, thing{assent.KindTask, plain(t), ""})
			}
		}
		c.addList(assent.KindTask, a["tasks"])
	}
	return c
}

func (c *content) addList(k assent.Kind, v any) {
	list, _ := v.([]any)
	for _, item := range list {
		t := thing{kind: k, title: plain(titleOf(item))}
		if m, ok := item.(map[string]any); ok {
			t.due = args(m).text("due_date")
		}
		c.things = append(c.things, t)
	}
}

// of gives what a plan creates of a kind.
func (c content) of(k assent.Kind) []thing {
	var out []thing
	for _, t := range c.things {
		if t.kind == k {
			out = append(out, t)
		}
	}
	return out
}

// whatChanged tells the difference between two versions of a plan; "" where it
// is in nothing that this can tell.
func whatChanged(was, is content) string {
	var out []string
	if was.name != is.name {
		out = append(out, "the project is now called "+quoted(is.name))
	}
	out = append(out, dateChanged("the deadline", was.due, is.due)...)
	out = append(out, dateChanged("the start", was.start, is.start)...)
	for _, k := range assent.Kinds() {
		gone, come := missing(was.of(k), is.of(k)), missing(is.of(k), was.of(k))
		out = append(out, listed("without the", k, gone)...)
		out = append(out, listed("with the", k, come)...)
	}
	if was.due == is.due {
		out = append(out, datesMoved(was, is)...)
	}
	return english.Join(out)
}

func dateChanged(what, was, is string) []string {
	switch {
	case was == is:
		return nil
	case is == "":
		return []string{what + " is gone"}
	case was == "":
		return []string{what + " is " + long(is)}
	}
	return []string{fmt.Sprintf("%s is now %s instead of %s", what, long(is), long(was))}
}

// missing are those of a whose titles b has not.
func missing(a, b []thing) []thing {
	var out []thing
	for _, t := range a {
		if !slices.ContainsFunc(b, func(o thing) bool { return o.title == t.title }) {
			out = append(out, t)
		}
	}
	return out
}

// namedAtMost is how many things a difference names; of more it says the number.
const namedAtMost = 3

func listed(how string, k assent.Kind, all []thing) []string {
	if len(all) == 0 {
		return nil
	}
	noun := english.Plural(len(all), string(k))
	if len(all) > namedAtMost {
		return []string{strings.TrimSuffix(how, " the") + " " + noun}
	}
	var titles []string
	for _, t := range all {
		title := quoted(t.title)
		if t.due != "" && strings.HasPrefix(how, "with ") {
			title += " (due " + long(t.due) + ")"
		}
		titles = append(titles, title)
	}
	_, noun, _ = strings.Cut(noun, " ")
	return []string{how + " " + noun + " " + english.Join(titles)}
}

func datesMoved(was, is content) []string {
	var out []string
	for _, t := range is.things {
		i := slices.IndexFunc(was.things, func(o thing) bool { return o.kind == t.kind && o.title == t.title })
		if i >= 0 && was.things[i].due != t.due && t.due != "" {
			out = append(out, quoted(t.title)+" is due "+long(t.due))
		}
	}
	if len(out) > namedAtMost {
		return []string{english.Plural(len(out), "date") + " moved along"}
	}
	return out
}
