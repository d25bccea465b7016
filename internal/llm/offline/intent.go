package offline

// want is what a message asks for.
type want string

const (
	wantCreate want = "create_project"
)

// understanding is a message with what it asks for.
type understanding struct{ want want }

func understand(_ *situation, _ *ask) understanding { return understanding{wantCreate} }
