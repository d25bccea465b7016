package views

import (
	"net/url"
	"strconv"

	"assent/internal/assent"
)

// Addresses of pages. Pages never write an address by hand, so that a moved
// route is one change here and one in the table of routes.
const (
	HomeURL          = "/"
	NewChatURL       = "/chat"
	ConversationsURL = "/conversations"
	ProjectsURL      = "/projects"
	PlansURL         = "/plans"
	SettingsURL      = "/settings"
	LoginURL         = "/login"
	LogoutURL        = "/logout"
	SetupURL         = "/setup"
	AdminHomeURL     = "/admin/usage"
)

func under(base, id string) string { return base + "/" + url.PathEscape(id) }

// ChatURL is the page of a conversation.
func ChatURL(session string) string { return under(NewChatURL, session) }

// ChatAboutURL starts a conversation about something.
func ChatAboutURL(context, entity string) string {
	return NewChatURL + "?" + url.Values{"context_type": {context}, "entity_id": {entity}}.Encode()
}

// ChatEventsURL is the live stream of a conversation after a position.
func ChatEventsURL(session string, after int64) string {
	return ChatURL(session) + "/events?after=" + strconv.FormatInt(after, 10)
}

// MessagesURL takes a message of the person.
func MessagesURL(session string) string { return ChatURL(session) + "/messages" }

// StopURL stops the turn that runs in a conversation.
func StopURL(session string) string { return ChatURL(session) + "/stop" }

// RenameURL renames a conversation.
func RenameURL(session string) string { return ChatURL(session) + "/rename" }

// DeleteURL asks for confirmation (GET) and deletes a conversation (POST).
func DeleteURL(session string) string { return ChatURL(session) + "/delete" }

// ExportURL downloads a conversation; format is "md" or "json".
func ExportURL(session, format string) string { return ChatURL(session) + "/export." + format }

// TakeBackURL takes the reading of a message back.
func TakeBackURL(message string) string { return under("/messages", message) + "/take-back" }

// RunActionURL does something with a run, by the person's own hand.
func RunActionURL(run string, action assent.ControlAction) string {
	return under("/runs", run) + "/" + string(action)
}

// ProjectURL is the page of a project.
func ProjectURL(id string) string { return under(ProjectsURL, id) }

// PlanURL is the page of a plan.
func PlanURL(id string) string { return under(PlansURL, id) }

// RunURL is the receipt of a run.
func RunURL(plan, run string) string { return under(PlanURL(plan)+"/runs", run) }

// ReceiptURL downloads a run's receipt.
func ReceiptURL(plan, run string) string { return RunURL(plan, run) + "/receipt.json" }
