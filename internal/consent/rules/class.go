package rules

// class is what a phrase does in a message; a phrase may do several things.
type class uint64

const (
	yes     class = 1 << iota // assent: "yes", "agreed"
	ack                       // weak assent: "ok", which may only be an "I see"
	run                       // an order to run: "go ahead", "do it"
	praise                    // "looks good": assent when nothing else is said
	cheer                     // "great", "🎉": never assent by itself
	object                    // what is run: "it", "everything"
	plan                      // what is run, by name: "the plan", "version"
	please                    // courtesy
	thanks                    // courtesy, which may close a matter
	closing                   // "regards", which a name may follow
	rest                      // "the rest": what is left after a change
	seen                      // "I have read it", which is no assent yet
	filler                    // "then", "now", "so"
	and                       // joins clauses
	but                       // contrast: what follows changes something
	no                        // refusal of the whole: "no", "forget it"
	later                     // "not yet", "wait": it keeps waiting
	not                       // negation of what stands beside it
	hedge                     // "maybe", "I think", "not sure"
	when                      // conditions and reported speech: "if", "said", "tomorrow"
	ask                       // question words
	preview                   // "show me the plan first"
	polite                    // "can you", before what is asked for
	remove                    // "leave out"
	except                    // "without": removes, and begins a clause
	add                       // "add"
	set                       // "change", "make", "instead"
	only                      // "only", "just" with a part
	limit                     // "at most": before an amount
	date                      // months and other values
	step                      // "step"
	ordinal                   // "third"
	si                        // "yes" or "if", by accent and place
	stop
	pause
	resume
	again
	undoAll
	undoStep
	cancelRun
	neutral // words that say nothing here, but tell the language
)

// names are the classes as the files of the lexicons call them.
var names = map[string]class{"yes": yes, "ack": ack, "run": run, "praise": praise, "cheer": cheer, "object": object, "plan": plan, "please": please,
	"thanks": thanks, "closing": closing, "preview": preview, "seen": seen, "rest": rest, "filler": filler, "and": and, "but": but, "no": no, "later": later, "not": not, "hedge": hedge, "when": when, "ask": ask, "polite": polite,
	"remove": remove, "except": except, "add": add, "set": set, "only": only, "limit": limit, "date": date, "step": step, "ordinal": ordinal, "si": si,
	"stop": stop, "pause": pause, "resume": resume, "again": again, "undo-all": undoAll, "undo-step": undoStep, "cancel": cancelRun, "neutral": neutral}

const (
	// assents are the classes that an approval is made of.
	assents = yes | ack | run | praise | cheer | object | plan | please | thanks | closing | seen | rest | filler | and | resume
	// idle are the classes that say nothing by themselves.
	idle = object | plan | please | thanks | closing | seen | rest | filler | and | cheer
	// edits are the classes that change a plan.
	edits = remove | except | add | set
	// controls are the classes of control words.
	controls = stop | pause | resume | again | undoAll | undoStep | cancelRun
	// doubts are the classes of which none may stand in an approval.
	doubts = no | later | not | hedge | when | ask | preview
)
