-- +goose Up
-- A revision that takes another one back names it, so that a run whose steps
-- were rolled back and run again can still be undone.
ALTER TABLE revisions ADD COLUMN undoes TEXT NOT NULL DEFAULT '';
CREATE INDEX revisions_undoes ON revisions (undoes) WHERE undoes <> '';

-- +goose Down
DROP INDEX revisions_undoes;
ALTER TABLE revisions DROP COLUMN undoes;
