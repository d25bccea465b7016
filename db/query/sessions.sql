-- name: CreateSession :exec
INSERT INTO sessions (id, user_id, context_type, entity_id, title, last_seq, created_at, updated_at)
VALUES (@id, @user_id, @context_type, @entity_id, @title, 0, @created_at, @updated_at);

-- name: FindSession :one
SELECT * FROM sessions WHERE id = @id;

-- name: ListSessions :many
SELECT s.id, s.user_id, s.context_type, s.entity_id, s.title, s.last_seq, s.created_at, s.updated_at,
       CAST((SELECT COUNT(*) FROM plans p WHERE p.session_id = s.id AND p.status IN ('pending_review', 'waiting_human')) AS BIGINT) AS waiting,
       CAST(((SELECT COUNT(*) FROM turns t WHERE t.session_id = s.id AND t.status IN ('queued', 'running'))
           + (SELECT COUNT(*) FROM runs r WHERE r.session_id = s.id AND r.status = 'running')) AS BIGINT) AS busy
FROM sessions s
WHERE s.user_id = @user_id
  AND (s.updated_at < CAST(@before_at AS BIGINT) OR (s.updated_at = CAST(@before_at AS BIGINT) AND s.id < CAST(@before_id AS TEXT)))
ORDER BY s.updated_at DESC, s.id DESC
LIMIT CAST(@row_limit AS BIGINT);

-- name: UpdateSessionTitle :execrows
UPDATE sessions SET title = @title, updated_at = @updated_at WHERE id = @id;

-- name: UpdateSessionTitleIfEmpty :execrows
UPDATE sessions SET title = @title WHERE id = @id AND title = '';

-- name: UpdateSessionTouched :exec
UPDATE sessions SET updated_at = @updated_at WHERE id = @id;

-- name: DeleteSession :execrows
DELETE FROM sessions WHERE id = @id;

-- name: CountWaitingPlans :one
SELECT COUNT(*) FROM plans WHERE user_id = @user_id AND status IN ('pending_review', 'waiting_human');

-- name: ListWaitingSessions :many
SELECT DISTINCT s.id, s.title, s.updated_at FROM sessions s JOIN plans p ON p.session_id = s.id
WHERE p.user_id = @user_id AND p.status IN ('pending_review', 'waiting_human')
ORDER BY s.updated_at DESC LIMIT 50;

-- name: CreateMessage :exec
INSERT INTO messages (id, session_id, turn_id, role, content, seen_seq, stopped, may_approve, reading, created_at)
VALUES (@id, @session_id, @turn_id, @role, @content, @seen_seq, @stopped, @may_approve, @reading, @created_at);

-- name: FindMessage :one
SELECT * FROM messages WHERE id = @id;

-- name: ListMessages :many
SELECT * FROM messages WHERE session_id = @session_id ORDER BY created_at, id;

-- name: ListMessagesByTurn :many
SELECT * FROM messages WHERE turn_id = @turn_id ORDER BY created_at, id;

-- name: UpdateMessageReading :execrows
UPDATE messages SET reading = @reading WHERE id = @id;

-- name: CreateTurn :exec
INSERT INTO turns (id, session_id, user_id, message_id, run_id, kind, execution_mode, idempotency_key, status, usage, error, created_at, started_at, ended_at)
VALUES (@id, @session_id, @user_id, @message_id, @run_id, @kind, @execution_mode, @idempotency_key, @status, @usage, '', @created_at, @started_at, 0);

-- name: FindTurn :one
SELECT * FROM turns WHERE id = @id;

-- name: FindTurnWithSession :one
SELECT sqlc.embed(t), sqlc.embed(s), sqlc.embed(p) FROM turns t
JOIN sessions s ON s.id = t.session_id JOIN people p ON p.id = t.user_id WHERE t.id = @id;

-- name: FindTurnByKey :one
SELECT * FROM turns WHERE session_id = @session_id AND idempotency_key = @idempotency_key;

-- name: FindRunningTurn :one
SELECT * FROM turns WHERE session_id = @session_id AND status = 'running' LIMIT 1;

-- name: FindNextQueuedTurn :one
SELECT * FROM turns WHERE session_id = @session_id AND status = 'queued' ORDER BY created_at, id LIMIT 1;

-- name: FindPreviousTurn :one
SELECT * FROM turns WHERE session_id = @session_id AND id < @id ORDER BY id DESC LIMIT 1;

-- name: ListTurns :many
SELECT * FROM turns WHERE session_id = @session_id ORDER BY created_at, id;

-- name: ListTurnsByStatus :many
SELECT * FROM turns WHERE status = @status ORDER BY created_at, id;

-- name: CountOpenTurns :one
SELECT COUNT(*) FROM turns WHERE session_id = @session_id AND status IN ('queued', 'running');

-- name: ListOpenMessages :many
-- What the turns that are queued or running answer; a turn without a message
-- gives an empty row.
SELECT CAST(COALESCE(m.id, '') AS TEXT) AS id, CAST(COALESCE(m.seen_seq, 0) AS BIGINT) AS seen_seq, CAST(COALESCE(m.reading, '') AS TEXT) AS reading
FROM turns t LEFT JOIN messages m ON m.id = t.message_id
WHERE t.session_id = @session_id AND t.status IN ('queued', 'running') ORDER BY t.id;

-- name: StartTurn :execrows
UPDATE turns SET status = 'running', started_at = @started_at WHERE id = @id AND status = 'queued';

-- name: EndTurn :execrows
UPDATE turns SET status = @status, usage = @usage, error = @error, ended_at = @ended_at
WHERE id = @id AND status IN ('queued', 'running');

-- name: UpdateTurnMode :exec
UPDATE turns SET execution_mode = @execution_mode WHERE id = @id;

-- name: CreateHistoryItem :exec
INSERT INTO history (turn_id, position, session_id, data) VALUES (@turn_id, @position, @session_id, @data);

-- name: ListHistory :many
SELECT turn_id, position, data FROM history WHERE session_id = @session_id ORDER BY turn_id, position;

-- name: ListTurnHistory :many
SELECT turn_id, position, data FROM history WHERE turn_id = @turn_id ORDER BY position;

-- name: CountReports :one
SELECT COUNT(*) FROM turns WHERE run_id = @run_id AND kind = 'report';

-- name: CountWaitingInSession :one
SELECT COUNT(*) FROM plans WHERE session_id = @session_id AND status IN ('pending_review', 'waiting_human');
