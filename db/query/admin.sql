-- name: SaveSecret :exec
INSERT INTO secrets (name, sealed, updated_by, updated_at) VALUES (@name, @sealed, @updated_by, @updated_at)
ON CONFLICT (name) DO UPDATE SET sealed = excluded.sealed, updated_by = excluded.updated_by, updated_at = excluded.updated_at;

-- name: FindSecret :one
SELECT * FROM secrets WHERE name = @name;

-- name: ListSecrets :many
SELECT name, updated_at FROM secrets ORDER BY name;

-- name: DeleteSecret :execrows
DELETE FROM secrets WHERE name = @name;

-- name: SaveToolPolicy :exec
INSERT INTO tool_policies (tool, policy, effect, call_cap, updated_by, updated_at) VALUES (@tool, @policy, @effect, @call_cap, @updated_by, @updated_at)
ON CONFLICT (tool) DO UPDATE SET policy = excluded.policy, effect = excluded.effect, call_cap = excluded.call_cap, updated_by = excluded.updated_by, updated_at = excluded.updated_at;

-- name: ListToolPolicies :many
SELECT * FROM tool_policies ORDER BY tool;
