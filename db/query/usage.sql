-- name: OpenUsage :exec
INSERT INTO llm_usage (id, at, ended_at, user_id, session_id, turn_id, run_id, plan_id, step, tool, operation_type, context_type, execution_mode,
    profile, provider, model, status, error_class, tokens_in, tokens_out, tokens_cached, tokens_reasoning, cost_micros, latency_ms, ttft_ms,
    forced_json_mode, structured_output_strict, tool_schema_id, finalize_retries, fallback_from, fallback_reason)
VALUES (@id, @at, 0, @user_id, @session_id, @turn_id, @run_id, @plan_id, @step, @tool, @operation_type, @context_type, @execution_mode,
    @profile, @provider, @model, 'open', '', 0, 0, 0, 0, NULL, 0, 0, @forced_json_mode, @structured_output_strict, @tool_schema_id, @finalize_retries, @fallback_from, @fallback_reason);

-- name: CloseUsage :exec
UPDATE llm_usage SET ended_at = @ended_at, status = @status, error_class = @error_class, tokens_in = @tokens_in, tokens_out = @tokens_out,
    tokens_cached = @tokens_cached, tokens_reasoning = @tokens_reasoning, cost_micros = @cost_micros, latency_ms = @latency_ms, ttft_ms = @ttft_ms,
    forced_json_mode = @forced_json_mode, structured_output_strict = @structured_output_strict
WHERE id = @id;

-- name: CloseOpenUsage :execrows
UPDATE llm_usage SET status = 'cancelled', error_class = 'cancelled', ended_at = @ended_at WHERE status = 'open';

-- name: ListUsage :many
SELECT * FROM llm_usage WHERE at >= @from_at AND at < @to_at ORDER BY at, id;

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
ORDER BY id DESC LIMIT CAST(@row_limit AS BIGINT);

-- name: CountErrorsSince :one
SELECT COUNT(*) FROM errors WHERE at >= @since;

-- name: CreateAudit :exec
INSERT INTO audit (id, at, user_id, caller, action, subject, session_id, turn_id, details)
VALUES (@id, @at, @user_id, @caller, @action, @subject, @session_id, @turn_id, @details);
