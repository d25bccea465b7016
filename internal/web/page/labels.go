package page

import (
	"context"
	"encoding/json"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/views"

	"github.com/labstack/echo/v4"
)

// labels turns stored values into what people read: names for ids, dates in
// the reader's form.
type labels struct {
	ctx    context.Context
	reads  store.Reads
	reader views.Reader
	people *names
	titles map[string]string
}

func (p *Pages) labels(c echo.Context) *labels {
	return &labels{ctx: c.Request().Context(), reads: p.Store.Reads, reader: reader(c), people: p.names(c), titles: map[string]string{}}
}

// title is what a thing is called; what is gone has no title any more.
func (l *labels) title(id string) (string, error) {
	if t, ok := l.titles[id]; ok || id == "" {
		return t, nil
	}
	n, err := l.reads.FindAny(l.ctx, id)
	title := "something deleted since"
	if err == nil {
		title = store.Title(n)
	} else if assent.ErrorCode(err) != assent.CodeNotFound {
		return "", err
	}
	l.titles[id] = title
	return title, nil
}

// value is a field's value as people read it; whole says that it is compared as
// one, not word by word.
func (l *labels) value(field, v string) (text string, whole bool, err error) {
	switch field {
	case "assignee_id", "owner_id":
		text, err = l.people.of(v)
		return text, true, err
	case "milestone_id", "from_id", "to_id":
		text, err = l.title(v)
		return text, true, err
	case "start_date", "due_date", "decided_on":
		return l.reader.Date(assent.Date(v)), true, nil
	case "status", "priority", "likelihood", "impact", "type":
		return views.StatusWords(v), true, nil
	}
	return v, false, nil
}

// shownFields are the fields that a history shows, in order, with their labels.
func shownFields(k assent.Kind) []views.Option {
	if k == assent.KindRelation {
		return []views.Option{{Value: "type", Label: "Kind"}, {Value: "from_id", Label: "From"}, {Value: "to_id", Label: "To"}, {Value: "note", Label: "Note"}}
	}
	var out []views.Option
	for _, f := range fieldsOf(k, choices{}) {
		out = append(out, views.Option{Value: f.Name, Label: f.Label})
	}
	return out
}

// longText is from how many characters on a value is compared line by line.
const longText = 160

// differences lists what a write changed, field by field. A creation shows the
// fields as they were filled, a deletion none: what was there is said by its title.
func (l *labels) differences(before, after json.RawMessage, k assent.Kind) ([]views.FieldChange, error) {
	if len(after) == 0 {
		return nil, nil
	}
	old, err := textFields(before)
	if err != nil {
		return nil, err
	}
	now, err := textFields(after)
	if err != nil {
		return nil, err
	}
	var out []views.FieldChange
	for _, f := range shownFields(k) {
		if old[f.Value] == now[f.Value] {
			continue
		}
		c, err := l.fieldChange(f, old[f.Value], now[f.Value], len(before) == 0)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// replaced shows one value in the place of another; an empty one is not shown.
func replaced(before, after string) []views.DiffSpan {
	var out []views.DiffSpan
	if before != "" {
		out = append(out, views.DiffSpan{Op: views.DiffRemoved, Text: before})
	}
	if before != "" && after != "" {
		out = append(out, views.DiffSpan{Text: " "})
	}
	if after != "" {
		out = append(out, views.DiffSpan{Op: views.DiffAdded, Text: after})
	}
	return out
}

// fieldChange shows what became of one field; of a new thing only what it is.
func (l *labels) fieldChange(f views.Option, before, after string, made bool) (views.FieldChange, error) {
	out := views.FieldChange{Label: f.Label}
	a, _, err := l.value(f.Value, before)
	if err != nil {
		return out, err
	}
	b, whole, err := l.value(f.Value, after)
	switch {
	case made:
		out.Spans = []views.DiffSpan{{Text: assent.Clip(b, longText)}}
	case whole:
		out.Spans = replaced(a, b)
	case len(a) > longText || len(b) > longText:
		out.Lines = views.DiffText(a, b)
	default:
		out.Spans = views.DiffWords(a, b)
	}
	return out, err
}
