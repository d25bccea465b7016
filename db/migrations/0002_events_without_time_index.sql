-- +goose Up
-- The integer key orders events by commit, so it finds the oldest ones too: an
-- index by time costs every event and serves the daily clean-up alone.
DROP INDEX events_at;

-- +goose Down
CREATE INDEX events_at ON events (at);
