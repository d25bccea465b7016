package main

import (
	"context"
	"flag"
	"fmt"
	"net"
	"net/http"
	"time"

	"assent/internal/app"
	"assent/internal/assent"
	"assent/internal/config"
	"assent/internal/llm"
	"assent/internal/store"
)

// backup copies the database while the server runs.
func backup(ctx context.Context, c *call) error {
	cfg, rest, err := c.load(c.args)
	if err != nil {
		return err
	}
	if len(rest) != 1 {
		return fmt.Errorf("%w: assent backup FILE", errUsage)
	}
	s, err := store.Open(ctx, cfg.DataDir, store.Options{Clock: time.Now, IDs: app.NewIDs})
	if err != nil {
		return err
	}
	defer s.Close()
	if err := s.Backup(ctx, rest[0]); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "Backed up to %s. It holds everything but the secret key.\n", rest[0])
	return nil
}

// restore puts a backup back; the server must not run.
func restore(ctx context.Context, c *call) error {
	cfg, rest, err := c.load(c.args)
	if err != nil {
		return err
	}
	if len(rest) != 1 {
		return fmt.Errorf("%w: assent restore FILE", errUsage)
	}
	lock, err := store.AcquireLock(cfg.DataDir)
	if err != nil {
		return err
	}
	defer lock.Release()
	aside, err := store.Restore(ctx, rest[0], cfg.DataDir)
	if err != nil {
		return err
	}
	s, err := store.Open(ctx, cfg.DataDir, store.Options{Clock: time.Now, IDs: app.NewIDs})
	if err != nil {
		return fmt.Errorf("the restored file does not open: %w", err)
	}
	defer s.Close()
	fmt.Fprintf(c.out, "Restored %s.\n", rest[0])
	if aside != "" {
		fmt.Fprintf(c.out, "What was there before is kept as %s.\n", aside)
	}
	return nil
}

// doctor checks configuration, data and providers and says what it found.
func doctor(ctx context.Context, c *call) error {
	fs := flag.NewFlagSet("doctor", flag.ContinueOnError)
	live := fs.Bool("live", false, "")
	health := fs.Bool("health", false, "")
	settings, err := flags(fs, c.args)
	if err != nil {
		return err
	}
	cfg, _, err := c.load(settings)
	if err != nil {
		return err
	}
	if *health {
		return checkHealth(ctx, cfg)
	}
	fmt.Fprintf(c.out, "ok    configuration; provider %s\n", cfg.ChosenProvider())
	s, err := store.Open(ctx, cfg.DataDir, store.Options{Clock: time.Now, IDs: app.NewIDs})
	if err != nil {
		return fmt.Errorf("data: %w", err)
	}
	defer s.Close()
	people, err := s.CountPeople(ctx)
	if err != nil {
		return fmt.Errorf("data: %w", err)
	}
	fmt.Fprintf(c.out, "ok    data in %s; %d accounts\n", cfg.DataDir, people)
	if err := checkHealth(ctx, cfg); err != nil {
		fmt.Fprintf(c.out, "note  no server answers on %s\n", cfg.Addr)
	} else {
		fmt.Fprintf(c.out, "ok    a server answers on %s\n", cfg.Addr)
	}
	return checkProviders(ctx, c, cfg, *live)
}

// checkHealth asks the server on the configured address.
func checkHealth(ctx context.Context, cfg config.Config) error {
	host, port, err := net.SplitHostPort(cfg.Addr)
	if err != nil {
		return err
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	ctx, cancel := context.WithTimeout(ctx, 4*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+"/healthz", nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("no server answers on %s", cfg.Addr)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("the server on %s answers %d", cfg.Addr, resp.StatusCode)
	}
	return nil
}

// checkProviders names every model in use; with live it asks each a word.
func checkProviders(ctx context.Context, c *call, cfg config.Config, live bool) error {
	s := app.Models(cfg)
	providers, err := app.Providers(s)
	if err != nil {
		return err
	}
	bad, seen := 0, map[llm.Target]bool{}
	for _, p := range []llm.Profile{llm.ProfileSpeed, llm.ProfileBalanced, llm.ProfileQuality} {
		for _, t := range s.Catalog().Targets(p) {
			if seen[t] {
				continue
			}
			seen[t] = true
			if !live {
				fmt.Fprintf(c.out, "note  %s is configured; assent doctor --live asks it\n", t)
				continue
			}
			ctx, cancel := context.WithTimeout(ctx, time.Minute)
			err := providers[t.Provider].Check(ctx, t.Model)
			cancel()
			if err != nil {
				bad++
				fmt.Fprintf(c.out, "FAIL  %s: %s\n", t, llm.ClassOf(err).Sentence())
				continue
			}
			fmt.Fprintf(c.out, "ok    %s answers\n", t)
		}
	}
	if bad > 0 {
		return assent.Errorf(assent.CodeUnavailable, "%d of %d models do not answer.", bad, len(seen))
	}
	return nil
}
