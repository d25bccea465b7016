package store_test

import (
	"context"
	"encoding/json"
	"sync"
	"testing"

	"assent/internal/assent"
	"assent/internal/store"
)

func delta(t testing.TB, ev assent.LoggedEvent) string {
	t.Helper()
	var x assent.Text
	if err := json.Unmarshal(ev.Data, &x); err != nil {
		t.Fatal(err)
	}
	return x.Delta
}

// BenchmarkDurableEvents is how many events a second 64 writers put through the
// one writer, each committed before its writer goes on.
func BenchmarkDurableEvents(b *testing.B) {
	s, sess := open(b)
	var wg sync.WaitGroup
	work := make(chan struct{}, 64)
	for range 64 {
		wg.Go(func() {
			for range work {
				if err := s.Write(context.Background(), func(tx *store.Tx) error {
					_, err := tx.Append(sess.ID, "turn", assent.Text{Delta: "a chunk of text "})
					return err
				}); err != nil {
					b.Error(err)
				}
			}
		})
	}
	b.ResetTimer()
	for range b.N {
		work <- struct{}{}
	}
	close(work)
	wg.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
}

// BenchmarkReplay reads 10,000 events of one session from the file.
func BenchmarkReplay(b *testing.B) {
	s, sess := open(b)
	const n = 10_000
	for range n / 100 {
		if err := s.Write(context.Background(), func(tx *store.Tx) error {
			for range 100 {
				if _, err := tx.Append(sess.ID, "turn", assent.Text{Delta: "a chunk of text "}); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			b.Fatal(err)
		}
	}
	b.ResetTimer()
	for range b.N {
		after := int64(0)
		for after < n {
			events, err := s.Events(context.Background(), sess.ID, after, 256)
			if err != nil || len(events) == 0 {
				b.Fatal(len(events), err)
			}
			after = events[len(events)-1].Seq
		}
	}
	b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds(), "events/s")
}
