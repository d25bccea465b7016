-- +goose Up
-- Entities are found in the search index by an integer key, not by a scan.
CREATE TABLE search_keys (
    id        INTEGER PRIMARY KEY,
    entity_id TEXT NOT NULL UNIQUE
);
INSERT INTO search_keys (id, entity_id) SELECT MAX(rowid), entity_id FROM search_index GROUP BY entity_id;
DELETE FROM search_index WHERE rowid NOT IN (SELECT id FROM search_keys);

-- Members outlive their project, so that an undo of its deletion brings them back.
CREATE TEMP TABLE kept_members AS SELECT project_id, user_id, added_at FROM project_members;
DROP TABLE project_members;
CREATE TABLE project_members (
    -- not a foreign key: the rows stay when the project is deleted, for its undo
    project_id TEXT NOT NULL,
    user_id    TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
    added_at   BIGINT NOT NULL,
    PRIMARY KEY (project_id, user_id)
);
CREATE INDEX project_members_user ON project_members (user_id);
INSERT INTO project_members SELECT project_id, user_id, added_at FROM kept_members;
DROP TABLE kept_members;

-- +goose Down
SELECT 1;
