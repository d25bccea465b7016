package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"assent/internal/assent"
)

// unusable says which setting names the directory that cannot be used.
func unusable(dir string, err error) error {
	return fmt.Errorf("the data directory %s cannot be used: %w; make it usable, or choose another one with ASSENT_DATA_DIR", dir, err)
}

// Lock is the exclusive right to serve a data directory. The system gives it
// back when the process ends, however it ends.
type Lock struct{ file *os.File }

// AcquireLock takes the lock on dir; a directory that another process serves is
// refused with that process's number.
func AcquireLock(dir string) (*Lock, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, unusable(dir, err)
	}
	f, err := os.OpenFile(filepath.Join(dir, "assent.lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, unusable(dir, err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		defer f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, &assent.Error{Code: assent.CodeConflict, Err: err, Message: fmt.Sprintf("The data directory %s is in use by another server%s. Stop it first, or choose another directory with ASSENT_DATA_DIR.", dir, owner(f))}
		}
		return nil, err
	}
	err = f.Truncate(0)
	if err == nil {
		_, err = f.WriteAt([]byte(strconv.Itoa(os.Getpid())), 0)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &Lock{file: f}, nil
}

func owner(f *os.File) string {
	b := make([]byte, 16)
	n, _ := f.ReadAt(b, 0) // an unreadable number is left out of the message
	if pid := strings.TrimSpace(string(b[:n])); pid != "" {
		return " (process " + pid + ")"
	}
	return ""
}

// Release gives the lock back.
func (l *Lock) Release() error { return l.file.Close() }
