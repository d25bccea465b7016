package web

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"assent/internal/assent"

	"github.com/labstack/echo/v4"
)

// SessionCookie holds the secret of a browser session.
const SessionCookie = "assent_session"

// Principal is who makes the request; the zero value is nobody.
func Principal(c echo.Context) assent.Principal {
	p, _ := c.Get("principal").(assent.Principal)
	return p
}

// Identify finds out who asks: by bearer token, else by cookie. Nobody is no
// error here; a bearer token that does not hold is.
func (s *Server) Identify(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		ctx := c.Request().Context()
		if h := c.Request().Header.Get(echo.HeaderAuthorization); h != "" {
			scheme, secret, _ := strings.Cut(h, " ")
			if !strings.EqualFold(scheme, "Bearer") {
				return unauthenticated()
			}
			p, err := s.opts.Auth.Authenticate(ctx, strings.TrimSpace(secret))
			if err == nil && p.TokenID == "" {
				err = unauthenticated() // a cookie's secret is no bearer token
			}
			if err != nil {
				return err
			}
			s.identified(c, p, strings.TrimSpace(secret))
			return next(c)
		}
		if cookie, err := c.Cookie(SessionCookie); err == nil && cookie.Value != "" {
			p, err := s.opts.Auth.Authenticate(ctx, cookie.Value)
			if err == nil && p.SessionID != "" {
				s.identified(c, p, cookie.Value)
			} else if err != nil && assent.ErrorCode(err) != assent.CodeUnauthenticated {
				return err
			}
		}
		return next(c)
	}
}

func (s *Server) identified(c echo.Context, p assent.Principal, secret string) {
	c.Set("principal", p)
	c.Set("still", func(ctx context.Context) bool {
		_, err := s.opts.Auth.Authenticate(ctx, secret)
		return assent.ErrorCode(err) != assent.CodeUnauthenticated
	})
}

// Still gives a check whether who made this request is still let in: a stream
// lives longer than a sign-out, a revoked token or a disabled account allow.
func Still(c echo.Context) func(context.Context) bool {
	still, _ := c.Get("still").(func(context.Context) bool)
	return still
}

func unauthenticated() error {
	return assent.Errorf(assent.CodeUnauthenticated, "Please sign in, or send a bearer token.")
}

// Require lets only those pass who are known and hold a scope; with none, all
// who are known, and the handler asks with Need once it knows what it is about.
func Require(scope assent.TokenScope) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			switch p := Principal(c); {
			case p.Person.ID == "":
				return unauthenticated()
			case p.Person.MustChange && p.TokenID == "":
				return assent.Errorf(assent.CodeForbidden, "Please choose a password of your own first.")
			case scope != "":
				if err := Need(c, scope); err != nil {
					return err
				}
			}
			return next(c)
		}
	}
}

// Need refuses those who lack a scope.
func Need(c echo.Context, scope assent.TokenScope) error {
	if Principal(c).May(scope) {
		return nil
	}
	return &assent.Error{Code: assent.CodeForbidden, Message: "This needs the scope " + string(scope) + ".", Details: map[string]any{"scope": scope}}
}

// Secure reports whether cookies are for https alone: it is how people reach the
// server, perhaps through a proxy.
func Secure(c echo.Context) bool {
	secure, _ := c.Get("secure").(bool)
	return secure
}

// SetSession puts a browser session's secret into the cookie; "" removes it.
func (s *Server) SetSession(c echo.Context, secret string) {
	cookie := &http.Cookie{Name: SessionCookie, Value: secret, Path: "/", HttpOnly: true, Secure: s.Secure(), SameSite: http.SameSiteLaxMode,
		MaxAge: int((30 * 24 * time.Hour).Seconds())}
	if secret == "" {
		cookie.MaxAge = -1
	}
	c.SetCookie(cookie)
}

func ipNet(p netip.Prefix) *net.IPNet {
	return &net.IPNet{IP: p.Masked().Addr().AsSlice(), Mask: net.CIDRMask(p.Bits(), p.Addr().BitLen())}
}

// People lets only people pass who are signed in with a browser session; an API
// token, whose scopes the pages do not know, is not enough.
func People(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if p := Principal(c); p.Person.ID == "" || p.TokenID != "" {
			return unauthenticated()
		}
		return next(c)
	}
}
