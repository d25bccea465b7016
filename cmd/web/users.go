package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"assent/internal/account"
	"assent/internal/assent"
)

const (
	addUsage      = "assent user add --email E --name N --role member [--password-stdin]"
	passwordUsage = "assent user password --email E"
)

// user adds people and sets their passwords.
func user(ctx context.Context, c *call) error {
	if len(c.args) > 0 {
		switch c.args[0] {
		case "add":
			return addUser(ctx, c)
		case "password":
			return resetPassword(ctx, c)
		}
	}
	return fmt.Errorf("%w: %s, or %s", errUsage, addUsage, passwordUsage)
}

// addUser adds a person; without a password from standard input it prints a
// one-time password alone on its last line.
func addUser(ctx context.Context, c *call) error {
	fs := flag.NewFlagSet("user add", flag.ContinueOnError)
	email, name, role := fs.String("email", "", ""), fs.String("name", "", ""), fs.String("role", "member", "")
	stdin := fs.Bool("password-stdin", false, "")
	cfg, err := c.loadFlags(fs, c.args[1:])
	if err != nil {
		return err
	}
	if *email == "" || *name == "" {
		return fmt.Errorf("%w: %s", errUsage, addUsage)
	}
	n := account.NewPerson{Email: *email, Name: *name, Role: assent.Role(*role), MustChange: !*stdin, Password: account.OneTimePassword()}
	if *stdin {
		line, err := bufio.NewReader(c.in).ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		n.Password = strings.TrimRight(line, "\r\n")
	}
	return withAccounts(ctx, cfg, func(a *account.Service) error {
		p, err := a.Create(ctx, n, "")
		if err == nil {
			fmt.Fprintf(c.out, "Added %s (%s).\n", p.Email, p.Role)
			if n.MustChange {
				fmt.Fprintf(c.out, "One-time password, to be changed at the first sign-in:\n%s\n", n.Password)
			}
		}
		return err
	})
}

// resetPassword prints a new one-time password alone on its last line.
func resetPassword(ctx context.Context, c *call) error {
	fs := flag.NewFlagSet("user password", flag.ContinueOnError)
	email := fs.String("email", "", "")
	cfg, err := c.loadFlags(fs, c.args[1:])
	if err != nil {
		return err
	}
	if *email == "" {
		return fmt.Errorf("%w: %s", errUsage, passwordUsage)
	}
	return withAccounts(ctx, cfg, func(a *account.Service) error {
		p, err := find(ctx, a, *email)
		if err != nil {
			return err
		}
		oneTime, err := a.ResetPassword(ctx, "", p.ID)
		if err == nil {
			fmt.Fprintf(c.out, "One-time password for %s, to be changed at the next sign-in; other sessions are ended:\n%s\n", p.Email, oneTime)
		}
		return err
	})
}
