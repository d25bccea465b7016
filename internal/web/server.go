package web

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"runtime/debug"
	"strings"
	"time"

	"assent/internal/assent"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
)

// maxBody bounds a request's body.
const maxBody = "1M"

// Authenticator knows who a secret stands for; *account.Service is one.
type Authenticator interface {
	Authenticate(ctx context.Context, secret string) (assent.Principal, error)
}

// Options are what the server needs.
type Options struct {
	Auth           Authenticator
	IDs            assent.IDs
	BaseURL        string // https makes cookies secure
	TrustedProxies []netip.Prefix
	// ErrorPage renders an error as a page.
	ErrorPage func(c echo.Context, status int, p Problem) error
	Log       *slog.Logger
	// Answered, if set, is told of each request once it is over; route is the
	// template, "" where none fits.
	Answered func(method, route string, status int)
	// Draining, if set, reports that the server shuts down: what would change
	// something is refused then.
	Draining func() bool
}

// Server holds what handlers and middleware share.
type Server struct {
	*echo.Echo
	opts Options
}

// New makes the server without any route.
func New(o Options) *Server {
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	s := &Server{Echo: e, opts: o}
	e.IPExtractor = s.ipExtractor()
	e.HTTPErrorHandler = s.handleError
	e.Use(s.envelope, middleware.BodyLimit(maxBody))
	return s
}

// Secure reports whether people reach the server by https.
func (s *Server) Secure() bool { return strings.HasPrefix(s.opts.BaseURL, "https://") }

func (s *Server) ipExtractor() echo.IPExtractor {
	if len(s.opts.TrustedProxies) == 0 {
		return echo.ExtractIPDirect()
	}
	opts := []echo.TrustOption{echo.TrustLoopback(false), echo.TrustLinkLocal(false), echo.TrustPrivateNet(false)}
	for _, p := range s.opts.TrustedProxies {
		opts = append(opts, echo.TrustIPRange(ipNet(p)))
	}
	return echo.ExtractIPFromXFFHeader(opts...)
}

const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; " +
	"manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// envelope is around every request: id, headers, panic guard and one log line.
func (s *Server) envelope(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		start := time.Now()
		id := s.opts.IDs()
		c.Set("request_id", id)
		c.Set("secure", s.Secure())
		h := c.Response().Header()
		h.Set(echo.HeaderXRequestID, id)
		h.Set("Content-Security-Policy", contentPolicy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
		if s.Secure() {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		if err := s.serve(next, c); err != nil {
			c.Error(err)
		}
		s.access(c, id, time.Since(start))
		if s.opts.Answered != nil {
			s.opts.Answered(c.Request().Method, c.Path(), c.Response().Status)
		}
		return nil
	}
}

// serve hands the request on, unless it comes too late.
func (s *Server) serve(next echo.HandlerFunc, c echo.Context) error {
	if s.opts.Draining != nil && s.opts.Draining() && !reads(c.Request().Method) {
		return assent.Errorf(assent.CodeUnavailable, "The server is shutting down. Nothing was changed; please try again in a moment.")
	}
	return guard(next, c)
}

// reads reports a method that changes nothing.
func reads(method string) bool {
	return method == http.MethodGet || method == http.MethodHead || method == http.MethodOptions
}

// access writes the one line of a request. Neither query strings nor bodies are
// in it.
func (s *Server) access(c echo.Context, id string, took time.Duration) {
	ctx, level := c.Request().Context(), accessLevel(c.Request().Method, c.Response().Status, took)
	if s.opts.Log.Enabled(ctx, level) {
		s.opts.Log.LogAttrs(ctx, level, "request", slog.String("method", c.Request().Method), slog.String("route", c.Path()),
			slog.Int("status", c.Response().Status), slog.Int64("ms", took.Milliseconds()), slog.String("request", id),
			slog.String("user", Principal(c).Person.ID))
	}
}

// slow is how long a request that changes something may take unremarked.
const slow = time.Second

// accessLevel keeps the log quiet under load: what went well, and whatever only
// reads, is for the debug level. A failure of ours has an error line beside.
func accessLevel(method string, status int, took time.Duration) slog.Level {
	if !reads(method) && (status >= 400 || took > slow) {
		return slog.LevelInfo
	}
	return slog.LevelDebug
}

// machine reports a path that programs ask again and again.
func machine(path string) bool { return path == "/healthz" || path == "/readyz" || path == "/metrics" }

// guard turns a panic into an error.
func guard(next echo.HandlerFunc, c echo.Context) (err error) {
	defer func() {
		if r := recover(); r != nil {
			if r == http.ErrAbortHandler {
				panic(r)
			}
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return next(c)
}

// RequestID is the id that finds the log lines of a request.
func RequestID(c echo.Context) string {
	id, _ := c.Get("request_id").(string)
	return id
}

// CSRF guards forms, the sign-in included: by the browser's Sec-Fetch-Site where
// it sends one, else by a token in the form field csrf or the header
// X-CSRF-Token. A bearer token is no ambient authority and needs none.
func (s *Server) CSRF() echo.MiddlewareFunc {
	return s.csrf(func(c echo.Context) bool { return Principal(c).TokenID != "" })
}

func (s *Server) csrf(skip func(echo.Context) bool) echo.MiddlewareFunc {
	return middleware.CSRFWithConfig(middleware.CSRFConfig{
		Skipper:        skip,
		TokenLookup:    "header:X-CSRF-Token,form:csrf",
		CookieName:     "assent_csrf",
		CookiePath:     "/",
		CookieHTTPOnly: true,
		CookieSecure:   s.Secure(),
		CookieSameSite: http.SameSiteLaxMode,
		CookieMaxAge:   30 * 24 * 3600,
		ErrorHandler: func(error, echo.Context) error {
			return assent.Errorf(assent.CodeForbidden, "This form is too old or came from somewhere else. Nothing was changed; load the page again and repeat it.")
		},
	})
}

// API gives a group for JSON: whoever asks is identified, a browser's session
// is guarded against forged requests, and nothing is kept by caches. It is not
// compressed. Routes say with Require who may pass.
func (s *Server) API(prefix string) *echo.Group {
	return s.Group(prefix, noStore, s.Identify, s.csrf(func(c echo.Context) bool { return Principal(c).SessionID == "" }))
}

func noStore(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		c.Response().Header().Set("Cache-Control", "no-store")
		return next(c)
	}
}

// Pages gives the groups for pages: for everybody, and for those who are signed
// in. Pages are compressed, event streams are not.
func (s *Server) Pages() (public, people *echo.Group) {
	zip := middleware.GzipWithConfig(middleware.GzipConfig{MinLength: 1024, Skipper: func(c echo.Context) bool {
		return strings.HasSuffix(c.Request().URL.Path, "/events")
	}})
	public = s.Group("", s.Identify, s.CSRF(), zip)
	people = s.Group("", s.Identify, People, s.CSRF(), zip)
	return public, people
}
