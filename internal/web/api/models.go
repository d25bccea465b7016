package api

import (
	"encoding/json"
	"net/http"

	"assent/internal/llm"
	"assent/internal/web"

	"github.com/labstack/echo/v4"
)

func (r *Resources) models(c echo.Context) error { return c.JSON(http.StatusOK, r.Models.InForce()) }

// putModels sets everything; the answer is what GET gives. What lies within the
// three fields is read by the rules of ASSENT_MODELS.
func (r *Resources) putModels(c echo.Context) error {
	var in struct {
		Providers json.RawMessage `json:"providers,omitempty"`
		Profiles  json.RawMessage `json:"profiles,omitempty"`
		Prices    json.RawMessage `json:"prices,omitempty"`
		ReadOnly  bool            `json:"read_only,omitempty"` // as GET gives it
	}
	if err := web.Bind(c, &in); err != nil {
		return err
	}
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	if err := r.Models.Save(c.Request().Context(), web.Principal(c).Person.ID, body); err != nil {
		return err
	}
	return r.models(c)
}

// testModel asks one model for a word and tells how it answered.
func (r *Resources) testModel(c echo.Context) error {
	var in struct {
		Provider string `json:"provider" required:"true"`
		Model    string `json:"model" required:"true"`
	}
	if err := web.Bind(c, &in); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, r.Models.Test(c.Request().Context(), web.Principal(c).Person.ID, llm.Target{Provider: in.Provider, Model: in.Model}))
}
