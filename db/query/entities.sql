-- name: CreateEntity :exec
INSERT INTO entities (id, kind, project_id, owner_id, title, status, due, position, from_id, to_id, revision, data, created_by, created_at, updated_at)
VALUES (@id, @kind, @project_id, @owner_id, @title, @status, @due, @position, @from_id, @to_id, @revision, @data, @created_by, @created_at, @updated_at);

-- name: UpdateEntity :execrows
UPDATE entities SET project_id = @project_id, owner_id = @owner_id, title = @title, status = @status, due = @due, position = @position,
    from_id = @from_id, to_id = @to_id, revision = @revision, data = @data, updated_at = @updated_at
WHERE id = @id AND revision = @from_revision;

-- name: DeleteEntity :execrows
DELETE FROM entities WHERE id = @id AND revision = @from_revision;

-- name: FindEntity :one
SELECT * FROM entities WHERE id = @id;

-- name: ListTemplates :many
SELECT e.id, e.position, e.data FROM entities e
WHERE e.kind = 'template'
  AND (e.created_by = '' OR e.created_by = @user_id OR e.created_by IN (SELECT p.id FROM people p WHERE p.role = 'admin'))
  AND (e.position > CAST(@after_position AS BIGINT) OR (e.position = CAST(@after_position AS BIGINT) AND e.id > CAST(@after_id AS TEXT)))
ORDER BY e.position, e.id
LIMIT CAST(@row_limit AS BIGINT);

-- name: ListInProject :many
SELECT e.id, e.position, e.data FROM entities e
WHERE e.kind = @kind AND e.project_id = CAST(@project_id AS TEXT)
  AND (CAST(@status AS TEXT) = '' OR e.status = CAST(@status AS TEXT))
  AND (CAST(@due_before AS TEXT) = '' OR (e.due <> '' AND e.due < CAST(@due_before AS TEXT)))
  AND e.project_id IN (
        SELECT p.id FROM entities p WHERE p.kind = 'project' AND p.owner_id = @user_id
        UNION SELECT m.project_id FROM project_members m WHERE m.user_id = @user_id)
  AND (e.position > CAST(@after_position AS BIGINT) OR (e.position = CAST(@after_position AS BIGINT) AND e.id > CAST(@after_id AS TEXT)))
ORDER BY e.position, e.id
LIMIT CAST(@row_limit AS BIGINT);

-- name: ListEntities :many
SELECT e.id, e.position, e.data FROM entities e
WHERE e.kind = @kind
  AND (CAST(@status AS TEXT) = '' OR e.status = CAST(@status AS TEXT))
  AND (CAST(@due_before AS TEXT) = '' OR (e.due <> '' AND e.due < CAST(@due_before AS TEXT)))
  AND e.project_id IN (
        SELECT p.id FROM entities p WHERE p.kind = 'project' AND p.owner_id = @user_id
        UNION SELECT m.project_id FROM project_members m WHERE m.user_id = @user_id)
  AND (e.position > CAST(@after_position AS BIGINT) OR (e.position = CAST(@after_position AS BIGINT) AND e.id > CAST(@after_id AS TEXT)))
ORDER BY e.position, e.id
LIMIT CAST(@row_limit AS BIGINT);

-- name: ListProjectEntities :many
SELECT * FROM entities WHERE project_id = @project_id AND id <> @project_id ORDER BY kind, position, id;

-- name: CountEntities :many
SELECT e.kind, COUNT(*) AS n FROM entities e
WHERE e.project_id IN (
        SELECT p.id FROM entities p WHERE p.kind = 'project' AND p.owner_id = @user_id
        UNION SELECT m.project_id FROM project_members m WHERE m.user_id = @user_id)
  AND (CAST(@project_id AS TEXT) = '' OR e.project_id = CAST(@project_id AS TEXT))
GROUP BY e.kind;

-- name: ListRelationsOf :many
SELECT * FROM entities WHERE kind = 'relation' AND (from_id = @entity_id OR to_id = @entity_id) ORDER BY id;

-- name: NextPosition :one
SELECT CAST(COALESCE(MAX(position), 0) + 1 AS BIGINT) FROM entities WHERE project_id = @project_id AND kind = @kind;

-- name: MaySeeProject :one
SELECT CAST(EXISTS (
    SELECT 1 FROM entities p WHERE p.id = @project_id AND p.kind = 'project' AND p.owner_id = @user_id
    UNION ALL SELECT 1 FROM project_members m WHERE m.project_id = @project_id AND m.user_id = @user_id) AS BOOLEAN);

-- name: AddProjectMember :exec
INSERT INTO project_members (project_id, user_id, added_at) VALUES (@project_id, @user_id, @added_at)
ON CONFLICT (project_id, user_id) DO NOTHING;

-- name: RemoveProjectMember :execrows
DELETE FROM project_members WHERE project_id = @project_id AND user_id = @user_id;

-- name: ListProjectMembers :many
SELECT m.project_id, m.user_id, m.added_at, p.email, p.name FROM project_members m JOIN people p ON p.id = m.user_id
WHERE m.project_id = @project_id ORDER BY m.added_at, m.user_id;

-- name: CreateRevision :exec
INSERT INTO revisions (id, kind, entity_id, project_id, revision, op, title, before, after, user_id, caller, tool, session_id, turn_id, run_id, step_path, at, undoes)
VALUES (@id, @kind, @entity_id, @project_id, @revision, @op, @title, @before, @after, @user_id, @caller, @tool, @session_id, @turn_id, @run_id, @step_path, @at, @undoes);

-- name: ListEntityRevisions :many
SELECT * FROM revisions WHERE entity_id = @entity_id AND revision < CAST(@before_revision AS BIGINT)
ORDER BY revision DESC LIMIT CAST(@row_limit AS BIGINT);

-- name: FindRevision :one
SELECT * FROM revisions WHERE entity_id = @entity_id AND revision = @revision;

-- name: FindRevisionByID :one
SELECT * FROM revisions WHERE id = @id;

-- name: ListProjectRevisions :many
SELECT * FROM revisions WHERE project_id = @project_id AND id < CAST(@before_id AS TEXT)
ORDER BY id DESC LIMIT CAST(@row_limit AS BIGINT);

-- name: ListRunRevisions :many
-- What was taken back since is left out.
SELECT * FROM revisions r WHERE r.run_id = @run_id
  AND NOT EXISTS (SELECT 1 FROM revisions u WHERE u.undoes = r.id)
ORDER BY r.id DESC;

-- name: CountForeignRevisions :one
-- What happened to an entity after a revision and stands: neither taken back
-- since nor itself the taking back of another one.
SELECT COUNT(*) FROM revisions r WHERE r.entity_id = @entity_id AND r.revision > @after_revision AND r.undoes = ''
  AND NOT EXISTS (SELECT 1 FROM revisions u WHERE u.undoes = r.id);

-- name: ListTurnRevisions :many
SELECT * FROM revisions WHERE turn_id = @turn_id ORDER BY id;
