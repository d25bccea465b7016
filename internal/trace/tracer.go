package trace

import (
	"context"
	"log/slog"
	"strings"

	"assent/internal/assent"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// Tracer makes spans; nil makes none.
type Tracer struct {
	provider *sdk.TracerProvider
	tracer   trace.Tracer
}

// New makes a Tracer that sends to the OTLP endpoint over HTTP, nil without one.
// Headers, for the collector's key say, come from OTEL_EXPORTER_OTLP_HEADERS.
// Nothing is connected yet.
func New(ctx context.Context, endpoint, version string) (*Tracer, error) {
	if endpoint == "" {
		return nil, nil
	}
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(strings.TrimRight(endpoint, "/")+"/v1/traces"))
	if err != nil {
		return nil, err
	}
	// What the library has to say of its own: a collector that is gone, mostly.
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { slog.Warn("traces", "error", err) }))
	about := resource.NewSchemaless(attribute.String("service.name", "assent"), attribute.String("service.version", version))
	p := sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(about))
	return &Tracer{provider: p, tracer: p.Tracer("assent")}, nil
}

// Close sends what is left, as far as ctx allows.
func (t *Tracer) Close(ctx context.Context) error {
	if t == nil {
		return nil
	}
	return t.provider.Shutdown(ctx)
}

// Job is the span of a turn or a run: it begins a trace.
func (t *Tracer) Job(ctx context.Context, kind, id string) (context.Context, func()) {
	if t == nil {
		return ctx, func() {}
	}
	ctx, span := t.tracer.Start(ctx, kind, trace.WithNewRoot(), trace.WithAttributes(attribute.String("assent."+kind, id)))
	return ctx, func() { span.End() }
}

// Step is the span of one attempt at a step of a run.
func (t *Tracer) Step(ctx context.Context, run assent.Run, path string, st assent.Step) (context.Context, func(error)) {
	if t == nil {
		return ctx, func(error) {}
	}
	ctx, span := t.tracer.Start(ctx, "step", trace.WithAttributes(known("assent.session", run.SessionID, "assent.turn", run.TurnID, "assent.plan", run.PlanID,
		"assent.run", run.ID, "assent.step", path, "assent.step_type", string(st.Type), "gen_ai.tool.name", st.Tool)...))
	return ctx, func(err error) {
		if err != nil {
			failed(span, string(assent.ErrorCode(err)))
		}
		span.End()
	}
}

// failed marks a span as one of a failure, by its class or code alone: the words
// of an error may hold words of a person.
func failed(span trace.Span, class string) {
	span.SetAttributes(attribute.String("error.type", class))
	span.SetStatus(codes.Error, class)
}

// known makes attributes of names and values in turn, without the empty ones.
func known(pairs ...string) []attribute.KeyValue {
	out := make([]attribute.KeyValue, 0, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			out = append(out, attribute.String(pairs[i], pairs[i+1]))
		}
	}
	return out
}
