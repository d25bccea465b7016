-- +goose Up
-- Sums of model calls that have ended, so that the admin's pages do not read
-- every call. A cube keeps some of the keys (the others are empty) by buckets of
-- time. The sums are written in the transaction that ends a call, and are made
-- from the rows at the next start where they are missing.
CREATE TABLE usage_keys (
    id             TEXT PRIMARY KEY,
    cube           TEXT NOT NULL,
    user_id        TEXT NOT NULL,
    tool           TEXT NOT NULL,
    operation_type TEXT NOT NULL,
    context_type   TEXT NOT NULL,
    execution_mode TEXT NOT NULL,
    profile        TEXT NOT NULL,
    provider       TEXT NOT NULL,
    model          TEXT NOT NULL,
    status         TEXT NOT NULL,
    error_class    TEXT NOT NULL,
    fallback_from  TEXT NOT NULL
);
CREATE INDEX usage_keys_cube ON usage_keys (cube);

CREATE TABLE usage_sums (
    cube             TEXT NOT NULL,
    width            BIGINT NOT NULL, -- of the bucket in milliseconds
    at               BIGINT NOT NULL, -- its start
    key_id           TEXT NOT NULL REFERENCES usage_keys (id),
    calls            BIGINT NOT NULL,
    failures         BIGINT NOT NULL,
    priced           BIGINT NOT NULL,
    unpriced         BIGINT NOT NULL,
    tokens_in        BIGINT NOT NULL,
    tokens_out       BIGINT NOT NULL,
    tokens_cached    BIGINT NOT NULL,
    tokens_reasoning BIGINT NOT NULL,
    cost_micros      BIGINT NOT NULL,
    latency_max      BIGINT NOT NULL,
    ttft_max         BIGINT NOT NULL,
    -- how many calls took up to 100, 250, 500, 1000, 2000, 4000, 8000, 15000,
    -- 30000, 60000, 120000 ms and more
    latency_0  BIGINT NOT NULL,
    latency_1  BIGINT NOT NULL,
    latency_2  BIGINT NOT NULL,
    latency_3  BIGINT NOT NULL,
    latency_4  BIGINT NOT NULL,
    latency_5  BIGINT NOT NULL,
    latency_6  BIGINT NOT NULL,
    latency_7  BIGINT NOT NULL,
    latency_8  BIGINT NOT NULL,
    latency_9  BIGINT NOT NULL,
    latency_10 BIGINT NOT NULL,
    latency_11 BIGINT NOT NULL,
    ttft_0     BIGINT NOT NULL,
    ttft_1     BIGINT NOT NULL,
    ttft_2     BIGINT NOT NULL,
    ttft_3     BIGINT NOT NULL,
    ttft_4     BIGINT NOT NULL,
    ttft_5     BIGINT NOT NULL,
    ttft_6     BIGINT NOT NULL,
    ttft_7     BIGINT NOT NULL,
    ttft_8     BIGINT NOT NULL,
    ttft_9     BIGINT NOT NULL,
    ttft_10    BIGINT NOT NULL,
    ttft_11    BIGINT NOT NULL,
    PRIMARY KEY (cube, width, at, key_id)
);

-- What a plan took is found by the plan.
CREATE INDEX llm_usage_plan ON llm_usage (plan_id) WHERE plan_id <> '';

-- From a turn or a plan to what went wrong in it.
CREATE INDEX errors_turn ON errors (turn_id) WHERE turn_id <> '';
CREATE INDEX errors_plan ON errors (plan_id) WHERE plan_id <> '';

-- +goose Down
DROP INDEX errors_plan;
DROP INDEX errors_turn;
DROP INDEX llm_usage_plan;
DROP TABLE usage_sums;
DROP TABLE usage_keys;
