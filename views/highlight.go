package views

import (
	"embed"
	"io/fs"
	"strings"
	"sync"

	"github.com/alecthomas/chroma/v2"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
)

// maxHighlighted bounds the code that is coloured, in bytes; longer code is
// shown plain.
const maxHighlighted = 64 << 10

//go:embed lexers/*.xml
var lexerFiles embed.FS

// lexers are the languages that are coloured, read when the first code block is
// shown.
var lexers = sync.OnceValue(func() *chroma.LexerRegistry {
	r := chroma.NewLexerRegistry()
	names, err := fs.Glob(lexerFiles, "lexers/*.xml")
	if err != nil {
		panic(err) // the pattern is right
	}
	for _, name := range names {
		r.Register(chroma.MustNewXMLLexer(lexerFiles, name)) // a test reads them all
	}
	return r
})

// fenced shows a code block, coloured where its language is known.
func (n nodes) fenced(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	var code strings.Builder
	for i := range node.Lines().Len() {
		line := node.Lines().At(i)
		code.Write(line.Value(source))
	}
	lang := ""
	if f, ok := node.(*ast.FencedCodeBlock); ok {
		lang = string(f.Language(source))
	}
	_, _ = w.WriteString(`<pre class="code" tabindex="0" role="region" aria-label="Code"><code>`)
	if !colour(w, lang, code.String()) {
		_, _ = w.Write(util.EscapeHTML([]byte(code.String())))
	}
	_, _ = w.WriteString("</code></pre>\n")
	return ast.WalkContinue, nil
}

// colour writes code as spans with chroma's short classes; false if it cannot.
func colour(w util.BufWriter, lang, code string) bool {
	if lang == "" || len(code) > maxHighlighted {
		return false
	}
	lexer := lexers().Get(lang)
	if lexer == nil {
		return false
	}
	tokens, err := chroma.Tokenise(chroma.Coalesce(lexer), nil, code)
	if err != nil {
		return false
	}
	for _, t := range tokens {
		class := chroma.StandardTypes[t.Type]
		if class != "" {
			_, _ = w.WriteString(`<span class="` + class + `">`)
		}
		_, _ = w.Write(util.EscapeHTML([]byte(t.Value)))
		if class != "" {
			_, _ = w.WriteString("</span>")
		}
	}
	return true
}
