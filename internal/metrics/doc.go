// Package metrics counts what the server does and tells it in the text format
// of Prometheus.
//
// Guarantees: one Metrics has a registry of its own, nothing is global. Counting
// takes well under a microsecond, never blocks and is safe for concurrent use;
// nothing is measured while nobody asks. Every label comes from a closed set or
// from what an admin configured (route templates, statuses, event types, tools,
// providers, models), so that no client can make the number of series grow. No
// name, address, text or id is ever in a label.
package metrics
