package provider

import (
	"context"
	"net"
	"net/http"
	"time"
)

// idlePerHost is how many connections wait for the next call. All calls go to
// very few hosts, and hundreds of turns may stream at once.
const idlePerHost = 512

// plainConn hides ReadFrom of a TCP connection: sending a body through it takes a
// buffer of 32 KB for each request.
type plainConn struct{ net.Conn }

// HTTPClient makes a client for streams that may last minutes: no overall
// timeout (the gateway has the clock), connections are kept, nothing is
// compressed, so that chunks are not held back.
func HTTPClient() *http.Client {
	dialer := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}
	dial := func(ctx context.Context, network, addr string) (net.Conn, error) {
		c, err := dialer.DialContext(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		return plainConn{c}, nil
	}
	return &http.Client{Transport: &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         dial,
		ForceAttemptHTTP2:   true,
		MaxIdleConnsPerHost: idlePerHost,
		IdleConnTimeout:     90 * time.Second,
		TLSHandshakeTimeout: 10 * time.Second,
		DisableCompression:  true,
		WriteBufferSize:     8 << 10,
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
