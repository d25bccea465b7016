package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"assent/internal/assent"
)

// Backup writes a consistent copy of the database to file while everything goes
// on. The copy appears whole or not at all; an existing file is refused.
func (s *Store) Backup(ctx context.Context, file string) error {
	if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
		return assent.Errorf(assent.CodeConflict, "%s exists already. Choose another name.", file)
	}
	part := file + ".part"
	if err := os.Remove(part); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	d, err := sql.Open("sqlite", dsn(s.path, ""))
	if err != nil {
		return err
	}
	defer d.Close()
	if _, err := d.ExecContext(ctx, "VACUUM INTO ?", part); err != nil {
		return errors.Join(classify(err), os.Remove(part))
	}
	return os.Rename(part, file)
}

// Restore puts a backup into dir, whose lock the caller holds. What was there
// is moved aside, not deleted; its new name is returned ("" if there was none).
func Restore(ctx context.Context, file, dir string) (aside string, err error) {
	if err := verify(ctx, file); err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	target := filepath.Join(dir, FileName)
	part := target + ".restoring"
	if err := copyFile(file, part); err != nil {
		return "", err
	}
	if _, err := os.Stat(target); err == nil {
		aside = target + "." + time.Now().UTC().Format("20060102-150405.000")
		for _, suffix := range []string{"", "-wal", "-shm"} {
			if err := os.Rename(target+suffix, aside+suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
				return "", err
			}
		}
	}
	return aside, os.Rename(part, target)
}

// verify refuses files that are no sound database of ours.
func verify(ctx context.Context, file string) error {
	if _, err := os.Stat(file); err != nil {
		return assent.Errorf(assent.CodeNotFound, "There is no file %s.", file)
	}
	d, err := sql.Open("sqlite", "file:"+file+"?mode=ro")
	if err != nil {
		return err
	}
	defer d.Close()
	var ok, tables string
	if err := d.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&ok); err != nil || ok != "ok" {
		return &assent.Error{Code: assent.CodeInvalid, Err: err, Message: fmt.Sprintf("%s is no sound database, so it was not restored. Nothing was changed.", file)}
	}
	if err := d.QueryRowContext(ctx, "SELECT name FROM sqlite_master WHERE name = 'plan_versions'").Scan(&tables); err != nil {
		return &assent.Error{Code: assent.CodeInvalid, Err: err, Message: fmt.Sprintf("%s is no backup of Assent, so it was not restored. Nothing was changed.", file)}
	}
	return nil
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		return errors.Join(err, out.Close())
	}
	return errors.Join(out.Sync(), out.Close())
}
