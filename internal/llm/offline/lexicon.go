package offline

import (
	_ "embed"
	"strings"
	"sync"

	"assent/internal/llm/offline/english"
)

// groups are the words behind the {names} in patterns. Their words, and no
// others, are looked for behind slips of the keyboard.
var groups = english.Macros{
	"det":       `the|a|an|this|that|my|our|your|these|those|any|some|another|one|its|their`,
	"we":        `we|i|our team|the team|my team|our company|the company|us|everyone|my wife and i|my husband and i|my partner and i`,
	"create":    `create|creating|make|making|set up|setup|setting up|build|start|starting|kick off|kickoff|kicking off|begin|open|spin up|put together|get going|initiate|generate|draft|new|want|need|add|get`,
	"add":       `add|create|make|new|log|record|note|put|raise|register|capture|track|insert|include|append|write|open|set up|jot down|write down|draft|schedule|need|want|file|enter|publish`,
	"show":      `show|list|display|give|get|see|view|tell|pull up|bring up|fetch|print|enumerate|what are|what is|which are|which|what|let me see|i want to see|i would like to see|can i see|are there|do we have|do i have|have we got|any|read|open`,
	"find":      `find|search|look for|look up|lookup|locate|searching|where is|where are|where did|where was|hunt|dig up|seek|grep|query`,
	"project":   `project|projects`,
	"task":      `task|tasks|todo|todos|to do|to dos|action item|action items|ticket|tickets|job|jobs|chore|chores|work item|work items`,
	"milestone": `milestone|milestones|phase|phases|stage|stages|checkpoint|checkpoints`,
	"document":  `document|documents|note|notes|report|reports|brief|briefs|minutes|page|pages|file|files|write-up|memo`,
	"risk":      `risk|risks|danger|dangers|threat|threats`,
	"decision":  `decision|decisions`,
	"goal":      `goal|goals|objective|objectives|outcome|outcomes|target|targets`,
	"template":  `template|templates|blueprint|blueprints`,
	"relation":  `dependency|dependencies|relation|relations|link|links`,
	"delete":    `delete|remove|erase|get rid of|trash|bin|destroy|wipe|purge|kill|drop|deleting|removing`,
	"drop":      `leave out|leave off|drop|skip|remove|take out|take away|without|cut|omit|delete|get rid of|lose|exclude|ditch|scrap|strike|do not need|do not want|no need for|forget|forget about|kick out`,
	"done":      `done|complete|completed|finished|closed|resolved|ticked off|sorted|over|handled|wrapped up`,
	"priority":  `urgent|high|normal|low|medium|critical|top|highest|lowest|important`,
	"plan":      `plan|draft|proposal|outline`,
	"step":      `step|steps|item|number|no|point|part`,
	"courtesy":  `(?:please|kindly|now|then|okay|so|well|hey there|hi there|hello there|hey|hi|hello|right|alright|um|uh|erm|just|maybe|perhaps|also|and|but|yes|yeah|yep|assent|basically|actually|quickly|quick|great|cool|good morning|good afternoon|sorry|,|!|\.|¶|:|–|—|…|could you|can you|would you|will you|can we|could we|you|do you mind|would you mind|{we} would like you to|{we} want you to|{we} need you to|{we} would love to|{we} would like to|{we} want to|{we} need to|{we} should|{we} have to|{we} have got to|{we} must|i was wondering if you could|i wonder if you could|if you could|is it possible to|it would be great if you could|it would be nice to|help me(?: to)?|help us(?: to)?|let us|go ahead and|do me a favour and|time to|ready to|try to|able to|{we} (?:are|am) (?:going to|planning to|about to|looking to|trying to|hoping to|thinking of|thinking about)|{we} (?:plan|hope|intend|aim) to)`,
	"overdue":   `overdue|late|past due|behind schedule|missed the deadline|past their due date|past its due date|past the due date|past the deadline|past its deadline`,
	"blocked":   `blocked|stuck|blocking|waiting on something|held up|on hold|blockers|blocker|stalled|impeded`,
}

// keywords are words of patterns that stand in no group.
const keywords = `create project template milestone milestones task tasks document goal risk decision description priority deadline
	rename reprioritise prioritise reschedule postpone assign mark complete finish reopen unblock block because depends dependency
	archive restore health status audit progress overdue blocked review summary summarise search budget instead called named titled
	question approve discard execute cancel undo change replace explain everything first before after above below please quoted
	show list find delete remove update create organise organising planning weather translate different offline execute approve
	wedding moving launch office website conference onboarding hiring migration campaign schedule include including without
	blocker tomorrow everything anything remaining upcoming hello thanks going doing looking workspace available`

//go:embed realwords.txt
var realWords string

// speller knows the words of all patterns, and the true words close to them. It
// is made when the first words are read.
var speller = sync.OnceValue(func() *english.Speller { return english.NewSpeller(vocabulary(), strings.Fields(realWords)) })

func vocabulary() []string {
	words := strings.Fields(keywords)
	for name := range groups {
		words = append(words, groups.Words("{"+name+"}")...)
	}
	return english.Unique(words)
}

// read cuts a message into tokens; of one that is too long just enough to tell.
func read(s string) english.Text { return english.ParseUpTo(s, speller(), maxTokens) }
