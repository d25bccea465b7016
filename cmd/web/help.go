package main

import (
	"context"
	"fmt"

	"assent/internal/config"
)

const helpText = `Assent drafts plans, asks for your assent, and does exactly what you approved.

  assent                                   serve
  assent token create --email E --name N [--scopes read,chat,approve,admin]
                                           make an API token, shown once
  assent user add --email E --name N --role member [--password-stdin]
                                           add a person
  assent user password --email E           set a new one-time password
  assent backup FILE                       a consistent copy, while the server runs
  assent restore FILE                      put it back, while the server is stopped
  assent doctor [--live]                   check configuration, data and providers
  assent version                           show the version
  assent help config                       every setting

Settings come from flags (--addr, --data-dir, …), the environment and .env, in
that order.
`

func help(_ context.Context, c *call) error {
	if len(c.args) > 0 && c.args[0] == "config" {
		fmt.Fprint(c.out, config.Help())
		return nil
	}
	if len(c.args) > 0 {
		return fmt.Errorf("%w: assent help, or assent help config", errUsage)
	}
	fmt.Fprint(c.out, helpText)
	return nil
}

func showVersion(_ context.Context, c *call) error {
	fmt.Fprintf(c.out, "assent %s\n", version)
	return nil
}
