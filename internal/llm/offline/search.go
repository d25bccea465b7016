package offline

import (
	"fmt"
	"strings"

	"assent/internal/assent"
	"assent/internal/llm/offline/english"
)

var searchWords = groups.Compile(`^(?:{find}|any|do we have|have we|did we|is there|are there|which|what|anything|something|everything|looking for|searching for|query)(?: (?:me|for|through|in|all|everything|anything|something|any|{det}|we|i|put|write|save|note|have|written|down|about|on|regarding|related to|mentioning|mentions|mention|that|which|say|says|contain|contains|containing|with|word|called|named|titled|where|keep|stuff|know|do|does|talk|talks|refer|refers|to|is|are|notes|:|workspace|things|of|by|everywhere))*`)

// search answers a wish to find something.
func (s *situation) search(a *ask) answer {
	m, rest := s.takeProject(a.text)
	kind, named := firstNoun(rest)
	t := rest
	if hit, ok := searchWords.Find(t.Canon()); ok {
		t = t.Drop(hit.Range)
	}
	query := target(t.Drop(nounRanges(t)...), "about", "mentioning", "on", "regarding", "?", "with", "that", "mention", "mentions", "containing", "which", "anywhere", "somewhere", "again", "say", "says", "is", "are", "written", "kept")
	if query == "" || onlyStop(query) {
		if named {
			return s.list(a)
		}
		query = strings.ToLower(target(rest))
	}
	in, next := s.inMention(m)
	if next != nil && m.named() {
		return *next
	}
	c := searchCall(kind, named, query, in)
	if m.known.ID != "" && onlyStop(query) {
		return s.openProject(m)
	}
	if !s.tried(c) {
		return answer{calls: []call{c}}
	}
	o, _ := s.latest(c.tool)
	if !o.env.Success {
		return explainError(o)
	}
	if c.tool == "search" {
		return s.tellSearch(query, o)
	}
	return say(s.tellList(question{call: c, kind: kind, about: english.Plural(2, string(kind))[2:] + " for " + quoted(query)}, o))
}

func searchCall(kind assent.Kind, named bool, query string, in entity) call {
	arguments := args{"query": query}
	switch {
	case named && kind == assent.KindDocument:
		if in.ID != "" {
			arguments["project_id"] = in.ID
		}
		return call{"search_documents", arguments}
	case named && kind == assent.KindTask:
		if in.ID != "" {
			arguments["project_id"] = in.ID
		}
		return call{"list_tasks", arguments}
	case named && (kind == assent.KindProject || kind == assent.KindTemplate):
		return call{listTools[kind], arguments}
	case named:
		arguments["kinds"] = []string{string(kind)}
	}
	return call{"search", arguments}
}

// nounRanges are the nouns of kinds in t: they say where to look, not what for.
func nounRanges(t english.Text) []english.Range {
	var out []english.Range
	for i := range t.Tokens {
		if _, ok := kindNouns[t.Tokens[i].Word]; ok && t.Len() > 1 {
			out = append(out, english.Range{From: i, To: i + 1})
		}
	}
	return out
}

// tellSearch tells the hits of a search.
func (s *situation) tellSearch(query string, o outcome) answer {
	var found struct {
		Hits  []entity `json:"hits"`
		Total int      `json:"total"`
	}
	if !o.artifact(&found) {
		return explainFailure(o)
	}
	if len(found.Hits) == 0 {
		return sayf("I found nothing for %s. I look for words in names, descriptions and documents; try another word.", quoted(query))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "**Found for %s** (%d)\n\n", quoted(query), max(found.Total, len(found.Hits)))
	for _, h := range found.Hits[:min(len(found.Hits), maxTold)] {
		fmt.Fprintf(&b, "- %s: %s%s", english.Sentence(string(h.Kind)), h.label(), s.where(h))
		if snippet := english.Squeeze(h.Snippet); snippet != "" && !strings.Contains(snippet, h.label()) {
			fmt.Fprintf(&b, " – %s", english.Clip(snippet, 25))
		}
		b.WriteString("\n")
	}
	return say(strings.TrimRight(b.String(), "\n"))
}

// explainFailure explains an outcome that is an error or cannot be read.
func explainFailure(o outcome) answer {
	if !o.env.Success && o.env.Error != nil {
		return explainError(o)
	}
	return say("I got an answer that I could not read. Please try it in other words.")
}
