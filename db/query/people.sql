-- name: CreatePerson :exec
INSERT INTO people (id, email, name, role, disabled, password_hash, must_change, time_zone, locale, theme, default_mode, created_at, last_seen_at)
VALUES (@id, @email, @name, @role, FALSE, @password_hash, @must_change, @time_zone, @locale, @theme, @default_mode, @created_at, 0);

-- name: FindPerson :one
SELECT * FROM people WHERE id = @id;

-- name: FindPersonByEmail :one
SELECT * FROM people WHERE email = @email;

-- name: ListPeople :many
SELECT * FROM people ORDER BY created_at, id;

-- name: CountPeople :one
SELECT COUNT(*) FROM people;

-- name: CountActiveAdmins :one
SELECT COUNT(*) FROM people WHERE role = 'admin' AND NOT disabled;

-- name: UpdatePerson :execrows
UPDATE people SET email = @email, name = @name, role = @role, disabled = @disabled, time_zone = @time_zone, locale = @locale, theme = @theme, default_mode = @default_mode
WHERE id = @id;

-- name: UpdatePersonPassword :execrows
UPDATE people SET password_hash = @password_hash, must_change = @must_change WHERE id = @id;

-- name: UpdatePersonSeen :exec
UPDATE people SET last_seen_at = @last_seen_at WHERE id = @id;

-- name: CreateToken :exec
INSERT INTO tokens (id, kind, person_id, name, hash, scopes, created_at, last_used_at, expires_at)
VALUES (@id, @kind, @person_id, @name, @hash, @scopes, @created_at, 0, @expires_at);

-- name: FindTokenByHash :one
SELECT * FROM tokens WHERE hash = @hash;

-- name: ListTokens :many
SELECT * FROM tokens WHERE person_id = @person_id AND kind = @kind ORDER BY created_at, id;

-- name: UpdateTokenUsed :exec
UPDATE tokens SET last_used_at = @last_used_at, expires_at = @expires_at WHERE id = @id;

-- name: DeleteToken :execrows
DELETE FROM tokens WHERE id = @id AND person_id = @person_id;

-- name: DeletePersonTokens :execrows
DELETE FROM tokens WHERE person_id = @person_id AND kind = @kind AND id <> CAST(@except_id AS TEXT);

-- name: DeleteExpiredTokens :execrows
DELETE FROM tokens WHERE expires_at > 0 AND expires_at < @now;

-- name: FindLoginAttempts :one
SELECT * FROM login_attempts WHERE attempt_key = @attempt_key;

-- name: SaveLoginAttempts :exec
INSERT INTO login_attempts (attempt_key, failures, window_end) VALUES (@attempt_key, @failures, @window_end)
ON CONFLICT (attempt_key) DO UPDATE SET failures = excluded.failures, window_end = excluded.window_end;

-- name: DeleteLoginAttempts :exec
DELETE FROM login_attempts WHERE attempt_key = @attempt_key OR window_end < @now;

-- name: FindSetting :one
SELECT * FROM settings WHERE name = @name;

-- name: SaveSetting :exec
INSERT INTO settings (name, value, updated_at) VALUES (@name, @value, @updated_at)
ON CONFLICT (name) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at;
