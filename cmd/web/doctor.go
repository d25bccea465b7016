package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"assent/internal/app"
	"assent/internal/assent"
	"assent/internal/config"
	"assent/internal/llm"
	"assent/internal/models"
	"assent/internal/store"
)

// doctor checks configuration, data and providers and says what it found. It
// changes nothing.
func doctor(ctx context.Context, c *call) error {
	fs := flag.NewFlagSet("doctor", flag.ContinueOnError)
	live := fs.Bool("live", false, "")
	health := fs.Bool("health", false, "")
	cfg, err := c.loadFlags(fs, c.args)
	if err != nil {
		return err
	}
	if *health {
		return checkHealth(ctx, cfg)
	}
	fmt.Fprintf(c.out, "ok    configuration; provider %s\n", cfg.ChosenProvider())
	for _, u := range config.Unknown(c.env) {
		fmt.Fprintf(c.out, "note  %s\n", u)
	}
	if err := checkData(ctx, c, cfg); err != nil {
		return err
	}
	if err := checkHealth(ctx, cfg); err != nil {
		fmt.Fprintf(c.out, "note  %v\n", err)
	} else {
		fmt.Fprintf(c.out, "ok    a server answers on %s\n", cfg.Addr)
	}
	return checkProviders(ctx, c, cfg, *live)
}

// checkData looks at the database in place, which a server may be using.
func checkData(ctx context.Context, c *call, cfg config.Config) error {
	file := filepath.Join(cfg.DataDir, store.FileName)
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintf(c.out, "note  no data in %s yet; the first start makes it\n", cfg.DataDir)
		return nil
	}
	people, err := store.Inspect(ctx, cfg.DataDir)
	if err != nil {
		return fmt.Errorf("data: %w", err)
	}
	fmt.Fprintf(c.out, "ok    data in %s is sound; %d accounts\n", cfg.DataDir, people)
	return nil
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

// checkProviders names every model in use; with live it talks to each.
func checkProviders(ctx context.Context, c *call, cfg config.Config, live bool) error {
	in, err := app.ModelsInForce(ctx, cfg)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(in.Settings.Providers)) {
		if problem := in.Settings.Providers[name].Problem; problem != "" {
			fmt.Fprintf(c.out, "FAIL  provider %s: %s\n", name, problem)
		}
	}
	bad, seen := 0, map[llm.Target]bool{}
	for _, p := range []llm.Profile{llm.ProfileSpeed, llm.ProfileBalanced, llm.ProfileQuality} {
		for _, t := range in.Catalog.Targets(p) {
			if seen[t] {
				continue
			}
			seen[t] = true
			if !live {
				fmt.Fprintf(c.out, "note  %s is configured; assent doctor --live asks it\n", t)
				continue
			}
			if !checkModel(ctx, c, in.Clients[t.Provider], t) {
				bad++
			}
		}
	}
	if bad > 0 {
		return assent.Errorf(assent.CodeUnavailable, "%d of %d models do not work as they should.", bad, len(seen))
	}
	return nil
}

// checkModel asks a model, then holds the conversation of the provider suite
// with it. The embedded planner is no model to talk to.
func checkModel(ctx context.Context, c *call, m llm.Model, t llm.Target) bool {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Minute)
	defer cancel()
	if err := m.Check(ctx, t.Model); err != nil {
		fmt.Fprintf(c.out, "FAIL  %s: %s\n", t, llm.ClassOf(err).Sentence())
		return false
	}
	fmt.Fprintf(c.out, "ok    %s answers\n", t)
	if t == models.Offline() {
		return true
	}
	return llm.Live(ctx, m, t.Model, func(f llm.Finding) {
		mark, note := "ok  ", f.Note
		if !f.OK {
			mark = "FAIL"
		}
		if note != "" {
			note = ": " + note
		}
		fmt.Fprintf(c.out, "%s    %s%s\n", mark, f.Part, note)
	})
}
