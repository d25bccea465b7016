package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"

	"assent/internal/app"
	"assent/internal/config"
	"assent/internal/redact"
)

// serve runs the server until it is told to stop.
func serve(ctx context.Context, c *call) error {
	cfg, rest, err := c.load(c.args)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return fmt.Errorf("%w: serving takes flags only, not %q", errUsage, rest[0])
	}
	lines := redact.NewWriter(c.err)
	log := slog.New(slog.NewTextHandler(lines, nil))
	slog.SetDefault(log)
	for _, u := range config.Unknown(c.env) {
		log.Warn(u)
	}
	ln, err := net.Listen("tcp", cfg.Addr)
	if err != nil {
		return fmt.Errorf("cannot listen on %s: %w", cfg.Addr, err)
	}
	a, err := app.New(ctx, cfg, version, log)
	if err != nil {
		ln.Close()
		return err
	}
	lines.Use(a.Redactor())
	code, err := a.SetupCode(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.out, "Assent is at %s\n", address(cfg.BaseURL, ln.Addr()))
	if code != "" {
		fmt.Fprintf(c.out, "One-time code for the set-up page: %s\n", code)
	}
	return a.Serve(ctx, ln)
}

// address is what a person opens in the browser.
func address(base string, at net.Addr) string {
	if base != "" {
		return base
	}
	host, port, err := net.SplitHostPort(at.String())
	if err != nil {
		return at.String()
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, port)
}
