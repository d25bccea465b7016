-- +goose Up
-- Budgets of calls and cost a day, by person; '' is everybody who has none of
-- their own. NULL is no limit.
CREATE TABLE budgets (
    user_id       TEXT PRIMARY KEY,
    calls_per_day BIGINT,
    cost_per_day  BIGINT,
    updated_by    TEXT NOT NULL,
    updated_at    BIGINT NOT NULL
);

-- What calls under way may cost at worst, where a limit counts it; a call whose
-- cost never became known keeps its row.
CREATE TABLE reservations (
    usage_id TEXT PRIMARY KEY,
    user_id  TEXT NOT NULL,
    run_id   TEXT NOT NULL,
    micros   BIGINT NOT NULL,
    at       BIGINT NOT NULL
);
CREATE INDEX reservations_run ON reservations (run_id) WHERE run_id <> '';
CREATE INDEX reservations_user ON reservations (user_id, at);
CREATE INDEX llm_usage_user ON llm_usage (user_id, at);

-- +goose Down
DROP INDEX llm_usage_user;
DROP TABLE reservations;
DROP TABLE budgets;
