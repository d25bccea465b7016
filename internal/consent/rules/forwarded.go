package rules

import "strings"

// headers are the words before a colon with which a forwarded mail or a
// transcript begins, folded.
var headers = setOf(`from to subject sent date cc reply-to fwd re system assistant user tool admin
	von an betreff gesendet de a objet envoye asunto para enviado oggetto da inviato assunto onderwerp van aan temat od do
	件名 差出人 宛先 发件人 收件人 主题 寄件者 主旨 系统 助手 發件人 寄件人 收件者 主題 系統`)

// wrote are the verbs with which a program introduces a quoted mail.
var wrote = []string{"wrote", "writes", "schrieb", "a ecrit", "escribio", "ha scritto", "escreveu", "schreef", "napisal", "さんの", "写道", "寫道"}

// passedOn are the lines that programs put above what they forward.
var passedOn = []string{"forwarded message", "original message", "begin forwarded", "weitergeleitete nachricht", "ursprungliche nachricht", "message transfere",
	"message d'origine", "mensaje reenviado", "messaggio inoltrato", "mensagem encaminhada", "doorgestuurd bericht", "转发的邮件", "転送されたメッセージ"}

// begins reports a line below which everything is somebody else's.
func begins(line string) bool {
	if len(line) > 200 {
		return false
	}
	colon := strings.IndexAny(line, ":：")
	if colon < 0 && !strings.Contains(strings.ToLower(line), "forwarded") {
		return false
	}
	text := foldText(strings.TrimRight(line, " \t\r"))
	if head, _, ok := strings.Cut(text, ":"); ok && headers[strings.TrimSpace(head)] {
		return true
	}
	if strings.HasSuffix(text, ":") {
		for _, s := range wrote {
			if strings.Contains(text, s) {
				return true
			}
		}
	}
	for _, s := range passedOn {
		if strings.Contains(text, s) {
			return true
		}
	}
	return false
}

func setOf(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}
