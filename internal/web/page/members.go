package page

import (
	"net/http"
	"strings"

	"assent/internal/assent"
	"assent/internal/store"
	"assent/views"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
)

// members lists who may see and change a project.
func (p *Pages) members(c echo.Context) error {
	project, err := p.findProject(c, c.Param("id"))
	if err != nil {
		return err
	}
	return p.showMembers(c, http.StatusOK, project, memberForm(c, project, ""))
}

func memberForm(c echo.Context, project assent.Project, email string) views.Form {
	return views.Form{ID: "member", Action: views.ProjectTabURL(project.ID, views.TabMembers), CSRF: csrf(c), Submit: "Add",
		Fields: []views.Field{{Name: "email", Label: "E-mail", Kind: views.FieldEmail, Value: email, Current: email, Required: true, Max: 254,
			Hint: "Somebody with an account here. Members see and change everything in this project."}}}
}

func (p *Pages) showMembers(c echo.Context, status int, project assent.Project, f views.Form) error {
	ctx := c.Request().Context()
	m := views.Members{Head: p.head(c, project, views.TabMembers), Form: f}
	var err error
	if m.Owner, err = p.Store.FindPerson(ctx, project.OwnerID); err != nil {
		return err
	}
	if m.Members, err = p.Store.ListMembers(ctx, project.ID); err != nil {
		return err
	}
	return p.show(c, status, project.Name+": members", views.NavProjects, func(s views.Shell) templ.Component { return views.MembersPage(s, m) })
}

// addMember lets somebody into a project.
func (p *Pages) addMember(c echo.Context) error {
	project, err := p.ownProject(c, c.Param("id"))
	if err != nil {
		return err
	}
	email := strings.ToLower(strings.TrimSpace(c.FormValue("email")))
	who, err := p.Accounts.FindByEmail(c.Request().Context(), email)
	switch {
	case assent.ErrorCode(err) == assent.CodeNotFound || err == nil && who.Disabled:
		err = assent.Invalid("/email", "not_found", "Nobody with this address has an account here. An admin can add people.")
	case err == nil && who.ID == project.OwnerID:
		err = assent.Invalid("/email", "conflict", "This is the owner, who is in the project anyway.")
	case err == nil:
		err = p.Store.Write(c.Request().Context(), func(tx *store.Tx) error {
			if err := tx.AddMember(project.ID, who.ID); err != nil {
				return err
			}
			return tx.Audit(p.origin(c, ""), "add_member", project.ID, details("user_id", who.ID))
		})
	}
	if err == nil {
		return done(c, views.ProjectTabURL(project.ID, views.TabMembers), "Added "+who.Name+".")
	}
	f := memberForm(c, project, email)
	status, err := refuse(&f, err)
	if err != nil {
		return err
	}
	return p.showMembers(c, status, project, f)
}

// removeMember takes somebody out of a project. What they wrote stays.
func (p *Pages) removeMember(c echo.Context) error {
	project, err := p.ownProject(c, c.Param("id"))
	if err != nil {
		return err
	}
	err = p.Store.Write(c.Request().Context(), func(tx *store.Tx) error {
		if err := tx.RemoveMember(project.ID, c.Param("user")); err != nil {
			return err
		}
		return tx.Audit(p.origin(c, ""), "remove_member", project.ID, details("user_id", c.Param("user")))
	})
	if err != nil {
		return err
	}
	return done(c, views.ProjectTabURL(project.ID, views.TabMembers), "Removed. What they wrote stays.")
}
