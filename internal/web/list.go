package web

import (
	"errors"
	"net/http"
	"reflect"
	"strconv"

	"assent/internal/assent"
	"assent/internal/store"

	"github.com/labstack/echo/v4"
)

// longestPage is how many items a page has at most; who asks for more gets that
// many, and a cursor.
const longestPage = 200

// Page reads ?limit= and ?cursor=.
func Page(c echo.Context) (store.Page, error) {
	p := store.Page{Cursor: c.QueryParam("cursor"), Limit: 50}
	if s := c.QueryParam("limit"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil && !errors.Is(err, strconv.ErrRange) || n < 1 {
			return p, assent.Invalid("/limit", "invalid", "Must be a number of one or more.")
		}
		p.Limit = min(n, longestPage)
	}
	return p, nil
}

// ListWhole answers with a list that is at hand as a whole: all of it, or, where
// ?limit= asks for one, a page. Its cursor is a position.
func ListWhole[T any](c echo.Context, items []T) error {
	p, err := Page(c)
	if err != nil {
		return err
	}
	start, next := 0, ""
	if p.Cursor != "" {
		if start, err = strconv.Atoi(p.Cursor); err != nil || start < 0 {
			return assent.Invalid("/cursor", "invalid", "The cursor is not one that a list gave out.")
		}
	}
	items = items[min(start, len(items)):]
	if c.QueryParam("limit") != "" && len(items) > p.Limit {
		items, next = items[:p.Limit], strconv.Itoa(start+p.Limit)
	}
	return List(c, items, next)
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
