package lang

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"assent/internal/assent"
)

// BindingsDigest is the name under which Canonical takes a digest of what the
// caller passes in: two plans that differ in their inputs do different things.
const BindingsDigest = "{{bindings}}"

// ContentsDigest is the name under which Canonical takes a digest of what decides
// a step's effect beside its arguments, such as a template's contents.
func ContentsDigest(stepID string) string { return "{{contents}}" + stepID }

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
	c.field("digest", c.digests[st.Tool+st.Agent]+c.digests[ContentsDigest(st.ID)])
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
