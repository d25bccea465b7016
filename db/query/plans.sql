-- name: CreatePlan :exec
INSERT INTO plans (id, session_id, user_id, turn_id, objective, status, mode, version, context_type, intent_label, bindings, created_at, updated_at)
VALUES (@id, @session_id, @user_id, @turn_id, @objective, @status, @mode, @version, @context_type, @intent_label, @bindings, @created_at, @updated_at);

-- name: FindPlan :one
SELECT * FROM plans WHERE id = @id;

-- name: ListPlanIDsByTurn :many
SELECT plans.id FROM plans WHERE plans.session_id = @session_id AND plans.turn_id = @turn_id
UNION
SELECT runs.plan_id FROM runs WHERE runs.session_id = @session_id AND runs.turn_id = @turn_id
ORDER BY 1;

-- name: ListPlansBySession :many
SELECT * FROM plans WHERE session_id = @session_id ORDER BY created_at, id;

-- name: ListPlansByUser :many
SELECT * FROM plans WHERE user_id = @user_id
  AND (CAST(@status AS TEXT) = '' OR status = CAST(@status AS TEXT))
  AND (CAST(@session_id AS TEXT) = '' OR session_id = CAST(@session_id AS TEXT))
  AND id < CAST(@before_id AS TEXT)
ORDER BY id DESC LIMIT CAST(@row_limit AS BIGINT);

-- name: UpdatePlanStatus :execrows
UPDATE plans SET status = @status, updated_at = @updated_at WHERE id = @id AND status = @from_status;

-- name: UpdatePlanVersion :execrows
UPDATE plans SET version = @version, objective = @objective, status = @status, updated_at = @updated_at
WHERE id = @id AND version = @from_version;

-- name: UpdatePlanMode :exec
UPDATE plans SET mode = @mode WHERE id = @id;

-- name: CreatePlanVersion :exec
INSERT INTO plan_versions (plan_id, version, hash, status, document, digests, preview, created_by, ready_seq, created_at)
VALUES (@plan_id, @version, @hash, @status, @document, @digests, @preview, @created_by, 0, @created_at);

-- name: FindPlanVersion :one
SELECT * FROM plan_versions WHERE plan_id = @plan_id AND version = @version;

-- name: ListPlanVersions :many
SELECT * FROM plan_versions WHERE plan_id = @plan_id ORDER BY version;

-- name: UpdateVersionStatus :execrows
UPDATE plan_versions SET status = @status WHERE plan_id = @plan_id AND version = @version AND status = @from_status;

-- name: UpdateVersionReady :exec
UPDATE plan_versions SET ready_seq = @ready_seq WHERE plan_id = @plan_id AND version = @version;

-- name: CreatePlanReview :exec
INSERT INTO plan_reviews (id, plan_id, version, reviewer, verdict, findings, at)
VALUES (@id, @plan_id, @version, @reviewer, @verdict, @findings, @at);

-- name: ListPlanReviews :many
SELECT * FROM plan_reviews WHERE plan_id = @plan_id ORDER BY id;

-- name: ListAllPlanReviews :many
SELECT r.id, r.plan_id, r.version, r.reviewer, r.verdict, r.findings, r.at, p.session_id, p.user_id, p.mode, p.status
FROM plan_reviews r JOIN plans p ON p.id = r.plan_id
WHERE r.id < CAST(@before_id AS TEXT) ORDER BY r.id DESC LIMIT CAST(@row_limit AS BIGINT);

-- name: CreateApproval :exec
INSERT INTO approvals (id, plan_id, version, hash, basis, message_id, words, reading, user_id, step, cost_limit_micros, at)
VALUES (@id, @plan_id, @version, @hash, @basis, @message_id, @words, @reading, @user_id, @step, @cost_limit_micros, @at);

-- name: FindApproval :one
SELECT * FROM approvals WHERE id = @id;

-- name: ListApprovals :many
SELECT * FROM approvals WHERE plan_id = @plan_id ORDER BY id;

-- name: CreateRun :exec
INSERT INTO runs (id, plan_id, session_id, user_id, turn_id, version, hash, status, state, generation, bindings, usage, not_before, requested_by, approval_id, error, started_at, ended_at)
VALUES (@id, @plan_id, @session_id, @user_id, @turn_id, @version, @hash, @status, @state, @generation, @bindings, @usage, @not_before, @requested_by, @approval_id, '', @started_at, 0);

-- name: FindRun :one
SELECT * FROM runs WHERE id = @id;

-- name: ListRunsByPlan :many
SELECT * FROM runs WHERE plan_id = @plan_id ORDER BY id;

-- name: ListRunsBySession :many
SELECT * FROM runs WHERE session_id = @session_id ORDER BY id;

-- name: ListRunsByStatus :many
SELECT * FROM runs WHERE status = @status ORDER BY id;

-- name: CountUnfinishedRuns :one
SELECT COUNT(*) FROM runs WHERE session_id = @session_id AND status IN ('running', 'paused', 'waiting_human');

-- name: MoveRun :execrows
UPDATE runs SET status = @status, state = @state, generation = @generation, error = @error, ended_at = @ended_at, not_before = @not_before
WHERE id = @id AND state = @from_state AND status = @from_status;

-- name: UpdateRunTurn :exec
UPDATE runs SET turn_id = @turn_id WHERE id = @id;

-- name: UpdateRunUsage :exec
UPDATE runs SET usage = @usage WHERE id = @id;

-- name: CreateStepRun :exec
INSERT INTO step_runs (run_id, path, position, step_id, type, tool, agent, label, status, attempt, arguments, outputs, summary, error, started_at, ended_at)
VALUES (@run_id, @path, @position, @step_id, @type, @tool, @agent, @label, @status, 0, '', '', '', '', 0, 0);

-- name: ListStepRuns :many
SELECT * FROM step_runs WHERE run_id = @run_id ORDER BY position;

-- name: BeginStepRun :one
UPDATE step_runs SET status = 'running', attempt = attempt + 1, arguments = @arguments, outputs = '', summary = '', error = '', started_at = @started_at, ended_at = 0
WHERE run_id = @run_id AND path = @path AND status IN ('pending', 'running', 'failed')
RETURNING attempt;

-- name: EndStepRun :execrows
UPDATE step_runs SET status = @status, outputs = @outputs, summary = @summary, error = @error, ended_at = @ended_at
WHERE run_id = @run_id AND path = @path AND status = 'running' AND attempt = @attempt;

-- name: FindStepRun :one
SELECT * FROM step_runs WHERE run_id = @run_id AND path = @path;

-- name: AnswerStepRun :execrows
UPDATE step_runs SET status = @status, outputs = @outputs, summary = @summary, ended_at = @ended_at
WHERE run_id = @run_id AND path = @path AND status = 'waiting_human';

-- name: MarkStepRun :execrows
UPDATE step_runs SET status = @status, ended_at = @ended_at WHERE run_id = @run_id AND path = @path AND status = @from_status;

-- name: ResetStepRun :execrows
UPDATE step_runs SET status = 'pending', outputs = '', summary = '', error = '', started_at = 0, ended_at = 0
WHERE run_id = @run_id AND path = @path AND status = @from_status;

-- name: ListPlansByUrgency :many
-- What waits for the person comes first, then the newest.
SELECT * FROM plans WHERE user_id = @user_id
  AND (CAST(@status AS TEXT) = '' OR status = CAST(@status AS TEXT))
  AND (CAST(@waiting AS BIGINT) = 1 AND (id < CAST(@before_id AS TEXT) OR status NOT IN ('pending_review', 'waiting_human'))
    OR CAST(@waiting AS BIGINT) = 0 AND id < CAST(@before_id AS TEXT) AND status NOT IN ('pending_review', 'waiting_human'))
ORDER BY CASE WHEN status IN ('pending_review', 'waiting_human') THEN 0 ELSE 1 END, id DESC
LIMIT CAST(@row_limit AS BIGINT);

-- name: CountPlansByStatus :many
SELECT status, COUNT(*) AS n FROM plans WHERE user_id = @user_id GROUP BY status;

-- name: ListStepUsage :many
-- What each tool and agent took of models in the runs that ended last.
SELECT s.run_id, s.path, s.tool, s.agent, CAST(COUNT(u.id) AS BIGINT) AS calls,
  CAST(COALESCE(SUM(u.tokens_in + u.tokens_out), 0) AS BIGINT) AS tokens,
  CAST(COALESCE(SUM(u.cost_micros), 0) AS BIGINT) AS cost_micros, CAST(COUNT(u.cost_micros) AS BIGINT) AS priced
FROM (SELECT r.id FROM runs r WHERE r.ended_at > 0 ORDER BY r.id DESC LIMIT CAST(@runs AS BIGINT)) latest
JOIN step_runs s ON s.run_id = latest.id AND s.status IN ('success', 'undone') AND s.type IN ('tool', 'agent')
LEFT JOIN llm_usage u ON u.run_id = s.run_id AND u.step = s.path AND u.run_id <> ''
GROUP BY s.run_id, s.path, s.tool, s.agent;

-- name: ListReportUsage :many
-- What the answers took in which the last runs were told of.
SELECT tokens_in + tokens_out AS tokens, cost_micros FROM llm_usage
WHERE operation_type = 'planner_stream' AND status = 'ok' ORDER BY at DESC LIMIT CAST(@row_limit AS BIGINT);

-- name: SumRunUsage :one
SELECT CAST(COUNT(*) AS BIGINT) AS calls, CAST(COUNT(cost_micros) AS BIGINT) AS priced,
  CAST(COALESCE(SUM(tokens_in), 0) AS BIGINT) AS tokens_in, CAST(COALESCE(SUM(tokens_out), 0) AS BIGINT) AS tokens_out,
  CAST(COALESCE(SUM(tokens_cached), 0) AS BIGINT) AS tokens_cached, CAST(COALESCE(SUM(cost_micros), 0) AS BIGINT) AS cost_micros
FROM llm_usage WHERE run_id = @run_id AND run_id <> '';
