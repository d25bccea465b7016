package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"time"

	"assent/internal/app"
	"assent/internal/config"
	"assent/internal/store"
)

// backup copies the database while the server runs.
func backup(ctx context.Context, c *call) error {
	cfg, file, err := c.loadFile("backup")
	if err != nil {
		return err
	}
	if err := store.Backup(ctx, cfg.DataDir, file); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "Backed up to %s. It holds everything but the secret key.\n", file)
	return nil
}

// loadFile reads the configuration and the one file that a command is about.
func (c *call) loadFile(command string) (cfg config.Config, file string, err error) {
	settings, rest, err := flags(flag.NewFlagSet(command, flag.ContinueOnError), c.args)
	if err != nil {
		return cfg, "", err
	}
	if len(rest) != 1 {
		return cfg, "", fmt.Errorf("%w: assent %s FILE", errUsage, command)
	}
	cfg, _, err = c.load(settings)
	return cfg, rest[0], err
}

// restore puts a backup back; the server must not run.
func restore(ctx context.Context, c *call) (err error) {
	cfg, file, err := c.loadFile("restore")
	if err != nil {
		return err
	}
	lock, err := store.AcquireLock(cfg.DataDir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	aside, err := store.Restore(ctx, file, cfg.DataDir)
	if aside != "" {
		fmt.Fprintf(c.out, "What was there before is kept as %s.\n", aside)
	}
	if err != nil {
		return err
	}
	s, err := store.Open(ctx, cfg.DataDir, store.Options{Clock: time.Now, IDs: app.NewIDs})
	if err != nil {
		return fmt.Errorf("the restored file does not open: %w", err)
	}
	fmt.Fprintf(c.out, "Restored %s.\n", file)
	return s.Close()
}
