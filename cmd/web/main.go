// Command web is Assent's one binary: it serves, and the commands of design 06
// look after its data.
//
// Guarantees: a command fails with exit code 1 and one plain sentence on standard
// error; 2 means that it was called wrongly. Commands other than serving and
// restoring work beside a running server.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"assent/internal/assent"
	"assent/internal/config"
)

// version is set by the linker.
var version = "dev"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// command is one word of the command line.
type command func(ctx context.Context, c *call) error

// call is what a command is given.
type call struct {
	args     []string
	env      []string
	in       io.Reader
	out, err io.Writer
}

// errUsage means that a command was called wrongly.
var errUsage = errors.New("usage")

func commands() map[string]command {
	return map[string]command{"serve": serve, "token": token, "user": user, "backup": backup, "restore": restore, "doctor": doctor,
		"version": showVersion, "help": help}
}

// run finds the command; without one it serves.
func run(ctx context.Context, args, env []string, in io.Reader, out, errOut io.Writer) int {
	name := "serve"
	if len(args) > 0 && args[0] != "" && args[0][0] != '-' {
		name, args = args[0], args[1:]
	} else if len(args) > 0 && (args[0] == "-h" || args[0] == "--help") {
		name, args = "help", nil
	}
	cmd, ok := commands()[name]
	if !ok {
		fmt.Fprintf(errOut, "assent: there is no command %q; see assent help\n", name)
		return 2
	}
	err := cmd(ctx, &call{args: args, env: env, in: in, out: out, err: errOut})
	var known *assent.Error
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errUsage):
		fmt.Fprintf(errOut, "assent %s: %v\n", name, err)
		return 2
	case errors.As(err, &known):
		fmt.Fprintf(errOut, "assent: %s\n", strings.Join(said(known), "\n  "))
	default:
		fmt.Fprintf(errOut, "assent: %v\n", err)
	}
	return 1
}

// said gives an error line by line, once: a sentence that belongs to a field
// stands there.
func said(e *assent.Error) []string {
	lines := []string{e.Message}
	for _, f := range e.Fields {
		if f.Message == e.Message {
			lines = lines[:0]
		}
	}
	for _, f := range e.Fields {
		lines = append(lines, strings.TrimPrefix(f.Pointer+": ", ": ")+f.Message)
	}
	return lines
}

// load reads the configuration; rest are the arguments that are no settings.
func (c *call) load(args []string) (cfg config.Config, rest []string, err error) {
	return config.Load(config.Source{Args: args, Env: c.env, DotEnv: ".env"})
}
