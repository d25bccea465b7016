package assent

// SecretName is what may be shown of a secret.
type SecretName struct {
	Name      string `json:"name"`
	UpdatedAt Time   `json:"updated_at"`
}

// ToolSetting is what admins set about a tool, beside its definition.
type ToolSetting struct {
	Policy ToolPolicy
	Effect Effect // stricter than the definition; "" leaves it as defined
	Cap    *int64 // calls that a model may choose in one turn; nil: the default
}
