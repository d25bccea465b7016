package app

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"assent/internal/config"
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
	a.Models, err = models.New(ctx, models.Deps{Store: s, Sealer: sealer, Vault: a.Secrets, Use: a.Gateway.Use, Prober: a.Gateway, Environment: environment,
		Fixed: a.cfg.Models != nil, Client: a.client, Clock: time.Now, Log: a.log})
	if err != nil {
		return err
	}
	for _, p := range environment.Providers {
		if _, named := secret.Reference(p.APIKey); !named {
			a.secrets.Add(p.APIKey)
		}
	}
	if err := a.hide(ctx); err != nil {
		return err
	}
	a.Secrets.OnChange(func(ctx context.Context, name string) {
		a.hideOne(ctx, name)
		if err := a.Models.Reload(ctx); err != nil {
			a.log.Error("models after a change of secret", "secret", name, "error", err)
		}
	})
	return nil
}

// client makes the client of a provider, whose key nobody is shown from now on.
func (a *App) client(name string, p llm.ProviderSettings) (llm.Model, error) {
	a.secrets.Add(p.APIKey)
	return Provider(name, p)
}

// hide sees to it that nobody is shown a stored secret.
func (a *App) hide(ctx context.Context) error {
	names, err := a.Secrets.List(ctx)
	for _, n := range names {
		a.hideOne(ctx, n.Name)
	}
	return err
}

// hideOne hides what a secret is now; one that cannot be opened can be used
// nowhere either.
func (a *App) hideOne(ctx context.Context, name string) {
	value, err := a.Secrets.Resolve(ctx, secret.Scheme+name)
	if err == nil {
		a.secrets.Add(value)
	} else if !errors.Is(err, context.Canceled) {
		a.log.Debug("a secret that is not there to be hidden", "secret", name, "error", err)
	}
}

// caps are the caps of tools where no admin has set one.
func (a *App) caps() tool.Limits {
	return tool.Limits{Default: a.cfg.ToolCallCap, Overrides: a.cfg.ToolCallCaps}
}

// InForce is what a server asks: the models, their clients, and what may be
// shown of the settings.
type InForce struct {
	Catalog  llm.Catalog
	Clients  map[string]llm.Model
	Settings models.Settings
}

// ModelsInForce gives what a server with cfg would ask, with what admins set. It
// changes nothing, also beside a server that runs; data that waits for an upgrade
// is not looked into.
func ModelsInForce(ctx context.Context, cfg config.Config) (in InForce, err error) {
	environment := Models(cfg)
	if in.Clients, err = Providers(environment); err != nil {
		return in, err
	}
	in.Catalog = environment.Catalog()
	current, err := store.UpToDate(ctx, cfg.DataDir)
	if err != nil || !current {
		return in, err
	}
	s, err := store.Open(ctx, cfg.DataDir, store.Options{Clock: time.Now, IDs: NewIDs})
	if err != nil {
		return in, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	sealer := secret.NewSealer(cfg.DataDir)
	m, err := models.New(ctx, models.Deps{Store: s, Sealer: sealer, Vault: secret.NewVault(s, sealer), Use: in.use, Environment: environment,
		Fixed: cfg.Models != nil, Client: Provider, Clock: time.Now, Log: slog.New(slog.DiscardHandler)})
	if err == nil {
		in.Settings = m.InForce()
	}
	return in, err
}

func (in *InForce) use(clients map[string]llm.Model, catalog llm.Catalog) {
	in.Clients, in.Catalog = clients, catalog
}
