package app

import (
	"context"
	"time"

	"assent/internal/llm"
	"assent/internal/models"
	"assent/internal/secret"
	"assent/internal/store"
	"assent/internal/tool"
)

// Admin is what admins set while the server runs.
type Admin struct {
	Secrets    *secret.Vault
	Governance *tool.Admin
	Models     *models.Service
}

// admin puts in force what is stored. A change of a secret is one of the models
// whose key it is.
func (a *App) admin(ctx context.Context, s *store.Store, environment llm.Settings) (err error) {
	sealer := secret.NewSealer(a.cfg.DataDir)
	a.Secrets = secret.NewVault(s, sealer)
	if a.Governance, err = tool.NewAdmin(ctx, a.Registry, s, a.caps()); err != nil {
		return err
	}
	a.Models, err = models.New(ctx, models.Deps{Store: s, Sealer: sealer, Vault: a.Secrets, Gateway: a.Gateway, Environment: environment,
		Fixed: a.cfg.Models != nil, Client: Provider, Clock: time.Now, Log: a.log})
	if err != nil {
		return err
	}
	a.Secrets.OnChange(func(ctx context.Context, name string) {
		if err := a.Models.Reload(ctx); err != nil {
			a.log.Error("models after a change of secret", "secret", name, "error", err)
		}
	})
	return nil
}

// caps are the caps of tools where no admin has set one.
func (a *App) caps() tool.Limits {
	return tool.Limits{Default: a.cfg.ToolCallCap, Overrides: a.cfg.ToolCallCaps}
}
