package said

import (
	"slices"
	"strings"
)

// kinds are the words for what a workspace holds, folded, in the languages of
// the reader; longer forms of a word count as well.
var kinds = map[string][]string{
	"milestone": strings.Fields("milestone meilenstein jalon hito traguard marco mijlpa milow マイルストーン 里程碑"),
	"task":      strings.Fields("task aufgabe tache tarea compit attivita tarefa taak taken zadan タスク 任务 任務"),
	"goal":      strings.Fields("goal objective ziel objecti objetiv obiettiv doel cel 目標 目标"),
	"risk":      strings.Fields("risk risik risque riesgo rischi risco risico ryzyk リスク 风险"),
	"document":  strings.Fields("document note dokument notiz notiti 文書 文档"),
	"decision":  strings.Fields("decision entscheid decisi decisao besluit beslissing decyzj 決定 决定"),
	"project":   strings.Fields("project projekt projet proyecto progett projeto プロジェクト 项目"),
	"template":  strings.Fields("template vorlage modele plantilla modell modelo sjablo szablon テンプレート 模板"),
}

// Kind reports whether the words speak of a kind of thing, or of none: then it
// is a task that is meant.
func Kind(text, kind string) bool {
	found := Kinds(text)
	return slices.Contains(found, kind) || len(found) == 0 && kind == "task"
}

// Kinds are the kinds of things that the words speak of, in order.
func Kinds(text string) []string {
	text = fold(text)
	var out []string
	for k, names := range kinds {
		if slices.ContainsFunc(names, func(n string) bool { return mentions(text, fold(n)) }) {
			out = append(out, k)
		}
	}
	slices.Sort(out)
	return out
}

// mentions reports a word that begins with the name.
func mentions(text, name string) bool {
	first := []rune(name)[0]
	if isJoined(first) {
		return strings.Contains(text, name)
	}
	for _, w := range words(text) {
		if strings.HasPrefix(w, name) {
			return true
		}
	}
	return false
}

// IsMonth reports a text that is nothing but the name of a month.
func IsMonth(value string) bool {
	_, ok := months[fold(strings.TrimSpace(value))]
	return ok
}
