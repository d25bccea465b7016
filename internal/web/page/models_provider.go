package page

import (
	"errors"
	"net/http"
	"strings"

	"assent/internal/assent"
	"assent/internal/models"
	"assent/views"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
)

// newProvider and provider show the form of a provider.
func (p *Pages) newProvider(c echo.Context) error {
	return p.showProvider(c, http.StatusOK, p.providerForm(c, "", models.Provider{}), nil)
}

func (p *Pages) provider(c echo.Context) error {
	name, set, err := p.findProvider(c)
	if err != nil {
		return err
	}
	return p.showProvider(c, http.StatusOK, p.providerForm(c, name, set), p.removeProviderForm(c, name, set))
}

func (p *Pages) findProvider(c echo.Context) (string, models.Provider, error) {
	name := c.Param("name")
	set, ok := p.Models.InForce().Providers[name]
	if !ok {
		return name, set, assent.NotFound("provider")
	}
	return name, set, nil
}

// providerForm never holds a key, not even one that was just typed.
func (p *Pages) providerForm(c echo.Context, name string, set models.Provider) views.Form {
	f := views.Form{ID: "provider", Action: views.AdminProvidersURL, CSRF: csrf(c), Submit: "Save", Cancel: views.AdminModelsURL}
	key := views.Field{Name: "api_key", Label: "Key", Kind: views.FieldPassword, Autocomplete: "new-password", Max: 4000,
		Hint: "Stored sealed and never shown again. A reference such as secret:NAME uses a secret. A server of your own may need none."}
	if name == "" {
		f.Fields = append(f.Fields, views.Field{Name: "name", Label: "Name", Required: true, Max: 32, Autocomplete: "off", Focus: true,
			Hint: "gemini speaks Google’s own API; any other name is an endpoint that speaks OpenAI’s."})
	} else {
		f.Action = views.ProviderURL(name)
	}
	f.Fields = append(f.Fields, views.Field{Name: "base_url", Label: "Address", Value: set.BaseURL, Max: 500, InputMode: "url", Autocomplete: "off",
		Placeholder: "https://example.org/v1", Hint: "Empty for the provider’s own."})
	if set.KeySet {
		key.Hint = "A key is stored. Leave this empty to keep it. " + key.Hint
	}
	f.Fields = append(f.Fields, key)
	if set.KeySet {
		f.Fields = append(f.Fields, views.Field{Name: "remove_key", Label: "Remove the stored key", Kind: views.FieldCheck, Value: "yes"})
	}
	return f
}

// removeProviderForm is nil for what the environment sets.
func (p *Pages) removeProviderForm(c echo.Context, name string, set models.Provider) *views.Form {
	if set.Environment {
		return nil
	}
	return &views.Form{ID: "remove", Action: views.ProviderRemoveURL(name), CSRF: csrf(c), Submit: "Remove this provider", Danger: true}
}

func (p *Pages) showProvider(c echo.Context, status int, f views.Form, remove *views.Form) error {
	title := "Add a provider"
	if name := c.Param("name"); name != "" {
		title = "Provider " + name
	}
	return p.showAdminForm(c, status, views.AdminModelsURL, views.AdminForm{Title: title, Form: f, Remove: remove,
		Crumbs: []views.Link{{URL: views.AdminModelsURL, Label: "Models and prices"}}})
}

// showAdminForm shows a page of the administration that is one form.
func (p *Pages) showAdminForm(c echo.Context, status int, section string, a views.AdminForm) error {
	var err error
	if a.Head, err = p.adminHead(c, section); err != nil {
		return err
	}
	return p.show(c, status, a.Title, views.NavAdmin, func(s views.Shell) templ.Component { return views.AdminFormPage(s, a) })
}

// saveProvider adds or changes a provider.
func (p *Pages) saveProvider(c echo.Context) error {
	name, fresh := c.Param("name"), false
	var set models.Provider
	if name == "" {
		name, fresh = strings.TrimSpace(c.FormValue("name")), true
	} else {
		var err error
		if _, set, err = p.findProvider(c); err != nil {
			return err
		}
	}
	typed := models.DraftProvider{BaseURL: strings.TrimSpace(c.FormValue("base_url")), APIKey: typedKey(c)}
	err := p.editModels(c, func(d *models.Draft) error {
		if _, there := p.Models.InForce().Providers[name]; there && fresh {
			return assent.Invalid("/name", "taken", "There is a provider of that name already.")
		}
		d.Providers[name] = typed
		return nil
	})
	if err == nil {
		return done(c, views.AdminModelsURL, "The provider "+name+" is saved.")
	}
	set.BaseURL = typed.BaseURL
	f := p.providerForm(c, c.Param("name"), set)
	if fresh {
		f.Fields[0].Value = name
	}
	status, err := refuse(&f, fieldsByName(err))
	if err != nil {
		return err
	}
	if key := typed.APIKey; key != nil && *key != "" {
		f.Kept += " Type the key again: it is not sent back."
	}
	if fresh {
		return p.showProvider(c, status, f, nil)
	}
	return p.showProvider(c, status, f, p.removeProviderForm(c, name, set))
}

// typedKey is nil where the stored key is to be kept.
func typedKey(c echo.Context) *string {
	key := strings.TrimSpace(c.FormValue("api_key"))
	if key == "" && c.FormValue("remove_key") == "" {
		return nil
	}
	return &key
}

// removeProvider takes a provider and its key away, if no profile uses it.
func (p *Pages) removeProvider(c echo.Context) error {
	name, _, err := p.findProvider(c)
	if err != nil {
		return err
	}
	err = p.editModels(c, func(d *models.Draft) error {
		delete(d.Providers, name)
		return nil
	})
	if err == nil {
		return done(c, views.AdminModelsURL, "The provider "+name+" and its key are removed.")
	}
	if assent.ErrorCode(err) != assent.CodeInvalid {
		return err
	}
	return p.showModels(c, http.StatusConflict, views.ModelsPage{Error: "The provider " + name + " is used by a profile below. Take its models out there first; nothing was removed."})
}

// fieldsByName gives violations the names of form fields: the last part of a
// pointer. A provider or price as a whole is known by its name.
func fieldsByName(err error) error {
	var e *assent.Error
	if !errors.As(err, &e) || e.Code != assent.CodeInvalid {
		return err
	}
	out := *e
	out.Fields = nil
	for _, f := range e.Fields {
		f.Message = sentence(strings.TrimPrefix(f.Message, f.Pointer+": "))
		if f.Code == "name" {
			f.Pointer = "/name"
		} else {
			f.Pointer = f.Pointer[strings.LastIndexByte(f.Pointer, '/'):]
		}
		out.Fields = append(out.Fields, f)
	}
	return &out
}

// sentence makes the end of a sentence about a field one of its own.
func sentence(s string) string {
	for _, begin := range []string{"must ", "is ", "has "} {
		if strings.HasPrefix(s, begin) {
			return "This " + strings.TrimSuffix(s, ".") + "."
		}
	}
	return s
}
