package api

import (
	"net/http"
	"regexp"
	"strings"

	"github.com/labstack/echo/v4"
)

var pathParam = regexp.MustCompile(`:(\w+)`)

// openAPI describes the calls; it is made from the table of routes, so that it
// cannot forget one.
func (r *Resources) openAPI(c echo.Context) error {
	paths := map[string]map[string]any{}
	for _, route := range r.Routes() {
		path := pathParam.ReplaceAllString("/api/v1"+route.Path, "{$1}")
		if paths[path] == nil {
			paths[path] = map[string]any{}
		}
		paths[path][strings.ToLower(route.Method)] = operation(route)
	}
	return c.JSON(http.StatusOK, map[string]any{
		"openapi": "3.1.0",
		"info":    map[string]any{"title": "Assent", "version": "1", "description": "Drafts plans, asks for assent, does exactly what was approved."},
		"paths":   paths,
		"components": map[string]any{
			"securitySchemes": map[string]any{"bearer": map[string]any{"type": "http", "scheme": "bearer"}},
			"schemas": map[string]any{"Problem": map[string]any{"type": "object", "required": []string{"type", "title", "status", "detail", "code", "errors"},
				"properties": map[string]any{"type": str(), "title": str(), "status": map[string]any{"type": "integer"}, "detail": str(), "code": str(),
					"errors": map[string]any{"type": "array", "items": map[string]any{"type": "object"}}}}},
		},
		"security": []any{map[string]any{"bearer": []string{}}},
	})
}

func str() map[string]any { return map[string]any{"type": "string"} }

func operation(route Route) map[string]any {
	scope := string(route.Scope)
	if scope == "" {
		scope = "that goes with what is asked: read, chat or approve"
	}
	op := map[string]any{"summary": route.Summary, "description": "Needs the scope " + scope + ".",
		"responses": map[string]any{"2XX": map[string]any{"description": "Done."},
			"default": map[string]any{"description": "A problem.", "content": map[string]any{"application/problem+json": map[string]any{
				"schema": map[string]any{"$ref": "#/components/schemas/Problem"}}}}}}
	var params []any
	for _, m := range pathParam.FindAllStringSubmatch(route.Path, -1) {
		params = append(params, map[string]any{"name": m[1], "in": "path", "required": true, "schema": str()})
	}
	if len(params) > 0 {
		op["parameters"] = params
	}
	if route.Method == http.MethodPost || route.Method == http.MethodPut || route.Method == http.MethodPatch {
		op["requestBody"] = map[string]any{"content": map[string]any{"application/json": map[string]any{"schema": map[string]any{"type": "object"}}}}
	}
	return op
}
