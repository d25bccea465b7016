package views

import "assent/internal/assent"

// ToolsPage lists the tools with what admins say about them.
type ToolsPage struct {
	Head    AdminHead
	Filters []Link
	Tools   []ToolLine
}

// ToolLine is a tool in the list.
type ToolLine struct {
	Name, Title, Source string
	Policy              assent.ToolPolicy
	Effect, Defined     assent.Effect
	Cap                 int64
	CapSet              bool
}

// policyKind is the colour of a policy.
func policyKind(p assent.ToolPolicy) string {
	switch p {
	case assent.PolicyAsk:
		return "wait"
	case assent.PolicyDeny:
		return "bad"
	}
	return ""
}

// sourceWords says where a tool comes from.
func sourceWords(source string) string {
	if source == "builtin" {
		return "Built in"
	}
	return source
}

// SecretsPage lists the names of secrets.
type SecretsPage struct {
	Head    AdminHead
	Secrets []assent.SecretName
	Form    Form
}
