package lang

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// json writes a step's object; none at all is the same as an empty one.
func (c *canon) json(name string, raw json.RawMessage) {
	v, _, err := read(raw, maxNesting, maxValues)
	if err != nil {
		if len(raw) > 0 { // no document that was parsed has this
			c.field(name, "?"+string(raw))
		}
		return
	}
	if v.kind == null || v.kind == object && len(v.keys) == 0 {
		return
	}
	c.name(name)
	c.value(v)
}

func (c *canon) value(v value) {
	switch v.kind {
	case array:
		c.out.WriteByte('[')
		for i, item := range v.items {
			if i > 0 {
				c.out.WriteByte(',')
			}
			c.value(item)
		}
		c.out.WriteByte(']')
	case object:
		c.object(v)
	case text:
		quote(&c.out, c.template(v.text))
	default:
		c.out.Write(v.raw)
	}
}

// object sorts its keys; of a key that stands twice the last counts.
func (c *canon) object(v value) {
	c.out.WriteByte('{')
	for _, k := range slices.Compact(slices.Sorted(slices.Values(v.keys))) {
		item, _ := v.get(k)
		c.name(k)
		c.value(item)
	}
	c.out.WriteByte('}')
}

// template rewrites a string value: literal text is escaped, so that what
// stands between `{{` and `}}` is a reference and nothing else can be one.
func (c *canon) template(s string) string {
	t, err := ParseTemplate(s)
	if err != nil {
		return "{{ ? }}" + s // no document without errors has this
	}
	var b strings.Builder
	for _, p := range t.Parts {
		if p.Ref != nil {
			b.WriteString(c.reference(*p.Ref))
		} else {
			b.WriteString(strings.ReplaceAll(p.Literal, "{{", "{{{{"))
		}
	}
	if out := b.String(); strings.HasPrefix(out, "$$") || special.MatchString(out) {
		return "$" + out
	}
	return b.String()
}

// reference names the step instead of its position or its result_key.
func (c *canon) reference(r Ref) string {
	from := ""
	switch r.Root {
	case RootOutput:
		from = "$" + strconv.Itoa(r.Index) // a step that is not there
		if r.Index >= 0 && r.Index < len(c.ids) {
			from = "step." + c.ids[r.Index]
		}
	case RootResult:
		from = "result." + r.Key
		if id, ok := c.keys[r.Key]; ok {
			from = "step." + id
		}
	default:
		from = string(r.Root) + "." + r.Key
	}
	return "{{ " + strings.Join(append([]string{from}, r.Path...), ".") + " }}"
}
