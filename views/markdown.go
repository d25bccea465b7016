package views

import (
	"bytes"
	"regexp"
	"slices"
	"sync"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
)

// Markdown renders one block of Markdown as HTML that is safe to show: raw HTML
// is shown as text, images are replaced by their words (a remote one would tell its
// server who reads), links open without a referrer, and everything goes through
// a sanitiser. Headings become level 3, so that a text cannot break the outline
// of the page it stands in.
func Markdown(source string) string {
	var b bytes.Buffer
	if err := engine().Convert([]byte(source), &b); err != nil {
		return "<p>" + string(util.EscapeHTML([]byte(source))) + "</p>"
	}
	return policy().Sanitize(b.String())
}

// engine is built once; it is safe for concurrent use.
var engine = sync.OnceValue(func() goldmark.Markdown {
	own := util.Prioritized(nodes{html.NewRenderer().(*html.Renderer)}, 1)
	return goldmark.New(goldmark.WithParser(plainParser()), goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(renderer.WithNodeRenderers(own)))
})

// plainParser is goldmark's own without blocks of HTML: such a block would take
// the Markdown in and after it out of sight, so its lines are text like others.
func plainParser() parser.Parser {
	blocks := slices.DeleteFunc(parser.DefaultBlockParsers(), func(v util.PrioritizedValue) bool { return v.Value == parser.NewHTMLBlockParser() })
	return parser.NewParser(parser.WithBlockParsers(blocks...), parser.WithInlineParsers(parser.DefaultInlineParsers()...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...))
}

var policy = sync.OnceValue(func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "br", "hr", "em", "strong", "del", "code", "pre", "blockquote", "ul", "ol", "li", "h3", "span", "div",
		"table", "thead", "tbody", "tr", "th", "td")
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^[a-z0-9 -]{1,24}$`)).OnElements("span", "pre", "code", "h3", "div", "li", "th", "td")
	p.AllowAttrs("tabindex").Matching(regexp.MustCompile(`^0$`)).OnElements("pre", "div")
	p.AllowAttrs("role").Matching(regexp.MustCompile(`^(region|img)$`)).OnElements("pre", "div", "span")
	p.AllowAttrs("aria-label").Matching(regexp.MustCompile(`^[A-Za-z ]+$`)).OnElements("pre", "div", "span")
	p.AllowAttrs("start").Matching(bluemonday.Integer).OnElements("ol")
	p.AllowAttrs("href").OnElements("a")
	p.AllowURLSchemes("http", "https", "mailto")
	p.AllowRelativeURLs(true)
	p.RequireParseableURLs(true)
	p.RequireNoReferrerOnLinks(true)
	p.RequireNoFollowOnLinks(true)
	p.AddTargetBlankToFullyQualifiedLinks(true) // brings rel=noopener with it
	return p
})

// nodes renders the few kinds of nodes that the product shows in its own way.
type nodes struct{ plain *html.Renderer }

// RegisterFuncs implements renderer.NodeRenderer.
func (n nodes) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindImage, imageWords)
	r.Register(ast.KindRawHTML, rawHTML)
	r.Register(ast.KindHeading, heading)
	r.Register(ast.KindFencedCodeBlock, n.fenced)
	r.Register(ast.KindCodeBlock, n.fenced)
	r.Register(east.KindTaskCheckBox, checkBox)
	r.Register(east.KindTable, table)
	r.Register(east.KindTableCell, cell)
}

// imageWords shows an image as its description only.
func imageWords(_ util.BufWriter, _ []byte, _ ast.Node, _ bool) (ast.WalkStatus, error) {
	return ast.WalkContinue, nil
}

// lineBreak is the one piece of HTML that models use where Markdown has none: in
// the cells of a table.
var lineBreak = regexp.MustCompile(`(?i)^<br ?/?>$`)

// rawHTML shows HTML as the text that it is.
func rawHTML(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkSkipChildren, nil
	}
	raw := n.(*ast.RawHTML).Segments.Value(source)
	if lineBreak.Match(raw) {
		_, _ = w.WriteString("<br>")
	} else {
		_, _ = w.Write(util.EscapeHTML(raw))
	}
	return ast.WalkSkipChildren, nil
}

func heading(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.WriteString(`<h3 class="h` + itoa(int64(n.(*ast.Heading).Level)) + `">`)
	} else {
		_, _ = w.WriteString("</h3>\n")
	}
	return ast.WalkContinue, nil
}

func checkBox(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering && n.(*east.TaskCheckBox).IsChecked {
		_, _ = w.WriteString(`<span class="box on" role="img" aria-label="done"></span> `)
	} else if entering {
		_, _ = w.WriteString(`<span class="box" role="img" aria-label="to do"></span> `)
	}
	return ast.WalkContinue, nil
}

// table stands in a region of its own that scrolls sideways, also by keyboard.
func table(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.WriteString(`<div class="scroll-x" tabindex="0" role="region" aria-label="Table"><table>`)
		return ast.WalkContinue, nil
	}
	_, _ = w.WriteString("</table></div>\n")
	return ast.WalkContinue, nil
}

// cell carries its alignment as a class; style attributes are not allowed.
func cell(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n, tag := node.(*east.TableCell), "td"
	if n.Parent().Kind() == east.KindTableHeader {
		tag = "th"
	}
	if !entering {
		_, _ = w.WriteString("</" + tag + ">")
		return ast.WalkContinue, nil
	}
	class := ""
	switch n.Alignment {
	case east.AlignRight:
		class = ` class="n"`
	case east.AlignCenter:
		class = ` class="mid"`
	}
	_, _ = w.WriteString("<" + tag + class + ">")
	return ast.WalkContinue, nil
}
