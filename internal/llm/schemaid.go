package llm

import (
	"crypto/sha256"
	"encoding/hex"
)

// toolSchemaID is a short name for the tools on offer, so that an admin can see
// which calls saw the same ones. Empty without tools.
func toolSchemaID(tools []Tool) string {
	if len(tools) == 0 {
		return ""
	}
	h := sha256.New()
	var buf []byte // strings are written through it, since a hash takes bytes
	for _, t := range tools {
		buf = append(append(buf[:0], t.Name...), 0)
		buf = append(append(buf, t.Description...), 0)
		h.Write(buf)
		h.Write(t.Schema)
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil)[:6])
}
