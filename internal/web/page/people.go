package page

import (
	"context"

	"assent/internal/assent"
)

// People looks up who has an account; *store.Store does.
type People interface {
	FindPerson(ctx context.Context, id string) (assent.Person, error)
	FindPersonByEmail(ctx context.Context, email string) (assent.Person, error)
}
