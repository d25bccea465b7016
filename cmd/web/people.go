package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"assent/internal/account"
	"assent/internal/app"
	"assent/internal/assent"
	"assent/internal/config"
	"assent/internal/store"
)

// withAccounts opens the data beside a running server and gives its accounts.
func withAccounts(ctx context.Context, cfg config.Config, fn func(*account.Service) error) error {
	s, err := store.Open(ctx, cfg.DataDir, store.Options{Clock: time.Now, IDs: app.NewIDs})
	if err != nil {
		return err
	}
	defer s.Close()
	a, err := account.New(s, cfg.OpenSignup)
	if err != nil {
		return err
	}
	return fn(a)
}

// flags splits a subcommand's own flags from the settings' (--data-dir), which
// may stand anywhere.
func flags(fs *flag.FlagSet, args []string) (settings []string, err error) {
	fs.SetOutput(io.Discard)
	var own []string
	for i := 0; i < len(args); i++ {
		name, _, hasValue := strings.Cut(strings.TrimLeft(args[i], "-"), "=")
		f := fs.Lookup(name)
		to := &own
		if strings.HasPrefix(args[i], "-") && f == nil {
			to = &settings
		}
		*to = append(*to, args[i])
		isBool := f != nil && f.DefValue == "false"
		if strings.HasPrefix(args[i], "-") && !hasValue && !isBool && i+1 < len(args) {
			i++
			*to = append(*to, args[i])
		}
	}
	if err := fs.Parse(own); err != nil {
		return nil, fmt.Errorf("%w: %v", errUsage, err)
	}
	return settings, nil
}

// token makes an API token and prints it alone on the last line.
func token(ctx context.Context, c *call) error {
	if len(c.args) == 0 || c.args[0] != "create" {
		return fmt.Errorf("%w: assent token create --email E --name N [--scopes read,chat,approve,admin]", errUsage)
	}
	fs := flag.NewFlagSet("token create", flag.ContinueOnError)
	email, name := fs.String("email", "", ""), fs.String("name", "", "")
	scopes := fs.String("scopes", "read,chat", "")
	settings, err := flags(fs, c.args[1:])
	if err != nil {
		return err
	}
	cfg, _, err := c.load(settings)
	if err != nil {
		return err
	}
	return withAccounts(ctx, cfg, func(a *account.Service) error {
		p, err := a.FindByEmail(ctx, *email)
		if err != nil {
			return fmt.Errorf("nobody has the e-mail address %q", *email)
		}
		var wanted []assent.TokenScope
		for _, s := range strings.Split(*scopes, ",") {
			wanted = append(wanted, assent.TokenScope(strings.TrimSpace(s)))
		}
		_, secret, err := a.CreateToken(ctx, assent.Principal{Person: p, Scopes: assent.TokenScopes()}, *name, wanted, 0)
		if err == nil {
			fmt.Fprintf(c.out, "Token %q for %s. It is shown this once:\n%s\n", *name, p.Email, secret)
		}
		return err
	})
}

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
	return fmt.Errorf("%w: assent user add --email E --name N --role member [--password-stdin], or assent user password --email E", errUsage)
}

func addUser(ctx context.Context, c *call) error {
	fs := flag.NewFlagSet("user add", flag.ContinueOnError)
	email, name, role := fs.String("email", "", ""), fs.String("name", "", ""), fs.String("role", "member", "")
	stdin := fs.Bool("password-stdin", false, "")
	settings, err := flags(fs, c.args[1:])
	if err != nil {
		return err
	}
	cfg, _, err := c.load(settings)
	if err != nil {
		return err
	}
	n := account.NewPerson{Email: *email, Name: *name, Role: assent.Role(*role), MustChange: !*stdin, Password: account.OneTimePassword()}
	if *stdin {
		line, err := bufio.NewReader(c.in).ReadString('\n')
		if err != nil && err != io.EOF {
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

func resetPassword(ctx context.Context, c *call) error {
	fs := flag.NewFlagSet("user password", flag.ContinueOnError)
	email := fs.String("email", "", "")
	settings, err := flags(fs, c.args[1:])
	if err != nil {
		return err
	}
	cfg, _, err := c.load(settings)
	if err != nil {
		return err
	}
	return withAccounts(ctx, cfg, func(a *account.Service) error {
		p, err := a.FindByEmail(ctx, *email)
		if err != nil {
			return fmt.Errorf("nobody has the e-mail address %q", *email)
		}
		oneTime, err := a.ResetPassword(ctx, "", p.ID)
		if err == nil {
			fmt.Fprintf(c.out, "One-time password for %s, to be changed at the next sign-in; other sessions are ended:\n%s\n", p.Email, oneTime)
		}
		return err
	})
}
