package usage

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
)

// WriteCSV writes a report with a header line, the group keys first. Cost is in
// micro-dollars and empty when unknown. A value that a spreadsheet would take
// for a formula gets an apostrophe in front.
func WriteCSV(w io.Writer, rows []Row, groupBy []string) error {
	out := csv.NewWriter(w)
	header := append(append([]string{}, groupBy...), "calls", "failures", "unpriced_calls", "tokens_in", "tokens_out",
		"tokens_cached", "cost_micros", "latency_ms_p50", "latency_ms_p95", "ttft_ms_p50", "ttft_ms_p95")
	if err := out.Write(header); err != nil {
		return err
	}
	for _, r := range rows {
		line := make([]string, 0, len(header))
		for _, k := range groupBy {
			line = append(line, harmless(r.Value(k)))
		}
		cost := ""
		if r.CostMicros != nil {
			cost = strconv.FormatInt(*r.CostMicros, 10)
		}
		line = append(line, number(r.Calls), number(r.Failures), number(r.Unpriced), number(r.TokensIn), number(r.TokensOut),
			number(r.TokensCached), cost, number(r.LatencyP50), number(r.LatencyP95), number(r.TTFTP50), number(r.TTFTP95))
		if err := out.Write(line); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

// harmless keeps a cell from being run as a formula: model and step names come
// from outside.
func harmless(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}
