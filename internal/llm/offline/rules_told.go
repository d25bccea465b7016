package offline

// toldRules recognise what is answered in a sentence and never with a write: what
// cannot be done, and questions about the conversation itself.
var toldRules = joinRules(
	rules(wantRemind, 99, `^(?:remind|notify|alert|ping|nudge|wake) (?:me|us|him|her|them|everyone|everybody|the team|[^ ]+ (?:to|about|that|on|of)) ?.*`, `^(?:set|create|add|make|schedule|i need|give me)(?: me)? (?:{det} |new )*(?:reminder|reminders|alarm|notification)(?: .+)?`),
	rules(wantOwner, 99, `^(?:make|appoint|name|set|put|change|transfer|give|let|assign|add|hand) .+ (?:the owner|an owner|as owner|as the owner|owner|owners|ownership|the lead|as lead|project lead|the manager|project manager|in charge|responsible|leader|to own)(?: (?:of|for|to) .+)?(?: [.!])*$`, `^(?:change|transfer|set|hand over) (?:{det} )?(?:ownership|owner|lead|manager) .+`),
	rules(wantPlans, 99, `^(?:which|what|how many) (?:[^ .?]+ )?(?:plans|drafts|proposals) (?:[^ .?]+ ){0,2}?(?:wait|waits|waiting|pending|open|left|there|for me|running|paused|ready)(?: .*)?$`, `^(?:list|show|give)(?: me)? (?:(?:all|the|my|our|waiting|pending|open|of) )*(?:plans|drafts|proposals)(?: .*)?$`, `^(?:are there|do i have|do we have|have i got|is there)(?: any| other)* (?:plans?|drafts?) (?:waiting|pending|left|open)(?: .*)?$`),
	rules(wantDid, 99, `^what (?:exactly )?(?:did|have) you (?:just |actually |really |now |so far )*(?:do|done|change|changed|create|created|make|made|add|added|delete|deleted)(?: .*)?$`, `^what (?:was|did) (?:the last thing|you do last|you just).*`),
	rules(wantAsked, 99, `^what (?:did|have) i (?:just |first |originally |actually )*(?:ask|asked|say|said|tell|told|write|wrote|want|wanted|request|requested)(?: .*)?$`, `^what (?:was|were) my (?:first|last|original|previous) (?:[^ ]+ )?(?:question|request|message|words|wish|order)s?(?: .*)?$`),
	rules(wantHistory, 99, `^what (?:has |have |was |were |all |did we |did i |did anyone |did somebody |got |is )*(?:changed|change|different|new)(?: (?:in|on|to|for|with|since|today|yesterday|this|last|recently|lately|here|and|the|morning|week|month|night|by|so far|.+))?(?: \?)?$`, `^(?:who|when) (?:has |was |did )?(?:changed?|created?|edited?|deleted?|renamed?|added?) .+`),
	rules(wantUndo, 99, `^(?:take back|undo|revert|reverse|roll back) (?:the |my |your )?(?:last|latest|previous|most recent) (?:thing|change|changes|run|plan|action|step|one|bit|part|order|edit)(?: .*)?$`),
	rules(wantUndoOne, 98, `^(?:undo|roll back|revert|reverse) (?:the |my |our )?.+ (?:too|as well|also)(?: [.!])*$`, `^(?:undo|roll back|revert|reverse) (?:the |my |our )?.+ (?:run|plan|project)(?: [.!])*$`),
)
