package api_test

import (
	"slices"
	"strings"
	"testing"
)

func TestSecretsAreSetAndNeverShown(t *testing.T) {
	w := newWorld(t)
	const value = "correct-horse-4711"
	if n := len(w.all.api("GET", "/admin/secrets", nil).want(200).object().list("items")); n != 0 {
		t.Errorf("there are %d secrets before any was set", n)
	}
	set := w.all.api("PUT", "/admin/secrets/crm-key", object{"value": value}).want(200)
	w.all.api("PUT", "/admin/secrets/crm-key", object{"value": value + "-2"}).want(200)
	w.all.api("PUT", "/admin/secrets/A.b_c", object{"value": value}).want(200)
	list := w.all.api("GET", "/admin/secrets", nil).want(200)
	checkShape(t, "secrets", "list", list.object())
	if got := list.object().list("items").column("name"); !slices.Equal(got, []string{"A.b_c", "crm-key"}) {
		t.Errorf("the names are %v", got)
	}
	if strings.Contains(string(set.body)+string(list.body), value) {
		t.Errorf("the value is shown: %s %s", set.body, list.body)
	}
	for name, tc := range map[string]struct {
		path    string
		body    any
		pointer string
	}{
		"no value":          {"/admin/secrets/a", object{}, "/value"},
		"an empty value":    {"/admin/secrets/a", object{"value": ""}, "/value"},
		"a value too long":  {"/admin/secrets/a", object{"value": strings.Repeat("x", 40<<10)}, "/value"},
		"a value of number": {"/admin/secrets/a", `{"value": 4711}`, "/value"},
		"an unknown field":  {"/admin/secrets/a", object{"value": "x", "valeu": "y"}, "/valeu"},
		"a name with /":     {"/admin/secrets/a%2Fb", object{"value": "x"}, "/name"},
		"a name with space": {"/admin/secrets/a%20b", object{"value": "x"}, "/name"},
	} {
		if p := w.all.api("PUT", tc.path, tc.body).problem(422, "invalid_arguments"); !slices.Equal(p.pointers(), []string{tc.pointer}) {
			t.Errorf("%s names %v", name, p.pointers())
		}
	}
	w.all.api("DELETE", "/admin/secrets/crm-key", nil).want(204)
	w.all.api("DELETE", "/admin/secrets/crm-key", nil).problem(404, "not_found")
	if got := w.all.api("GET", "/admin/secrets", nil).want(200).object().list("items").column("name"); !slices.Equal(got, []string{"A.b_c"}) {
		t.Errorf("the names are %v", got)
	}
}
