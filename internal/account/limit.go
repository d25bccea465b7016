package account

import (
	"context"
	"net/netip"
	"strings"
	"time"

	"assent/internal/assent"
	"assent/internal/store"
)

// How long failures are remembered after the last one, and how many are free.
// Beyond, each doubles the wait.
const (
	failureWindow    = 15 * time.Minute
	freeByAccount    = 5
	freeByAddress    = 30
	longestLoginWait = 15 * time.Minute
)

const accountKey, addressPrefix = "email:", "address:"

// addressKey names where somebody comes from: an IPv4 address, or the network
// that one IPv6 subscriber has.
func addressKey(address string) string {
	if ip, err := netip.ParseAddr(address); err == nil && ip.Unmap().Is6() {
		if net, err := ip.WithZone("").Prefix(64); err == nil {
			return addressPrefix + net.String()
		}
	}
	return addressPrefix + address
}

// delay is how long a key waits after so many failures.
func delay(key string, failures int64) time.Duration {
	free := int64(freeByAddress)
	if strings.HasPrefix(key, accountKey) {
		free = freeByAccount
	}
	if failures < free {
		return 0
	}
	return min(longestLoginWait, time.Second<<min(failures-free, 12))
}

// waiting gives the failures of a key that still count and how long it has to
// wait from now. The stored end of the window is the last failure's plus
// failureWindow.
func waiting(r store.Reads, key string, now assent.Time) (failures int64, wait time.Duration, err error) {
	failures, end, err := r.LoginAttempts(context.Background(), key)
	if err != nil || end <= now {
		return 0, 0, err
	}
	since := failureWindow - end.Std().Sub(now.Std())
	return failures, delay(key, failures) - since, nil
}

// attempt counts a try as failed before its password is looked at, in one
// transaction with the check, so that many tries at once cannot slip past the
// limit. passed takes it back. A try that has to wait is not counted.
func (a *Service) attempt(ctx context.Context, keys ...string) error {
	if err := refuseWaiting(a.store.Reads, keys, a.store.Now()); err != nil {
		return err // without troubling the writer
	}
	return a.store.Write(ctx, func(tx *store.Tx) error {
		now := tx.Now()
		if err := refuseWaiting(tx.Reads, keys, now); err != nil {
			return err
		}
		for _, k := range keys {
			failures, _, err := waiting(tx.Reads, k, now)
			if err != nil {
				return err
			}
			if err := tx.SaveLoginAttempts(k, failures+1, assent.At(now.Std().Add(failureWindow))); err != nil {
				return err
			}
		}
		return nil
	})
}

// refuseWaiting is the error for keys that have to wait, the longest wait in it.
func refuseWaiting(r store.Reads, keys []string, now assent.Time) error {
	var longest time.Duration
	for _, k := range keys {
		_, wait, err := waiting(r, k, now)
		if err != nil {
			return err
		}
		longest = max(longest, wait)
	}
	if longest <= 0 {
		return nil
	}
	seconds := int64((longest + time.Second - 1) / time.Second)
	return &assent.Error{Code: assent.CodeRateLimited, Message: "There were too many failed attempts. Please wait a little, then try again.",
		Details: map[string]any{"retry_after": seconds}}
}

// passed forgets an account's failures, and an address's last one: who knows
// one password must not be able to try all others for ever.
func passed(tx *store.Tx, keys ...string) error {
	for _, k := range keys {
		failures, end, err := tx.LoginAttempts(context.Background(), k)
		if err != nil {
			return err
		}
		if strings.HasPrefix(k, accountKey) || failures <= 1 {
			err = tx.ForgetLoginAttempts(k)
		} else {
			err = tx.SaveLoginAttempts(k, failures-1, end)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
