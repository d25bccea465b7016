package consent

import (
	"context"

	"assent/internal/assent"
	"assent/internal/store"
)

// Record makes a later reading of a stored message take effect and keeps it
// with the message; it gives the reading as it was applied.
func (s *Service) Record(ctx context.Context, m assent.Message, by assent.Person, r assent.Reading) (assent.Reading, error) {
	err := s.store.WriteFull(ctx, func(tx *store.Tx) (err error) {
		if r, err = s.Apply(tx, Message{Message: m, Principal: m.Sender(by)}, r); err != nil {
			return err
		}
		return s.keep(tx, m, r)
	})
	return r, err
}
