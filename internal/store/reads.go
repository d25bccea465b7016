package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"assent/db/sqlc"
	"assent/internal/assent"
)

// Reads is everything that can be read; a Store reads the last COMMIT, a Tx
// its own transaction. FindX gives a not_found error for an absent X.
type Reads struct {
	q  *sqlc.Queries
	db interface {
		QueryContext(context.Context, string, ...any) (*sql.Rows, error)
		QueryRowContext(context.Context, string, ...any) *sql.Row
		ExecContext(context.Context, string, ...any) (sql.Result, error)
	}
}

// plain drops the cancellation of ctx: reads are short, and a cancellable one
// costs the driver a goroutine.
func plain(ctx context.Context) context.Context { return context.WithoutCancel(ctx) }

// rowError turns "no rows" into the not_found error for what.
func rowError(err error, what string) error {
	if errors.Is(err, sql.ErrNoRows) {
		return assent.NotFound(what)
	}
	return err
}

// encode renders a stored JSON column; a nil pointer is the empty string.
func encode(v any) (string, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	if string(b) == "null" {
		return "", nil
	}
	return string(b), nil
}

// decode reads a stored JSON column into v; empty leaves v alone.
func decode(s string, v any) error {
	if s == "" {
		return nil
	}
	return json.Unmarshal([]byte(s), v)
}

// raw gives a stored JSON column as is; empty is nil.
func raw(s string) json.RawMessage {
	if s == "" {
		return nil
	}
	return json.RawMessage(s)
}

// each maps rows to nouns, stopping at the first error.
func each[R, N any](rows []R, err error, conv func(R) (N, error)) ([]N, error) {
	if err != nil {
		return nil, err
	}
	out := make([]N, 0, len(rows))
	for _, r := range rows {
		n, err := conv(r)
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, nil
}

// pure makes a conversion that cannot fail fit each.
func pure[R, N any](f func(R) N) func(R) (N, error) {
	return func(r R) (N, error) { return f(r), nil }
}

// Page asks for one page of a list: at most Limit items after the cursor.
type Page struct {
	Cursor string
	Limit  int
}

// last is greater than every id, for lists that run from new to old.
const last = "\U0010FFFF"

func (p Page) limit() int64 {
	if p.Limit <= 0 {
		return 50
	}
	return int64(min(p.Limit, 200))
}

func (p Page) before() string {
	if p.Cursor == "" {
		return last
	}
	return p.Cursor
}
