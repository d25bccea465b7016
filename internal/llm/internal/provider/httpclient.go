package provider

import (
	"net"
	"net/http"
	"time"
)

// idlePerHost is how many connections wait for the next call. All calls go to
// very few hosts, and hundreds of turns may stream at once.
const idlePerHost = 512

// HTTPClient makes a client for streams that may last minutes: no overall
// timeout (the gateway has the clock), connections are kept, nothing is
// compressed, so that chunks are not held back.
func HTTPClient() *http.Client {
	dialer := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}
	return &http.Client{Transport: &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         dialer.DialContext,
		ForceAttemptHTTP2:   true,
		MaxIdleConnsPerHost: idlePerHost,
		IdleConnTimeout:     90 * time.Second,
		TLSHandshakeTimeout: 10 * time.Second,
		DisableCompression:  true,
		ReadBufferSize:      16 << 10,
		// A connection that died in silence must not take the next call too.
		HTTP2: &http.HTTP2Config{SendPingTimeout: 15 * time.Second, PingTimeout: 5 * time.Second},
	}}
}

// WithoutRedirects is a copy of c that follows no redirect: it would carry the
// key and the conversation to a host that nobody configured.
func WithoutRedirects(c *http.Client) *http.Client {
	copied := *c
	copied.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &copied
}
