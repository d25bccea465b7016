package rules_test

import (
	"strings"
	"testing"

	"assent/internal/assent"
	"assent/internal/consent/rules"
)

// size is the length of the longest message that the server takes.
const size = 32 << 10

// long gives messages of the greatest length that are made to be slow.
func long() map[string]string {
	fill := func(s string) string { return strings.Repeat(s, size/len(s)+1)[:size] }
	return map[string]string{
		"prose": fill("some words about the office move "), "yes": fill("yes "), "one word": fill("a"), "quotes": fill("\""), "open quotes": fill("«"), "nested quotes": fill("“„「"),
		"apostrophes": fill(" 'a"), "brackets": fill("[(<"), "tags": fill("<a"), "closed tags": fill("<a>"), "code": fill("`"), "fences": fill("```\n"), "lines": fill("\n"),
		"headers": fill("From: a\n"), "colons": fill(": wrote:\n"), "chinese": fill("好的执行"), "unknown chinese": fill("龘"), "kana": fill("はいお願いします"), "half-width kana": fill("ﾊﾞ"),
		"emoji": fill("👍🏽"), "joined emoji": fill("🙅‍♀️"), "accents": fill("é"), "combining": fill("e\u0301"), "digits": fill("1"), "points": fill("."), "not text": fill("\xff"),
		"invisible": fill("\u200b"), "spaces": fill(" "), "slips": fill("yse gp "), "quoted lines": fill("> a\n"),
	}
}

// Messages of the greatest length are read, whatever they are made of, and none
// of them approves anything. How long it takes is what BenchmarkRead32KB tells.
func TestTheLongestMessagesApproveNothing(t *testing.T) {
	t.Parallel()
	for name, message := range long() {
		if r, _ := rules.Read(message, waiting()); r.As == assent.ReadApprove && r.Counts {
			t.Errorf("%s is read as an approval", name)
		}
	}
}

func BenchmarkReadShort(b *testing.B) {
	s := waiting()
	for name, message := range map[string]string{"approval": "looks good, please run it now", "change": "yes, but leave out 3 and put it in April", "slip": "gp ahead", "chinese": "可以，但是去掉第3步"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			rules.Read(message, s) // the lexicons are built on first use
			for b.Loop() {
				rules.Read(message, s)
			}
		})
	}
}

func BenchmarkRead32KB(b *testing.B) {
	s := waiting()
	rules.Read("yes", s) // the lexicons are built on first use
	for name, message := range long() {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				rules.Read(message, s)
			}
		})
	}
}
