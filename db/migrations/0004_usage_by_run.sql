-- +goose Up
-- What a run took of models is found by the run.
CREATE INDEX llm_usage_run ON llm_usage (run_id) WHERE run_id <> '';

-- +goose Down
DROP INDEX llm_usage_run;
