-- name: NextSeq :one
UPDATE sessions SET last_seq = last_seq + CAST(@events AS BIGINT) WHERE id = @id RETURNING last_seq;

-- name: AppendEvent :exec
INSERT INTO events (session_id, seq, turn_id, type, at, data) VALUES (@session_id, @seq, @turn_id, @type, @at, @data);

-- name: ListEvents :many
SELECT session_id, seq, turn_id, type, at, data FROM events
WHERE session_id = @session_id AND seq > @after ORDER BY seq LIMIT CAST(@row_limit AS BIGINT);

-- name: ListTurnEvents :many
SELECT session_id, seq, turn_id, type, at, data FROM events
WHERE session_id = @session_id AND turn_id = @turn_id ORDER BY seq;

-- name: FirstSeq :one
SELECT CAST(COALESCE(MIN(seq), 0) AS BIGINT) FROM events WHERE session_id = @session_id;

-- name: LastSeqBefore :one
SELECT CAST(COALESCE(MAX(seq), 0) AS BIGINT) FROM events WHERE session_id = @session_id AND at < @before;

-- name: ListSessionsWithEventsBefore :many
SELECT DISTINCT e.session_id FROM events e WHERE e.id < (SELECT CAST(COALESCE(MIN(o.id), 0) AS BIGINT) FROM events o) + 5000 AND e.at < @before;

-- name: DeleteEventsThrough :execrows
DELETE FROM events WHERE session_id = @session_id AND seq <= @seq;
