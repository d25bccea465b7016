package assent

// Budget bounds a person's model calls by the day in their time zone; nil is no
// limit. UserID "" is the budget of everybody who has none of their own.
type Budget struct {
	UserID           string `json:"user_id"`
	CallsPerDay      *int64 `json:"calls_per_day"`
	CostMicrosPerDay *int64 `json:"cost_micros_per_day"`
	UpdatedBy        string `json:"updated_by,omitempty"`
	UpdatedAt        Time   `json:"updated_at,omitempty"`
}

// Unlimited reports a budget that bounds nothing.
func (b Budget) Unlimited() bool { return b.CallsPerDay == nil && b.CostMicrosPerDay == nil }
