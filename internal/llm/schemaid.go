package llm

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
)

// toolSchemaID is a short name for the tools on offer, so that an admin can see
// which calls saw the same ones. Empty without tools.
func toolSchemaID(tools []Tool) string {
	if len(tools) == 0 {
		return ""
	}
	h := sha256.New()
	for _, t := range tools {
		io.WriteString(h, t.Name)
		h.Write([]byte{0})
		io.WriteString(h, t.Description)
		h.Write([]byte{0})
		h.Write(t.Schema)
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil)[:6])
}
