-- name: OpenUsage :exec
INSERT INTO llm_usage (id, at, ended_at, user_id, session_id, turn_id, run_id, plan_id, step, tool, operation_type, context_type, execution_mode,
    profile, provider, model, status, error_class, tokens_in, tokens_out, tokens_cached, tokens_reasoning, cost_micros, latency_ms, ttft_ms,
    forced_json_mode, structured_output_strict, tool_schema_id, finalize_retries, fallback_from, fallback_reason)
VALUES (@id, @at, 0, @user_id, @session_id, @turn_id, @run_id, @plan_id, @step, @tool, @operation_type, @context_type, @execution_mode,
    @profile, @provider, @model, 'open', '', 0, 0, 0, 0, NULL, 0, 0, @forced_json_mode, @structured_output_strict, @tool_schema_id, @finalize_retries, @fallback_from, @fallback_reason);

-- name: CloseUsage :execrows
UPDATE llm_usage SET ended_at = @ended_at, status = @status, error_class = @error_class, tokens_in = @tokens_in, tokens_out = @tokens_out,
    tokens_cached = @tokens_cached, tokens_reasoning = @tokens_reasoning, cost_micros = @cost_micros, latency_ms = @latency_ms, ttft_ms = @ttft_ms,
    forced_json_mode = @forced_json_mode, structured_output_strict = @structured_output_strict
WHERE id = @id AND status = 'open';

-- name: ListOpenUsage :many
SELECT * FROM llm_usage WHERE status = 'open' AND at >= @from_at AND at < @to_at;

-- name: ListUsage :many
-- The calls of some time, a page at a time.
SELECT * FROM llm_usage
WHERE at >= @from_at AND at < @to_at AND (at > @from_at OR id > @after_id)
ORDER BY at, id LIMIT CAST(@row_limit AS BIGINT);

-- name: ClaimPlanning :exec
-- The calls of a turn that drafted a plan belong to the plan that came of them.
UPDATE llm_usage SET plan_id = @plan_id WHERE turn_id = @turn_id AND turn_id <> '' AND operation_type = 'plan_generation' AND plan_id = '';

-- name: ListPlanUsage :many
SELECT * FROM llm_usage WHERE plan_id = @plan_id AND plan_id <> '' ORDER BY at, id;

-- name: FirstUsage :one
SELECT CAST(COALESCE(MIN(at), 0) AS BIGINT) FROM llm_usage;

-- name: HasUsageSums :one
SELECT EXISTS (SELECT 1 FROM usage_sums);

-- name: CreateUsageKey :exec
INSERT INTO usage_keys (id, cube, user_id, tool, operation_type, context_type, execution_mode, profile, provider, model, status, error_class, fallback_from)
VALUES (@id, @cube, @user_id, @tool, @operation_type, @context_type, @execution_mode, @profile, @provider, @model, @status, @error_class, @fallback_from)
ON CONFLICT (id) DO NOTHING;

-- name: ListUsageKeys :many
SELECT * FROM usage_keys WHERE cube = @cube;

-- name: AddUsageSums :exec
INSERT INTO usage_sums (cube, width, at, key_id, calls, failures, priced, unpriced, tokens_in, tokens_out, tokens_cached, tokens_reasoning, cost_micros, latency_max, ttft_max, latency_0, latency_1, latency_2, latency_3, latency_4, latency_5, latency_6, latency_7, latency_8, latency_9, latency_10, latency_11, ttft_0, ttft_1, ttft_2, ttft_3, ttft_4, ttft_5, ttft_6, ttft_7, ttft_8, ttft_9, ttft_10, ttft_11)
VALUES (@cube, @width, @at, @key_id, @calls, @failures, @priced, @unpriced, @tokens_in, @tokens_out, @tokens_cached, @tokens_reasoning, @cost_micros, @latency_max, @ttft_max, @latency_0, @latency_1, @latency_2, @latency_3, @latency_4, @latency_5, @latency_6, @latency_7, @latency_8, @latency_9, @latency_10, @latency_11, @ttft_0, @ttft_1, @ttft_2, @ttft_3, @ttft_4, @ttft_5, @ttft_6, @ttft_7, @ttft_8, @ttft_9, @ttft_10, @ttft_11)
ON CONFLICT (cube, width, at, key_id) DO UPDATE SET
    calls = usage_sums.calls + excluded.calls,
    failures = usage_sums.failures + excluded.failures,
    priced = usage_sums.priced + excluded.priced,
    unpriced = usage_sums.unpriced + excluded.unpriced,
    tokens_in = usage_sums.tokens_in + excluded.tokens_in,
    tokens_out = usage_sums.tokens_out + excluded.tokens_out,
    tokens_cached = usage_sums.tokens_cached + excluded.tokens_cached,
    tokens_reasoning = usage_sums.tokens_reasoning + excluded.tokens_reasoning,
    cost_micros = usage_sums.cost_micros + excluded.cost_micros,
    latency_0 = usage_sums.latency_0 + excluded.latency_0,
    latency_1 = usage_sums.latency_1 + excluded.latency_1,
    latency_2 = usage_sums.latency_2 + excluded.latency_2,
    latency_3 = usage_sums.latency_3 + excluded.latency_3,
    latency_4 = usage_sums.latency_4 + excluded.latency_4,
    latency_5 = usage_sums.latency_5 + excluded.latency_5,
    latency_6 = usage_sums.latency_6 + excluded.latency_6,
    latency_7 = usage_sums.latency_7 + excluded.latency_7,
    latency_8 = usage_sums.latency_8 + excluded.latency_8,
    latency_9 = usage_sums.latency_9 + excluded.latency_9,
    latency_10 = usage_sums.latency_10 + excluded.latency_10,
    latency_11 = usage_sums.latency_11 + excluded.latency_11,
    ttft_0 = usage_sums.ttft_0 + excluded.ttft_0,
    ttft_1 = usage_sums.ttft_1 + excluded.ttft_1,
    ttft_2 = usage_sums.ttft_2 + excluded.ttft_2,
    ttft_3 = usage_sums.ttft_3 + excluded.ttft_3,
    ttft_4 = usage_sums.ttft_4 + excluded.ttft_4,
    ttft_5 = usage_sums.ttft_5 + excluded.ttft_5,
    ttft_6 = usage_sums.ttft_6 + excluded.ttft_6,
    ttft_7 = usage_sums.ttft_7 + excluded.ttft_7,
    ttft_8 = usage_sums.ttft_8 + excluded.ttft_8,
    ttft_9 = usage_sums.ttft_9 + excluded.ttft_9,
    ttft_10 = usage_sums.ttft_10 + excluded.ttft_10,
    ttft_11 = usage_sums.ttft_11 + excluded.ttft_11,
    latency_max = CASE WHEN excluded.latency_max > usage_sums.latency_max THEN excluded.latency_max ELSE usage_sums.latency_max END,
    ttft_max = CASE WHEN excluded.ttft_max > usage_sums.ttft_max THEN excluded.ttft_max ELSE usage_sums.ttft_max END;

-- name: SumUsage :many
-- Sums by key and by spans of time, which count from shift before 1970.
SELECT CAST((at + @shift) / @span AS BIGINT) AS part, key_id,
    CAST(SUM(calls) AS BIGINT) AS calls,
    CAST(SUM(failures) AS BIGINT) AS failures,
    CAST(SUM(priced) AS BIGINT) AS priced,
    CAST(SUM(unpriced) AS BIGINT) AS unpriced,
    CAST(SUM(tokens_in) AS BIGINT) AS tokens_in,
    CAST(SUM(tokens_out) AS BIGINT) AS tokens_out,
    CAST(SUM(tokens_cached) AS BIGINT) AS tokens_cached,
    CAST(SUM(tokens_reasoning) AS BIGINT) AS tokens_reasoning,
    CAST(SUM(cost_micros) AS BIGINT) AS cost_micros,
    CAST(SUM(latency_0) AS BIGINT) AS latency_0,
    CAST(SUM(latency_1) AS BIGINT) AS latency_1,
    CAST(SUM(latency_2) AS BIGINT) AS latency_2,
    CAST(SUM(latency_3) AS BIGINT) AS latency_3,
    CAST(SUM(latency_4) AS BIGINT) AS latency_4,
    CAST(SUM(latency_5) AS BIGINT) AS latency_5,
    CAST(SUM(latency_6) AS BIGINT) AS latency_6,
    CAST(SUM(latency_7) AS BIGINT) AS latency_7,
    CAST(SUM(latency_8) AS BIGINT) AS latency_8,
    CAST(SUM(latency_9) AS BIGINT) AS latency_9,
    CAST(SUM(latency_10) AS BIGINT) AS latency_10,
    CAST(SUM(latency_11) AS BIGINT) AS latency_11,
    CAST(SUM(ttft_0) AS BIGINT) AS ttft_0,
    CAST(SUM(ttft_1) AS BIGINT) AS ttft_1,
    CAST(SUM(ttft_2) AS BIGINT) AS ttft_2,
    CAST(SUM(ttft_3) AS BIGINT) AS ttft_3,
    CAST(SUM(ttft_4) AS BIGINT) AS ttft_4,
    CAST(SUM(ttft_5) AS BIGINT) AS ttft_5,
    CAST(SUM(ttft_6) AS BIGINT) AS ttft_6,
    CAST(SUM(ttft_7) AS BIGINT) AS ttft_7,
    CAST(SUM(ttft_8) AS BIGINT) AS ttft_8,
    CAST(SUM(ttft_9) AS BIGINT) AS ttft_9,
    CAST(SUM(ttft_10) AS BIGINT) AS ttft_10,
    CAST(SUM(ttft_11) AS BIGINT) AS ttft_11,
    CAST(MAX(latency_max) AS BIGINT) AS latency_max,
    CAST(MAX(ttft_max) AS BIGINT) AS ttft_max
FROM usage_sums WHERE cube = @cube AND width = @width AND at >= @from_at AND at < @to_at
GROUP BY part, key_id;

-- name: ListTurnUsage :many
SELECT * FROM llm_usage WHERE turn_id = @turn_id ORDER BY at, id;

-- name: DeleteUsageBefore :execrows
DELETE FROM llm_usage WHERE at < @before;

-- name: CreateErrorRow :exec
INSERT INTO errors (id, at, code, class, component, stage, tool, operation_type, provider, model, context_type, execution_mode, session_id, turn_id, plan_id, run_id, step, user_id, message, details)
VALUES (@id, @at, @code, @class, @component, @stage, @tool, @operation_type, @provider, @model, @context_type, @execution_mode, @session_id, @turn_id, @plan_id, @run_id, @step, @user_id, @message, @details);

-- name: ListErrorRows :many
SELECT * FROM errors WHERE id < CAST(@before_id AS TEXT)
  AND (CAST(@class AS TEXT) = '' OR class = CAST(@class AS TEXT))
  AND (CAST(@turn_id AS TEXT) = '' OR turn_id = CAST(@turn_id AS TEXT))
  AND (CAST(@plan_id AS TEXT) = '' OR plan_id = CAST(@plan_id AS TEXT))
ORDER BY id DESC LIMIT CAST(@row_limit AS BIGINT);

-- name: ListErrorClasses :many
SELECT class, COUNT(*) AS n FROM errors GROUP BY class ORDER BY class;

-- name: CountErrorsSince :one
SELECT COUNT(*) FROM errors WHERE at >= @since;

-- name: CreateAudit :exec
INSERT INTO audit (id, at, user_id, caller, action, subject, session_id, turn_id, details)
VALUES (@id, @at, @user_id, @caller, @action, @subject, @session_id, @turn_id, @details);
