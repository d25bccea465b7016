package said

import "regexp"

// months are the names of months in the languages of the reader, folded, with
// the short forms that mean nothing else.
var months = tableOf(`
1 january jan januar jaenner janvier enero gennaio janeiro januari styczen stycznia styczniu
2 february feb februar fevrier febrero febbraio fevereiro februari luty lutego lutym
3 march maerz marz mars marzo marco maart marzec marca marcu
4 april apr avril abril aprile kwiecien kwietnia kwietniu
5 may mai mayo maggio maio mei maj maja maju
6 june jun juni juin junio giugno junho czerwiec czerwca czerwcu
7 july jul juli juillet julio luglio julho lipiec lipca lipcu
8 august aug aout agosto augustus sierpien sierpnia sierpniu
9 september sep sept septembre septiembre settembre setembro wrzesien wrzesnia wrzesniu
10 october oct okt oktober octobre octubre ottobre outubro pazdziernik pazdziernika pazdzierniku
11 november nov novembre noviembre novembro listopad listopada listopadzie
12 december dec dez dezember decembre diciembre dicembre dezembro grudzien grudnia grudniu`)

// weekdays are counted as the time package does.
var weekdays = tableOf(`
0 sunday sonntag dimanche domingo domenica zondag niedziela niedziele
1 monday montag lundi lunes lunedi maandag poniedzialek
2 tuesday dienstag mardi martes martedi dinsdag wtorek
3 wednesday mittwoch mercredi miercoles mercoledi woensdag sroda srode
4 thursday donnerstag jeudi jueves giovedi donderdag czwartek
5 friday freitag vendredi viernes venerdi vrijdag piatek
6 saturday samstag samedi sabado sabato zaterdag sobota sobote`)

// month is a name, or the East Asian number of one; the group is what names it.
const month = `(january|jan|januar|jaenner|janvier|enero|gennaio|janeiro|januari|stycz\p{L}+|` +
	`february|feb|februar|fevrier|febrero|febbraio|fevereiro|februari|lut(?:y|ego|ym)|` +
	`march|maerz|marz|mars|marzo|marco|maart|marzec|marca|marcu|` +
	`april|apr|avril|abril|aprile|kwie\p{L}+|may|mai|mayo|maggio|maio|mei|maj[au]?|` +
	`june|jun|juni|juin|junio|giugno|junho|czerw\p{L}+|july|jul|juli|juillet|julio|luglio|julho|lip(?:iec|ca|cu)|` +
	`august|aug|aout|agosto|augustus|sierp\p{L}+|sept?|septemb(?:er|re)|septiembre|settembre|setembro|wrzes\p{L}+|` +
	`oct|okt|october|oktober|octobre|octubre|ottobre|outubro|pazdziernik\p{L}*|nov|november|novembre|noviembre|novembro|listopad\p{L}*|` +
	`dec|dez|december|dezember|decembre|diciembre|dicembre|dezembro|grud\p{L}+)\b\.?`

const (
	of    = `\s*(?:of|de|d'|di|du|do|da|dell[ao]?|van|vom|des)?\s*(?:the\s+)?`
	year  = `(?:,?\s*(?:of\s+|de\s+)?(20\d\d))?`
	start = `\b(?:start|beginning|begin|anfang|debut|principios?|comienzos?|inicio|inizio|comeco|poczatek|poczatku)`
	mid   = `\b(?:middle|mid|mitte|mi|milieu|mediados|meta|meados|halverwege|medio|polowa|polowie)`
	end   = `\b(?:end|ende|fin|finales|fine|fim|final|eind|einde|koniec|konca)`
)

// The ways to say a date, each taken out of the words before the next is tried.
var (
	isoDate     = regexp.MustCompile(`\b(20\d\d)-(\d\d)-(\d\d)(?:\b|t)`)
	numericDate = regexp.MustCompile(`\b(\d{1,2})\s?([./-])\s?(\d{1,2})\s?[./-]\s?(20\d\d)\b`)
	hanDate     = regexp.MustCompile(`(?:(20\d\d)年)?(\d{1,2})月(?:(\d{1,2})[日号]|(初|头|頭)|(中)|(末|底))?`)
	endOf       = regexp.MustCompile(end + of + month + year)
	startOf     = regexp.MustCompile(start + of + month + year)
	midOf       = regexp.MustCompile(mid + `[-\s]?` + of + month + year)
	dayMonth    = regexp.MustCompile(`\b(\d{1,2})(?:st|nd|rd|th|er|\.|º|ª|o|e)?` + of + month + year)
	monthDay    = regexp.MustCompile(`\b` + month + `\s+(?:the\s+)?(\d{1,2})(?:st|nd|rd|th)?\b` + year)
	wholeMonth  = regexp.MustCompile(`\b` + month + year)
	quarter     = regexp.MustCompile(`\bq([1-4])` + year)
	endOfThis   = regexp.MustCompile(end + `(?: of)? (?:the|this|next) (week|month|year)\b`)
	relative    = regexp.MustCompile(`\b(the day after tomorrow|tomorrow|today|morgen|heute|demain|manana|domani|amanha|jutro|明日|明天|next week|next month|next year)\b`)
	within      = regexp.MustCompile(`\bin (\p{L}+|\d+) (day|week|month|year)s?\b`)
	weekday     = regexp.MustCompile(`\b(next )?(sunday|sonntag|dimanche|domingo|domenica|zondag|niedziel[ae]|monday|montag|lundi|lunes|lunedi|maandag|poniedzialek|tuesday|dienstag|mardi|martes|martedi|dinsdag|wtorek|wednesday|mittwoch|mercredi|miercoles|mercoledi|woensdag|srod[ae]|thursday|donnerstag|jeudi|jueves|giovedi|donderdag|czwartek|friday|freitag|vendredi|viernes|venerdi|vrijdag|piatek|saturday|samstag|samedi|sabado|sabato|zaterdag|sobot[ae])\b`)
)
