package main

import (
	"flag"
	"fmt"
	"io"
	"strings"

	"assent/internal/config"
)

// flags splits a command's own flags (fs), the settings' (--data-dir) and what
// is no flag; they may stand in any order.
func flags(fs *flag.FlagSet, args []string) (settings, rest []string, err error) {
	fs.SetOutput(io.Discard)
	var own []string
	for i := 0; i < len(args); i++ {
		if !strings.HasPrefix(args[i], "-") || args[i] == "-" {
			rest = append(rest, args[i])
			continue
		}
		name, _, hasValue := strings.Cut(strings.TrimLeft(args[i], "-"), "=")
		f := fs.Lookup(name)
		to := &own
		if f == nil {
			to = &settings
		}
		*to = append(*to, args[i])
		if !hasValue && !isBool(f) && i+1 < len(args) {
			i++
			*to = append(*to, args[i])
		}
	}
	if err := fs.Parse(own); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", errUsage, err)
	}
	return settings, rest, nil
}

// isBool reports a flag that takes no value, as package flag tells them apart.
func isBool(f *flag.Flag) bool {
	if f == nil {
		return false
	}
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// loadFlags reads a command's own flags and the configuration; anything else is
// refused.
func (c *call) loadFlags(fs *flag.FlagSet, args []string) (config.Config, error) {
	settings, rest, err := flags(fs, args)
	if err != nil {
		return config.Config{}, err
	}
	if len(rest) > 0 {
		return config.Config{}, fmt.Errorf("%w: it takes flags only, not %q", errUsage, rest[0])
	}
	cfg, _, err := c.load(settings)
	return cfg, err
}
