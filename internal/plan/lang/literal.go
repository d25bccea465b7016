package lang

import (
	"bytes"
	"encoding/json"
	"strings"

	"assent/internal/assent"
)

// Literal rewrites the arguments of a call that was not written in the plan
// language so that a plan takes them as they are: Resolve gives them back,
// whatever their strings hold.
func Literal(raw json.RawMessage) (json.RawMessage, error) {
	if !mayRefer(raw) {
		return raw, nil
	}
	v, _, err := read(raw, maxNesting, maxValues)
	if err != nil {
		return raw, assent.Errorf(assent.CodeInvalid, "These arguments cannot be read: %s.", err)
	}
	var b bytes.Buffer
	writeLiteral(&b, v)
	return b.Bytes(), nil
}

func writeLiteral(b *bytes.Buffer, v value) {
	switch v.kind {
	case array:
		b.WriteByte('[')
		for i, item := range v.items {
			b.WriteString(strings.Repeat(",", min(i, 1)))
			writeLiteral(b, item)
		}
		b.WriteByte(']')
	case object:
		b.WriteByte('{')
		for i, item := range v.items {
			b.WriteString(strings.Repeat(",", min(i, 1)))
			quote(b, v.keys[i])
			b.WriteByte(':')
			writeLiteral(b, item)
		}
		b.WriteByte('}')
	case text:
		quote(b, Escape(v.text))
	default:
		b.Write(v.raw)
	}
}
