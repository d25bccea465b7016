package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"assent/db"
	"assent/internal/assent"
)

// Backup writes a consistent copy of the database to file while everything goes
// on.
func (s *Store) Backup(ctx context.Context, file string) error {
	return Backup(ctx, filepath.Dir(s.path), file)
}

// Backup writes a consistent copy of the database in dir to file, beside a
// server that runs; it creates and migrates nothing in dir. The copy appears whole or
// not at all, readable by its owner only; an existing file is refused.
func Backup(ctx context.Context, dir, file string) error {
	source := filepath.Join(dir, FileName)
	if _, err := os.Stat(source); err != nil {
		return &assent.Error{Code: assent.CodeNotFound, Err: err, Message: fmt.Sprintf("There is no database in %s, so there is nothing to back up.", dir)}
	}
	if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
		return assent.Errorf(assent.CodeConflict, "%s exists already. Choose another name.", file)
	}
	part, err := vacuumInto(ctx, source, file)
	if err != nil {
		return err
	}
	if err := os.Rename(part, file); err != nil {
		return errors.Join(err, os.Remove(part))
	}
	return nil
}

// vacuumInto copies source into a new file beside the one wanted.
func vacuumInto(ctx context.Context, source, file string) (part string, err error) {
	out, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+".*.part")
	if err != nil {
		return "", &assent.Error{Code: assent.CodeNotFound, Err: err, Message: fmt.Sprintf("No file can be made in %s.", filepath.Dir(file))}
	}
	part = out.Name()
	defer func() {
		if err = errors.Join(err, out.Close()); err != nil {
			err = errors.Join(err, os.Remove(part))
		}
	}()
	d, err := sql.Open("sqlite", fileURI(source, "mode=rw&_pragma=busy_timeout(5000)"))
	if err != nil {
		return part, err
	}
	defer d.Close()
	if _, err := d.ExecContext(ctx, "VACUUM INTO ?", part); err != nil {
		return part, classify(err)
	}
	return part, out.Sync()
}

func fileURI(path, query string) string {
	d, _, _ := strings.Cut(dsn(path, ""), "?")
	return d + "?" + query
}

// Restore puts a backup into dir, whose lock the caller holds. What was there
// is moved aside, not deleted; its new name is returned ("" if there was none).
// A file that is no sound database of ours is refused before anything changes.
func Restore(ctx context.Context, file, dir string) (aside string, err error) {
	if err := Verify(ctx, file); err != nil {
		return "", notRestored(err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	target := filepath.Join(dir, FileName)
	part := target + ".restoring"
	if err := copyFile(file, part); err != nil {
		return "", err
	}
	if aside, err = moveAside(target); err != nil {
		return aside, err
	}
	return aside, os.Rename(part, target)
}

// notRestored adds what did not happen to a refusal.
func notRestored(err error) error {
	var known *assent.Error
	if errors.As(err, &known) {
		return &assent.Error{Code: known.Code, Err: known.Err, Message: known.Message + " It was not restored; nothing was changed."}
	}
	return err
}

// moveAside renames the database in place and what belongs to it. Leftovers of
// a restore that was cut short are moved too: a foreign write-ahead log beside
// a restored file would be taken for its own.
func moveAside(target string) (aside string, err error) {
	to := target + "." + time.Now().UTC().Format("20060102-150405.000")
	for _, suffix := range []string{"", "-wal", "-shm"} {
		switch err := os.Rename(target+suffix, to+suffix); {
		case err == nil:
			aside = to
		case !errors.Is(err, fs.ErrNotExist):
			return aside, err
		}
	}
	return aside, nil
}

// Verify refuses a file that is no sound database of ours, or one that a newer
// version has made.
func Verify(ctx context.Context, file string) error {
	if st, err := os.Stat(file); err != nil || !st.Mode().IsRegular() {
		return &assent.Error{Code: assent.CodeNotFound, Err: err, Message: fmt.Sprintf("There is no file %s.", file)}
	}
	if st, err := os.Stat(file + "-wal"); err == nil && st.Size() > 0 {
		return assent.Errorf(assent.CodeInvalid, "%s is part of a database in use: its newest changes are in another file. Make a copy with assent backup.", file)
	}
	_, err := inspect(ctx, file, "mode=ro&immutable=1")
	return err
}

// Inspect checks the database in dir in place, beside a server that runs,
// creates and migrates nothing, and gives how many accounts there are.
func Inspect(ctx context.Context, dir string) (people int64, err error) {
	return inspect(ctx, filepath.Join(dir, FileName), "mode=rw&_pragma=busy_timeout(5000)&_pragma=query_only(1)")
}

// UpToDate reports whether there is a database in dir that this version need not
// migrate, so that Open changes nothing in it.
func UpToDate(ctx context.Context, dir string) (bool, error) {
	file := filepath.Join(dir, FileName)
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	d, err := sql.Open("sqlite", fileURI(file, "mode=rw&_pragma=busy_timeout(5000)&_pragma=query_only(1)"))
	if err != nil {
		return false, err
	}
	defer d.Close()
	var version int64
	err = d.QueryRowContext(ctx, "SELECT MAX(version_id) FROM goose_db_version").Scan(&version)
	return version == newestMigration(), err
}

func inspect(ctx context.Context, file, how string) (people int64, err error) {
	d, err := sql.Open("sqlite", fileURI(file, how))
	if err != nil {
		return 0, err
	}
	defer d.Close()
	var found string
	if err := d.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&found); err != nil || found != "ok" {
		return 0, &assent.Error{Code: assent.CodeInvalid, Err: err, Message: fmt.Sprintf("%s is no sound database.", file)}
	}
	var version int64
	err = d.QueryRowContext(ctx, "SELECT name FROM sqlite_master WHERE name = 'plan_versions'").Scan(&found)
	if err == nil {
		err = d.QueryRowContext(ctx, "SELECT (SELECT MAX(version_id) FROM goose_db_version), (SELECT COUNT(*) FROM people)").Scan(&version, &people)
	}
	if err != nil || version == 0 {
		return 0, &assent.Error{Code: assent.CodeInvalid, Err: err, Message: fmt.Sprintf("%s is no database of Assent.", file)}
	}
	if newest := newestMigration(); version > newest {
		return 0, assent.Errorf(assent.CodeInvalid, "%s was made by a newer version of Assent.", file)
	}
	return people, nil
}

// newestMigration is the number of the last migration that we know.
func newestMigration() int64 {
	names, err := fs.Glob(db.Migrations, "migrations/*.sql")
	if err != nil || len(names) == 0 {
		return 0
	}
	number, _, _ := strings.Cut(filepath.Base(names[len(names)-1]), "_")
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		return 0
	}
	return n
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
