package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"
	"time"

	"assent/internal/account"
	"assent/internal/app"
	"assent/internal/assent"
	"assent/internal/config"
	"assent/internal/store"
)

// withAccounts opens the data beside a running server and gives its accounts.
func withAccounts(ctx context.Context, cfg config.Config, fn func(*account.Service) error) (err error) {
	s, err := store.Open(ctx, cfg.DataDir, store.Options{Clock: time.Now, IDs: app.NewIDs})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return fn(account.New(s, cfg.OpenSignup))
}

// find gives the person of an e-mail address.
func find(ctx context.Context, a *account.Service, email string) (assent.Person, error) {
	p, err := a.FindByEmail(ctx, email)
	if assent.ErrorCode(err) == assent.CodeNotFound {
		return p, fmt.Errorf("nobody has the e-mail address %q", email)
	}
	return p, err
}

// token makes an API token and prints it alone on the last line.
func token(ctx context.Context, c *call) error {
	const usage = "assent token create --email E --name N [--scopes read,chat,approve,admin]"
	if len(c.args) == 0 || c.args[0] != "create" {
		return fmt.Errorf("%w: %s", errUsage, usage)
	}
	fs := flag.NewFlagSet("token create", flag.ContinueOnError)
	email, name := fs.String("email", "", ""), fs.String("name", "", "")
	scopes := fs.String("scopes", "read,chat", "")
	cfg, err := c.loadFlags(fs, c.args[1:])
	if err != nil {
		return err
	}
	if *email == "" || *name == "" {
		return fmt.Errorf("%w: %s", errUsage, usage)
	}
	var wanted []assent.TokenScope
	for _, s := range strings.Split(*scopes, ",") {
		wanted = append(wanted, assent.TokenScope(strings.TrimSpace(s)))
	}
	return withAccounts(ctx, cfg, func(a *account.Service) error {
		p, err := find(ctx, a, *email)
		if err != nil {
			return err
		}
		_, secret, err := a.CreateToken(ctx, assent.Principal{Person: p, Scopes: assent.TokenScopes()}, *name, wanted, 0)
		if err == nil {
			fmt.Fprintf(c.out, "Token %q for %s. It is shown this once:\n%s\n", *name, p.Email, secret)
		}
		return err
	})
}
