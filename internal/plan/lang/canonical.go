package lang

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"assent/internal/assent"
)

// BindingsDigest is the name under which Canonical takes a digest of what the
// caller passes in: two plans that differ in their inputs do different things.
const BindingsDigest = "{{bindings}}"

// Canonical gives the form that hashes and differences are taken over; design
// 03 §5 item 1. It holds what a run does and nothing else: label, objective and
// reasoning are left out, as are the lists of wishes that only a planner reads.
// A reference reads as the id of its step and a path, whichever notation and
// position it had, so that a step may be removed before another without
// changing it. Absent and default values are the same. digests maps names of
// tools and agents to digests of their definitions (schema, effect, source;
// version, allowed tools); those of the names in use become part of the form.
func Canonical(doc assent.PlanDocument, digests map[string]string) []byte {
	c := canon{digests: digests, keys: map[string]string{}}
	for _, st := range doc.Steps {
		c.ids = append(c.ids, st.ID)
	}
	each(doc.Steps, func(st *assent.Step) {
		if st.ResultKey != "" && c.keys[st.ResultKey] == "" {
			c.keys[st.ResultKey] = st.ID
		}
	})
	c.out.WriteByte('{')
	if d := digests[BindingsDigest]; d != "" {
		c.field("inputs", d)
	}
	c.steps(doc.Steps)
	c.out.WriteByte('}')
	return c.out.Bytes()
}

// Hash is the SHA-256 of the canonical form, in hex.
func Hash(doc assent.PlanDocument, digests map[string]string) string {
	sum := sha256.Sum256(Canonical(doc, digests))
	return hex.EncodeToString(sum[:])
}

type canon struct {
	out     bytes.Buffer
	digests map[string]string
	ids     []string          // of top-level steps
	keys    map[string]string // result_key → id of the step that sets it
}

func (c *canon) steps(steps []assent.Step) {
	c.name("steps")
	c.out.WriteByte('[')
	for i, st := range steps {
		if i > 0 {
			c.out.WriteByte(',')
		}
		c.step(st)
	}
	c.out.WriteByte(']')
}

// step writes the fields in a fixed order; empty ones are left out.
func (c *canon) step(st assent.Step) {
	c.out.WriteByte('{')
	c.field("id", st.ID)
	c.field("type", string(st.Type))
	c.field("tool", st.Tool)
	c.field("agent", st.Agent)
	c.field("action", st.Action)
	c.field("mode", st.Mode)
	c.field("prompt", c.template(st.Prompt))
	c.json("with", st.With)
	c.json("arguments", st.Arguments)
	if st.Type == assent.StepParallel {
		c.field("merge", orDefault(st.Merge, MergeCollect))
	} else {
		c.field("merge", st.Merge)
	}
	c.number("max_concurrency", int64(st.MaxConcurrency))
	c.number("timeout_ms", st.TimeoutMS)
	c.field("result_key", st.ResultKey)
	c.field("digest", c.digests[st.Tool+st.Agent])
	if len(st.Steps) > 0 {
		c.steps(st.Steps)
	}
	c.out.WriteByte('}')
}

func orDefault(s, def string) string {
	if s == "" {
		return def
	}
	return s
}

// name begins a field.
func (c *canon) name(name string) {
	if b := c.out.Bytes(); b[len(b)-1] != '{' {
		c.out.WriteByte(',')
	}
	quote(&c.out, name)
	c.out.WriteByte(':')
}

func (c *canon) field(name, s string) {
	if s != "" {
		c.name(name)
		quote(&c.out, s)
	}
}

func (c *canon) number(name string, n int64) {
	if n != 0 {
		c.name(name)
		c.out.WriteString(strconv.FormatInt(n, 10))
	}
}

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
