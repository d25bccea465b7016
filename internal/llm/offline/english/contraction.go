package english

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// contractions maps what people write to two words. The second one is the tail.
var contractions = map[string][2]string{
	"whats": {"what", "is"}, "wheres": {"where", "is"}, "hows": {"how", "is"}, "whos": {"who", "is"},
	"thats": {"that", "is"}, "theres": {"there", "is"}, "lets": {"let", "us"}, "im": {"i", "am"},
	"ive": {"i", "have"}, "weve": {"we", "have"}, "theyre": {"they", "are"}, "youre": {"you", "are"},
	"dont": {"do", "not"}, "doesnt": {"does", "not"}, "didnt": {"did", "not"}, "cant": {"can", "not"},
	"cannot": {"can", "not"}, "wont": {"will", "not"}, "isnt": {"is", "not"}, "arent": {"are", "not"},
	"havent": {"have", "not"}, "hasnt": {"has", "not"}, "shouldnt": {"should", "not"}, "couldnt": {"could", "not"},
	"wanna": {"want", "to"}, "gonna": {"going", "to"}, "gotta": {"got", "to"}, "can't": {"can", "not"}, "won't": {"will", "not"},
	"lemme": {"let", "me"}, "gimme": {"give", "me"},
}

var tails = map[string]string{"'s": "is", "'re": "are", "'m": "am", "'ve": "have", "'ll": "will", "'d": "would", "n't": "not"}

// openers are the words whose 's means "is" and no possession.
var openers = map[string]bool{"what": true, "where": true, "how": true, "who": true, "when": true, "why": true,
	"that": true, "there": true, "here": true, "it": true, "he": true, "she": true, "everything": true, "which": true}

// joined maps spellings of one word to the one that patterns use.
var joined = map[string]string{
	"set-up": "setup", "kick-off": "kickoff", "to-do": "todo", "to-dos": "todos", "check-list": "checklist",
	"re-open": "reopen", "un-block": "unblock", "re-name": "rename", "pls": "please", "plz": "please", "thx": "thanks",
	"tmrw": "tomorrow", "tmr": "tomorrow", "tmw": "tomorrow", "2moro": "tomorrow", "docs": "documents", "doc": "document",
	"proj": "project", "u": "you", "ur": "your", "w/": "with", "w/o": "without", "organize": "organise",
	"organizing": "organising", "prioritize": "prioritise", "reprioritize": "reprioritise", "re-prioritise": "reprioritise",
	"re-prioritize": "reprioritise", "cancelled": "canceled", "&": "and", "prio": "priority", "ok": "okay", "k": "okay",
}

// expand splits contractions and unifies spellings.
func expand(tok Token, src string) []Token {
	if tok.Kind == Punct && tok.Word == "&" {
		tok.Word = "and"
	}
	if tok.Kind != Word {
		return []Token{tok}
	}
	if pair, ok := contractions[tok.Word]; ok {
		return split(tok, src, pair[0], pair[1], len(pair[0]))
	}
	if w, ok := joined[tok.Word]; ok {
		tok.Word = w
		return []Token{tok}
	}
	if tail, ok := strings.CutPrefix(tok.Word, "mid-"); ok {
		return split(tok, src, "mid", tail, len("mid-"))
	}
	return expandTail(tok, src)
}

func expandTail(tok Token, src string) []Token {
	for suffix, word := range tails {
		base, ok := strings.CutSuffix(tok.Word, suffix)
		if !ok || base == "" {
			continue
		}
		if suffix == "'s" && base == "let" {
			return split(tok, src, "let", "us", len(base))
		}
		if suffix == "'s" && !openers[base] {
			tok.Word = base // possession: the token keeps its raw form
			return []Token{tok}
		}
		at := strings.LastIndexAny(src[tok.Start:tok.End], "'’")
		if suffix == "n't" {
			at--
		}
		if at <= 0 {
			continue
		}
		return split(tok, src, base, word, at)
	}
	if base, ok := strings.CutSuffix(tok.Word, "s'"); ok && base != "" {
		tok.Word = base + "s"
	}
	return []Token{tok}
}

// split cuts tok at byte "at" of its raw form, or not at all where that is no
// place to cut.
func split(tok Token, src, first, second string, at int) []Token {
	if at <= 0 || tok.Start+at >= tok.End {
		return []Token{tok}
	}
	a, b := tok, tok
	a.Word, a.End = first, tok.Start+at
	b.Word, b.Start, b.Capital = second, tok.Start+at, upperAt(src, tok.Start+at)
	return []Token{a, b}
}

func upperAt(s string, i int) bool {
	r, _ := utf8.DecodeRuneInString(s[i:])
	return unicode.IsUpper(r)
}
