package offline

import (
	"strings"

	"assent/internal/llm/offline/english"
)

// archetype is what projects of a kind have in common. It is used where no
// template of the workspace fits and the person names no milestones.
type archetype struct {
	kind   string
	words  string // stems or words by which it is recognised, the strong ones first
	phases []phase
	risk   string
}

// phase is a milestone of an archetype with its tasks.
type phase struct {
	title string
	tasks string // separated by "; "
}

// archetypes are tried in order; the last one fits everything.
var archetypes = []archetype{
	{"move", "move moving relocation relocate office premises house flat", []phase{
		{"Budget agreed", "Collect quotes from removal firms; Agree the budget; List what moves and what goes"},
		{"Lease signed", "View and compare places; Have the lease checked; Sign the lease"},
		{"Fit-out done", "Measure the rooms and draw the layout; Order furniture; Set up power, network and access"},
		{"Everything packed", "Tell suppliers, bank and authorities the new address; Label what moves; Pack"},
		{"Moved in", "Supervise the move; Check that everything works; Hand back the old place"}}, "The new place is not ready in time"},
	{"wedding", "wedding marriage marry married bride ceremony", []phase{
		{"Date and venue booked", "Agree the date and the budget; Visit venues; Book venue and registrar"},
		{"Guests invited", "Write the guest list; Send invitations; Collect the answers"},
		{"Suppliers booked", "Choose the caterer; Book music and photographer; Order flowers and cake"},
		{"Everything confirmed", "Confirm all suppliers; Make the seating plan; Plan the day hour by hour"},
		{"Wedding day", "Set up the venue; Celebrate; Send thank-you notes"}}, "A supplier cancels at short notice"},
	{"event", "offsite conference workshop event party retreat meetup summit festival celebration anniversary fair hackathon seminar reunion gala birthday dinner fundraiser fundraising charity concert exhibition tournament", []phase{
		{"Goal and budget agreed", "Agree what it is for and who comes; Set the budget; Fix the date"},
		{"Venue booked", "Compare venues; Book the venue; Book travel and rooms"},
		{"Programme fixed", "Draft the programme; Confirm speakers and hosts; Order food and equipment"},
		{"Guests invited", "Send the invitations; Collect the answers; Send the practical information"},
		{"Event held", "Run the day; Collect feedback; Settle the bills"}}, "Fewer people come than planned"},
	{"website", "website site webshop shop homepage page landing portal blog", []phase{
		{"Content and structure agreed", "Collect goals and audiences; Draw the site map; List the content that is missing"},
		{"Design approved", "Draft the key pages; Review them with users; Approve the design"},
		{"Site built", "Build the templates; Move the content; Connect forms and analytics"},
		{"Site tested", "Test on phones and desktops; Check accessibility and speed; Fix what was found"},
		{"Site live", "Set up redirects; Go live; Watch errors for a week"}}, "The content is not ready when the pages are"},
	{"launch", "launch release product app feature rollout go-live version beta shipping", []phase{
		{"Scope agreed", "Agree what is in and what is not; Name who decides; Set the measures of success"},
		{"Ready for test", "Finish the features in scope; Write the release notes; Prepare the test group"},
		{"Tested", "Run the test with real users; Fix what blocks; Decide to go"},
		{"Launched", "Prepare support and documentation; Announce; Release"},
		{"First review", "Look at the measures; Collect feedback; Decide what comes next"}}, "A late defect delays the launch"},
	{"migration", "migration migrate upgrade system crm erp database cloud server switch integration implementation", []phase{
		{"Inventory made", "List systems, data and owners; Agree what moves and what does not; Write the fallback plan"},
		{"Trial done", "Set up the target; Move a sample; Check the sample with its owners"},
		{"Data moved", "Freeze changes; Move the data; Check totals and samples"},
		{"People switched over", "Train the people; Switch them over in groups; Staff a help desk"},
		{"Old system off", "Archive what must be kept; Switch the old system off; Write down what was learned"}}, "Data is lost or wrong after the move"},
	{"hiring", "hiring hire recruit recruiting recruitment vacancy role position candidate staff engineer", []phase{
		{"Role agreed", "Write the profile; Agree salary and budget; Name who interviews"},
		{"Advert out", "Write the advert; Publish it; Ask for referrals"},
		{"Shortlist made", "Read applications; Hold first calls; Choose whom to invite"},
		{"Offer accepted", "Hold interviews; Take references; Make the offer"},
		{"First day", "Prepare desk and accounts; Plan the first weeks; Welcome the new colleague"}}, "The best candidate declines"},
	{"onboarding", "onboarding onboard induction starter joiner newcomer", []phase{
		{"Everything prepared", "Order equipment; Create accounts; Name a buddy"},
		{"First day done", "Welcome and tour; Explain how we work; First small task"},
		{"First month done", "Meet the people who matter; Finish the first piece of work; Talk about how it goes"},
		{"Fully on board", "Agree goals; Collect feedback in both directions; Close open questions"}}, "Access or equipment is late"},
	{"campaign", "campaign marketing newsletter advertising brand rebranding rebrand promotion social media", []phase{
		{"Goal and audience agreed", "Write down goal and audience; Set the budget; Choose the channels"},
		{"Message and material ready", "Draft the message; Produce texts and pictures; Have them approved"},
		{"Campaign running", "Book the slots; Start; Watch the numbers weekly"},
		{"Results reviewed", "Collect the numbers; Compare with the goal; Write down what to repeat"}}, "The material is approved too late"},
	{"renovation", "renovation renovate refurbish kitchen bathroom garden shed roof building construction extension repaint decorate fit-out loft", []phase{
		{"Plan and budget agreed", "Measure and draw; Collect quotes; Set the budget"},
		{"Permits and trades booked", "Check which permits are needed; Book the trades; Order material with long delivery"},
		{"Rough work done", "Clear the place; Do demolition and pipes; Check before closing the walls"},
		{"Finished", "Do floors and paint; Install what is fixed; Walk through and list defects"},
		{"Handed over", "Fix the defects; Pay the last bills; Keep guarantees and plans"}}, "Hidden damage raises the cost"},
	{"study", "research study thesis dissertation survey interviews analysis paper evaluation investigation discovery", []phase{
		{"Question agreed", "Write the question; Read what is known; Choose the method"},
		{"Data collected", "Prepare the material; Collect the data; Check that it is complete"},
		{"Analysis done", "Clean the data; Analyse; Discuss the findings"},
		{"Report published", "Write the report; Have it reviewed; Publish and present it"}}, "Too few people take part"},
	{"training", "training course curriculum lesson class learning exam certification academy workshop programme", []phase{
		{"Needs agreed", "Ask what people must be able to do; Choose the form; Set dates"},
		{"Material ready", "Write the outline; Produce the material; Try it with two people"},
		{"Training held", "Invite; Hold the sessions; Answer open questions"},
		{"Results checked", "Test what was learned; Collect feedback; Improve the material"}}, "People have no time to attend"},
	{"writing", "book novel article podcast film video documentary magazine brochure handbook manual album song", []phase{
		{"Outline agreed", "Write the outline; Agree length and form; Collect material"},
		{"First draft done", "Work through the outline; Note what is missing; Finish the draft"},
		{"Revised", "Have it read; Revise; Check facts and rights"},
		{"Published", "Prepare the final form; Publish; Tell the audience"}}, "The draft takes longer than planned"},
	{"audit", "audit compliance iso gdpr certification policy security inspection tax accounts", []phase{
		{"Scope agreed", "List what is asked for; Name who answers; Set the dates"},
		{"Gaps known", "Compare with the requirements; List the gaps; Rank them"},
		{"Gaps closed", "Fix the gaps by rank; Write the evidence; Have it checked"},
		{"Passed", "Prepare the people; Hold the audit; Close the remarks"}}, "Evidence is missing on the day"},
	{"trip", "trip travel holiday vacation tour journey visit expedition", []phase{
		{"Route and budget agreed", "Agree where and when; Set the budget; Check passports and visas"},
		{"Everything booked", "Book travel; Book rooms; Take out insurance"},
		{"Ready to go", "Write the packing list; Arrange home and work; Print what must be on paper"},
		{"Back home", "Settle the bills; Share the pictures"}}, "A booking falls through"},
	{"general", "", []phase{
		{"Scope agreed", "Write down what done means; Name who decides; List what is missing"},
		{"Plan and people ready", "Break the work down; Agree who does what; Set the dates"},
		{"First version done", "Do the most important part first; Show it; Collect remarks"},
		{"Reviewed and improved", "Work through the remarks; Check against the scope; Agree what is left"},
		{"Finished and handed over", "Finish what is left; Hand over; Write down what was learned"}}, "The scope grows on the way"},
}

// archetypeOf is the kind of project that words tell of. The general one, with
// ok false, if none fits.
func archetypeOf(words string) (a archetype, ok bool) {
	best, score := archetypes[len(archetypes)-1], 0
	terms := map[string]bool{}
	for _, term := range english.Terms(words) {
		terms[term] = true
	}
	for _, candidate := range archetypes {
		n := 0
		for i, w := range strings.Fields(candidate.words) {
			if terms[english.Stem(w)] {
				n += 2 + boolInt(i < 3)
			}
		}
		if n > score {
			best, score = candidate, n
		}
	}
	return best, score > 0
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// pick gives n of the phases, evenly, the last one always.
func (a archetype) pick(n int) []phase {
	if n <= 0 || n >= len(a.phases) {
		return a.phases
	}
	out := make([]phase, n)
	for i := range out {
		out[i] = a.phases[(i+1)*len(a.phases)/n-1]
	}
	return out
}

func (p phase) taskList() []string { return strings.Split(p.tasks, "; ") }
