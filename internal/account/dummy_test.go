package account

import (
	"testing"

	"github.com/alexedwards/argon2id"
)

// What an unknown person's password is compared with costs what a known one's
// does and fits no password.
func TestDummyHashCostsTheSame(t *testing.T) {
	t.Parallel()
	p, _, _, err := argon2id.DecodeHash(dummyHash())
	if err != nil || *p != *params() {
		t.Fatalf("dummy has %+v (%v), want %+v", p, err, params())
	}
	if fits, err := argon2id.ComparePasswordAndHash("", dummyHash()); fits || err != nil {
		t.Errorf("fits an empty password: %v, %v", fits, err)
	}
}
