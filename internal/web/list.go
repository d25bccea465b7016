package web

import (
	"net/http"
	"reflect"
	"strconv"

	"assent/internal/assent"
	"assent/internal/store"

	"github.com/labstack/echo/v4"
)

// Page reads ?limit= and ?cursor=.
func Page(c echo.Context) (store.Page, error) {
	p := store.Page{Cursor: c.QueryParam("cursor"), Limit: 50}
	if s := c.QueryParam("limit"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 || n > 200 {
			return p, assent.Invalid("/limit", "invalid", "Must be a number from 1 to 200.")
		}
		p.Limit = n
	}
	return p, nil
}

// List answers with one page of a list; no items are an empty list, not null.
func List(c echo.Context, items any, next string) error {
	if v := reflect.ValueOf(items); !v.IsValid() || v.Kind() == reflect.Slice && v.IsNil() {
		items = []struct{}{}
	}
	var cursor *string
	if next != "" {
		cursor = &next
	}
	return c.JSON(http.StatusOK, struct {
		Items any     `json:"items"`
		Next  *string `json:"next_cursor"`
	}{items, cursor})
}
