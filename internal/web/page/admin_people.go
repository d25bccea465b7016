package page

import (
	"net/http"

	"assent/internal/account"
	"assent/internal/assent"
	"assent/views"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
)

// people lists everybody with an account.
func (p *Pages) people(c echo.Context) error {
	return p.showPeople(c, http.StatusOK, views.People{Form: newPersonForm(c, "", "", assent.RoleMember)})
}

func roleField(v assent.Role) views.Field {
	return views.Field{Name: "role", Label: "Role", Kind: views.FieldSelect, Value: string(v), Options: []views.Option{
		{Value: string(assent.RoleMember), Label: "Member"}, {Value: string(assent.RoleAdmin), Label: "Admin"}}}
}

func newPersonForm(c echo.Context, name, email string, role assent.Role) views.Form {
	f := views.Form{ID: "person", Action: views.AdminPeopleURL, CSRF: csrf(c), Submit: "Add", Grid: true,
		Fields: []views.Field{nameField(name), emailField(email), roleField(role)}}
	for i := range f.Fields {
		f.Fields[i].Autocomplete = "off"
	}
	f.Fields[1].Hint = "You get a one-time password to hand over."
	return f
}

func (p *Pages) showPeople(c echo.Context, status int, props views.People) error {
	all, err := p.Accounts.List(c.Request().Context())
	if err != nil {
		return err
	}
	w, pager := pageOf(c, len(all), 100)
	for _, x := range all[w.from:w.to] {
		props.People = append(props.People, views.PersonLine{Person: x, You: x.ID == person(c).Person.ID})
	}
	props.Pager = pager
	if props.Head, err = p.adminHead(c, views.AdminPeopleURL); err != nil {
		return err
	}
	return p.show(c, status, "People", views.NavAdmin, func(s views.Shell) templ.Component { return views.PeoplePage(s, props) })
}

// addPerson makes an account with a one-time password, which is shown this once.
func (p *Pages) addPerson(c echo.Context) error {
	me := person(c).Person
	secret := account.OneTimePassword()
	role := assent.Role(c.FormValue("role"))
	made, err := p.Accounts.Create(c.Request().Context(), account.NewPerson{Name: c.FormValue("name"), Email: c.FormValue("email"), Role: role,
		Password: secret, MustChange: true, TimeZone: me.TimeZone, Locale: me.Locale}, me.ID)
	if err == nil {
		return p.showPeople(c, http.StatusCreated, views.People{Form: newPersonForm(c, "", "", assent.RoleMember), Secret: secret, For: made.Name})
	}
	f := newPersonForm(c, c.FormValue("name"), c.FormValue("email"), role)
	status, err := refuse(&f, err)
	if err != nil {
		return err
	}
	f.Kept = "No account was made. What you typed is still here."
	return p.showPeople(c, status, views.People{Form: f})
}

// adminPerson shows one person to an admin.
func (p *Pages) adminPerson(c echo.Context) error {
	who, err := p.Accounts.Find(c.Request().Context(), c.Param("id"))
	if err != nil {
		return err
	}
	return p.showPerson(c, http.StatusOK, who, personForm(c, who), "")
}

func personForm(c echo.Context, who assent.Person) views.Form {
	f := views.Form{ID: "person", Action: views.PersonURL(who.ID), CSRF: csrf(c), Submit: "Save", Grid: true, Cancel: views.AdminPeopleURL,
		Fields: []views.Field{nameField(who.Name), emailField(who.Email), roleField(who.Role)}}
	for i := range f.Fields {
		f.Fields[i].Autocomplete = "off"
	}
	return f
}

func (p *Pages) showPerson(c echo.Context, status int, who assent.Person, f views.Form, secret string) error {
	props := views.PersonPage{Person: who, You: who.ID == person(c).Person.ID, Form: f, Secret: secret}
	var err error
	if props.Head, err = p.adminHead(c, views.AdminPeopleURL); err != nil {
		return err
	}
	return p.show(c, status, who.Name, views.NavAdmin, func(s views.Shell) templ.Component { return views.AdminPersonPage(s, props) })
}

// savePerson changes name, address and role of a person.
func (p *Pages) savePerson(c echo.Context) error {
	change := func(who *assent.Person) {
		who.Name, who.Email, who.Role = c.FormValue("name"), c.FormValue("email"), assent.Role(c.FormValue("role"))
	}
	return p.changePerson(c, change, "Saved.")
}

// disablePerson and enablePerson close and open an account.
func (p *Pages) disablePerson(c echo.Context) error {
	return p.changePerson(c, func(who *assent.Person) { who.Disabled = true }, "Disabled: every sign-in and token has ended.")
}

func (p *Pages) enablePerson(c echo.Context) error {
	return p.changePerson(c, func(who *assent.Person) { who.Disabled = false }, "Enabled again.")
}

func (p *Pages) changePerson(c echo.Context, change func(*assent.Person), flash string) error {
	ctx, id := c.Request().Context(), c.Param("id")
	_, err := p.Accounts.Update(ctx, person(c).Person.ID, id, change)
	if err == nil {
		return done(c, views.PersonURL(id), flash)
	}
	who, ferr := p.Accounts.Find(ctx, id)
	if ferr != nil {
		return ferr
	}
	typed := who
	change(&typed)
	f := personForm(c, typed)
	status, err := refuse(&f, err)
	if err != nil {
		return err
	}
	return p.showPerson(c, status, who, f, "")
}

// resetPassword gives a person a one-time password, which is shown this once.
func (p *Pages) resetPassword(c echo.Context) error {
	ctx := c.Request().Context()
	secret, err := p.Accounts.ResetPassword(ctx, person(c).Person.ID, c.Param("id"))
	if err != nil {
		return err
	}
	who, err := p.Accounts.Find(ctx, c.Param("id"))
	if err != nil {
		return err
	}
	return p.showPerson(c, http.StatusOK, who, personForm(c, who), secret)
}

// signOutPerson ends the browser sessions of a person.
func (p *Pages) signOutPerson(c echo.Context) error {
	who, err := p.Accounts.Find(c.Request().Context(), c.Param("id"))
	if err != nil {
		return err
	}
	if err := p.Accounts.SignOutPerson(c.Request().Context(), person(c).Person.ID, who.ID); err != nil {
		return err
	}
	return done(c, views.PersonURL(who.ID), "Signed out everywhere.")
}
