package said

import (
	"math/big"
	"regexp"
	"strings"
)

// digits is a number in digits with whatever groups and divides it.
var digits = regexp.MustCompile(`\d+(?:[.,'\x{00a0}\x{202f}]\d+)*`)

// grouped is a number of which every divider groups thousands.
var grouped = regexp.MustCompile(`^\d{1,3}(?:[.,'\x{00a0}\x{202f}]\d{3})+$`)

// stepName is a number that names a step, not a value.
var stepName = regexp.MustCompile(`(?:steps?|schritte?|etapes?|pasos?|passos?|passi|passo|stap(?:pen)?|krok(?:i|u)?|ステップ|手順|步骤|第)\s*(?:(?:no|nr)\.?\s*)?\d+(?:\.\d+)?`)

// ones are the words for small numbers in the languages of the reader, folded.
// Words that are an article as well are left to where they count something.
var ones = tableOf(`
0 zero null nul zerowy
1 one eins uno jeden 一
2 two zwei deux dos due dois duas twee dwa dwie 二 两
3 three drei trois tres tre drie trzy 三
4 four vier quatre cuatro quattro quatro cztery 四
5 five funf cinq cinco cinque vijf piec 五
6 six sechs seis zes szesc 六
7 seven sieben sept siete sette sete zeven siedem 七
8 eight acht huit ocho otto oito osiem 八
9 nine neun neuf nueve nove negen dziewiec 九
10 ten zehn dix diez dieci dez tien dziesiec 十
11 eleven elf onze undici
12 twelve dozen zwolf douze doce dodici doze twaalf dwanascie
13 thirteen dreizehn treize trece tredici treze dertien
14 fourteen vierzehn quatorze catorce quattordici catorze veertien
15 fifteen funfzehn quinze quince quindici vijftien
16 sixteen sechzehn seize dieciseis sedici dezesseis zestien
17 seventeen siebzehn diecisiete diciassette zeventien
18 eighteen achtzehn dieciocho diciotto dezoito achttien
19 nineteen neunzehn diecinueve diciannove negentien
20 twenty zwanzig vingt veinte venti vinte twintig dwadziescia
30 thirty dreissig trente treinta trenta trinta dertig
40 forty vierzig quarante cuarenta quaranta quarenta veertig
50 fifty funfzig cinquante cincuenta cinquanta cinquenta vijftig
60 sixty sechzig soixante sesenta sessanta sessenta zestig
70 seventy siebzig setenta settanta zeventig
80 eighty achtzig ochenta ottanta oitenta tachtig
90 ninety neunzig noventa novanta negentig`)

var scales = tableOf(`
100 hundred hundert cent cien ciento cento cem honderd sto 百
1000 thousand tausend mille mil duizend tysiac 千
10000 万
1000000 million`)

func tableOf(lines string) map[string]int64 {
	out := map[string]int64{}
	for line := range strings.Lines(strings.TrimSpace(lines)) {
		fields := strings.Fields(line)
		n, _ := new(big.Int).SetString(fields[0], 10)
		for _, w := range fields[1:] {
			out[w] = n.Int64()
		}
	}
	return out
}

// Number reports whether a number stands in the words, in digits however they
// are grouped or as a word. The number of a step is none.
func Number(text, value string) bool {
	want, ok := new(big.Rat).SetString(value)
	if !ok || len(value) > 40 {
		return false
	}
	for _, n := range numbers(stepName.ReplaceAllString(fold(text), " ")) {
		if n.Cmp(want) == 0 {
			return true
		}
	}
	return false
}

// numbers gives the numbers of a folded text.
func numbers(s string) []*big.Rat {
	var out []*big.Rat
	for _, d := range digits.FindAllString(s, -1) {
		if n, ok := numeral(d); ok {
			out = append(out, n)
		}
	}
	return append(out, spelt(words(s))...)
}

// numeral reads digits. "1.500" and "1,500" are fifteen hundred, "1,5" and "1.5"
// are one and a half.
func numeral(s string) (*big.Rat, bool) {
	marks := strings.Trim(s, "0123456789")
	if grouped.MatchString(s) && same(s) {
		s = clean(s)
	} else if i := strings.LastIndexAny(s, ".,"); marks != "" && i >= 0 {
		if head := s[:i]; strings.ContainsAny(head, ".,'\u00a0\u202f") && !grouped.MatchString(head) {
			return nil, false // "31.3.2027" is no number
		}
		s = clean(s[:i]) + "." + s[i+1:]
	}
	if len(s) > 40 {
		return nil, false
	}
	return new(big.Rat).SetString(s)
}

// same reports whether all dividers of a number are the same sign.
func same(s string) bool {
	first := rune(0)
	for _, r := range s {
		if r >= '0' && r <= '9' {
			continue
		}
		if first != 0 && r != first {
			return false
		}
		first = r
	}
	return true
}

func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, s)
}

// spelt reads numbers in words: "two", "two hundred and fifty", "twenty five".
func spelt(ws []string) []*big.Rat {
	var out []*big.Rat
	for i := 0; i < len(ws); {
		n, used := speltAt(ws[i:])
		if used == 0 {
			i++
			continue
		}
		out = append(out, new(big.Rat).SetInt64(n))
		i += used
	}
	return out
}

func speltAt(ws []string) (n int64, used int) {
	var total, part int64
	known := false
	for i := 0; i < len(ws) && i < 12; i++ {
		one, isOne := ones[ws[i]]
		scale, isScale := scales[ws[i]]
		switch {
		case isOne && (!known || part == 0 && total > 0 || part > 0 && part%100 == 0 || part%10 == 0 && part%100 >= 20 && one > 0 && one < 10):
			part += one
		case isScale && scale == 100:
			part = max(part, 1) * 100
		case isScale && total == 0:
			total, part = max(part, 1)*scale, 0
		case ws[i] == "and" && known && i+1 < len(ws):
			if _, more := ones[ws[i+1]]; !more || part%100 != 0 {
				return total + part, used
			}
			continue
		case ws[i] == "a" && !known && i+1 < len(ws):
			if _, ok := scales[ws[i+1]]; !ok {
				return 0, 0
			}
			continue
		default:
			return total + part, used
		}
		known, used = true, i+1
	}
	return total + part, used
}
