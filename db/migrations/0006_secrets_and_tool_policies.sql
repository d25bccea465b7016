-- +goose Up
-- Values that only handlers may see, sealed with the key file, which is not in
-- the database.
CREATE TABLE secrets (
    name       TEXT PRIMARY KEY,
    sealed     TEXT NOT NULL,
    updated_by TEXT NOT NULL,
    updated_at BIGINT NOT NULL
);

-- What admins set about a tool; a tool without a row is as it is defined.
CREATE TABLE tool_policies (
    tool       TEXT PRIMARY KEY,
    policy     TEXT NOT NULL,
    effect     TEXT NOT NULL,
    call_cap   BIGINT,
    updated_by TEXT NOT NULL,
    updated_at BIGINT NOT NULL
);

-- +goose Down
DROP TABLE tool_policies;
DROP TABLE secrets;
