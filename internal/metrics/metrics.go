package metrics

import (
	"net/http"
	"strconv"

	"assent/internal/assent"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics holds every number that the server tells.
type Metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	events   map[string]prometheus.Counter // by type; the set is closed
	turns    *prometheus.CounterVec
	runs     *prometheus.CounterVec
	moves    *prometheus.CounterVec
	reviews  *prometheus.CounterVec
	calls    *prometheus.CounterVec
	tokens   *prometheus.CounterVec
	cost     *prometheus.CounterVec
	tools    *prometheus.CounterVec
}

// New makes the counters, all at zero, and those of the process and of Go.
func New() *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry(), events: map[string]prometheus.Counter{}}
	m.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.requests = m.counter("assent_http_requests_total", "HTTP requests that were answered.", "method", "route", "status")
	m.turns = m.counter("assent_turns_total", "Turns that ended, by how.", "status")
	m.runs = m.counter("assent_runs_total", "Plan runs that came into a status.", "status")
	m.moves = m.counter("assent_run_transitions_total", "Moves of the state machine of runs.", "event", "to")
	m.reviews = m.counter("assent_plan_reviews_total", "Reviews of plans, by verdict.", "verdict")
	m.calls = m.counter("assent_model_calls_total", "Tries of model calls that ended.", "provider", "model", "operation", "status")
	m.tokens = m.counter("assent_model_tokens_total", "Tokens of model calls; cached ones are part of in.", "provider", "model", "direction")
	m.cost = m.counter("assent_model_cost_micros_total", "Micro-dollars of model calls with a known price.", "provider", "model")
	m.tools = m.counter("assent_tool_calls_total", "Tool calls, refused ones too, by tool and code of the outcome.", "tool", "outcome")
	events := m.counter("assent_events_total", "Events appended to session logs.", "type")
	for _, ev := range assent.Events() {
		m.events[ev.EventType()] = events.WithLabelValues(ev.EventType())
	}
	return m
}

func (m *Metrics) counter(name, help string, labels ...string) *prometheus.CounterVec {
	v := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	m.registry.MustRegister(v)
	return v
}

// Gauge tells a number that is read whenever somebody asks.
func (m *Metrics) Gauge(name, help string, read func() int) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 { return float64(read()) }))
}

// Handler tells all numbers.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{DisableCompression: true})
}

// Request counts an answered request. route is the template, never the path;
// methods that HTTP does not define are one.
func (m *Metrics) Request(method, route string, status int) {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
	default:
		method = "other"
	}
	m.requests.WithLabelValues(method, route, strconv.Itoa(status)).Inc()
}
