package offline

import "assent/internal/llm/offline/english"

// who says what this model is; it must never pass for more.
const who = "I am Assent’s built-in offline planner. I am not an AI model: I read your words by fixed rules, so I understand everyday requests about projects and not much else. " +
	"Whoever runs the server can set GEMINI_API_KEY or OPENAI_API_KEY and restart it, and then a real model answers here."

const abilities = `Here is what I can do:

- **Set up a project:** “We are moving our office to Leith by the end of March, show me the plan first”, “plan my wedding with three milestones: venue booked, guests invited and the day itself”
- **Show and find:** “what is overdue?”, “what is left in the office move?”, “find the lease”
- **Add and change:** “add a task to call the landlord, due next Friday”, “move “Book venue” to 15 January”, “mark it done”
- **Judge a project:** “how is the website relaunch doing?”, “audit the office move”
- **Work on a plan together:** “leave out step 2”, “add a budget milestone first”, “make it April”, then “go ahead”

Nothing that deletes ever runs without your word, and every plan can be undone.`

const keyHelp = "To let a real AI model answer here, whoever runs the server sets GEMINI_API_KEY or OPENAI_API_KEY in its environment and restarts it. " +
	"For an OpenAI-compatible service such as Ollama, vLLM or OpenRouter its address goes into ASSENT_OPENAI_BASE_URL. Until then I, the built-in offline planner, answer by fixed rules."

const consentHelp = "You approve in your own words: when a plan waits, say “go ahead”, and exactly the version on the card runs, nothing else. You can also ask about it, change it (“leave out step 3”) or say “discard it”. " +
	"Under **Draft only** every plan waits for your word; under **Agent review** a second look comes first; under **Auto execute** plans that only read and write run at once. " +
	"Whatever deletes or leaves this installation always waits for your word. I cannot approve anything myself, and what a plan did can be undone."

// smallTalk answers family 6.
func (s *situation) smallTalk(w want) answer {
	switch w {
	case wantGreet:
		name := s.state.Person
		if name != "" {
			name = ", " + name
		}
		return say("Hello" + name + "! I am the built-in offline planner. Tell me what you want to get done, for example “We are moving our office to Leith by the end of March”, or ask “what can you do?”.")
	case wantThanks:
		return say("You are welcome.")
	case wantWho:
		return say(who)
	case wantKey:
		return say(keyHelp)
	case wantConsent:
		return say(consentHelp)
	case wantDay:
		if s.today().IsZero() {
			return say("I do not know today’s date here.")
		}
		return say("Today is " + s.today().Weekday().String() + ", " + english.LongDate(s.today()) + ".")
	case wantCannot:
		return say("That is beyond me. I am the built-in offline planner (no AI model) and know nothing but your workspace. " + abilities)
	case wantNothing:
		return say("All right, I changed nothing. Tell me when there is something to do.")
	}
	return say("I am Assent’s built-in offline planner (no AI model; fixed rules read your words). " + abilities +
		"\n\nWhoever runs the server can set GEMINI_API_KEY or OPENAI_API_KEY and restart it, and then a real model answers.")
}

// lost is the honest answer where nothing was understood.
func (s *situation) lost() answer {
	return say("I did not understand that. I am the built-in offline planner (no AI model), so please put it plainly. " + abilities)
}
