-- name: ListBudgets :many
SELECT * FROM budgets ORDER BY user_id;

-- name: SaveBudget :exec
INSERT INTO budgets (user_id, calls_per_day, cost_per_day, updated_by, updated_at)
VALUES (@user_id, @calls_per_day, @cost_per_day, @updated_by, @updated_at)
ON CONFLICT (user_id) DO UPDATE SET calls_per_day = excluded.calls_per_day, cost_per_day = excluded.cost_per_day,
    updated_by = excluded.updated_by, updated_at = excluded.updated_at;

-- name: DeleteBudget :execrows
DELETE FROM budgets WHERE user_id = @user_id;

-- name: CreateReservation :exec
INSERT INTO reservations (usage_id, user_id, run_id, micros, at) VALUES (@usage_id, @user_id, @run_id, @micros, @at);

-- name: DeleteReservation :exec
DELETE FROM reservations WHERE usage_id = @usage_id;

-- name: FindRunCostLimit :one
-- The limit in the newest word for a run: its approval, or a later answer to it.
SELECT a.cost_limit_micros FROM runs r
JOIN approvals a ON a.plan_id = r.plan_id AND a.version = r.version AND a.id >= r.approval_id
WHERE r.id = @id ORDER BY a.id DESC LIMIT 1;

-- name: SumRunCost :one
SELECT CAST((SELECT COALESCE(SUM(u.cost_micros), 0) FROM llm_usage u WHERE u.run_id = r.id AND r.id <> '') AS BIGINT) AS spent,
       CAST((SELECT COALESCE(SUM(v.micros), 0) FROM reservations v WHERE v.run_id = r.id AND r.id <> '') AS BIGINT) AS reserved
FROM runs r WHERE r.id = @id;

-- name: SumUserSince :one
-- Texts of the product's own are no calls.
SELECT COUNT(*) AS calls, COUNT(u.cost_micros) AS priced, CAST(COALESCE(SUM(u.cost_micros), 0) AS BIGINT) AS spent FROM llm_usage u
WHERE u.user_id = @user_id AND u.at >= @from_at AND u.provider <> @own_provider;

-- name: SumReservedSince :one
SELECT CAST(COALESCE(SUM(micros), 0) AS BIGINT) FROM reservations WHERE user_id = @user_id AND at >= @from_at;

-- name: ListUsersSince :many
SELECT DISTINCT user_id FROM llm_usage WHERE at >= @from_at AND provider <> @own_provider;
