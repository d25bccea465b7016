-- The whole schema. Times are Unix milliseconds, ids UUIDv7 text, JSON text.
-- db/migrations leads from any landed state to exactly this; a test holds it.

CREATE TABLE people (
    id            TEXT PRIMARY KEY,
    email         TEXT NOT NULL UNIQUE,
    name          TEXT NOT NULL,
    role          TEXT NOT NULL,
    disabled      BOOLEAN NOT NULL,
    password_hash TEXT NOT NULL,
    must_change   BOOLEAN NOT NULL,
    time_zone     TEXT NOT NULL,
    locale        TEXT NOT NULL,
    theme         TEXT NOT NULL,
    default_mode  TEXT NOT NULL,
    created_at    BIGINT NOT NULL,
    last_seen_at  BIGINT NOT NULL
);

-- Browser sessions and API tokens are one thing: a hashed secret that stands
-- for a person. kind is browser or api.
CREATE TABLE tokens (
    id           TEXT PRIMARY KEY,
    kind         TEXT NOT NULL,
    person_id    TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
    name         TEXT NOT NULL,
    hash         TEXT NOT NULL UNIQUE,
    scopes       TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    last_used_at BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL
);
CREATE INDEX tokens_person ON tokens (person_id, kind, created_at);

-- Failed logins by key (address or account), so that limits survive a restart.
CREATE TABLE login_attempts (
    attempt_key TEXT PRIMARY KEY,
    failures    BIGINT NOT NULL,
    window_end  BIGINT NOT NULL
);

-- Small facts of the installation (the set-up code's hash, keys of features).
CREATE TABLE settings (
    name       TEXT PRIMARY KEY,
    value      TEXT NOT NULL,
    updated_at BIGINT NOT NULL
);

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

CREATE TABLE sessions (
    id           TEXT PRIMARY KEY,
    user_id      TEXT NOT NULL REFERENCES people (id),
    context_type TEXT NOT NULL,
    entity_id    TEXT NOT NULL,
    title        TEXT NOT NULL,
    last_seq     BIGINT NOT NULL,
    created_at   BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL
);
CREATE INDEX sessions_user ON sessions (user_id, updated_at);

CREATE TABLE messages (
    id         TEXT PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    turn_id    TEXT NOT NULL,
    role       TEXT NOT NULL,
    content    TEXT NOT NULL,
    seen_seq   BIGINT NOT NULL,
    stopped    BOOLEAN NOT NULL,
    -- whether its sender may approve: a token without that scope may not
    may_approve BOOLEAN NOT NULL,
    reading    TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX messages_session ON messages (session_id, id);

CREATE TABLE turns (
    id              TEXT PRIMARY KEY,
    session_id      TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    user_id         TEXT NOT NULL,
    message_id      TEXT NOT NULL,
    run_id          TEXT NOT NULL,
    kind            TEXT NOT NULL,
    execution_mode  TEXT NOT NULL,
    idempotency_key TEXT,
    status          TEXT NOT NULL,
    usage           TEXT NOT NULL,
    error           TEXT NOT NULL,
    created_at      BIGINT NOT NULL,
    started_at      BIGINT NOT NULL,
    ended_at        BIGINT NOT NULL
);
CREATE INDEX turns_session ON turns (session_id, id);
CREATE INDEX turns_unfinished ON turns (status) WHERE status = 'queued' OR status = 'running';
CREATE UNIQUE INDEX turns_idempotency ON turns (session_id, idempotency_key);
CREATE UNIQUE INDEX turns_report ON turns (run_id) WHERE kind = 'report';

-- What the model saw and said in a turn, opaque provider state included.
CREATE TABLE history (
    turn_id    TEXT NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
    position   BIGINT NOT NULL,
    session_id TEXT NOT NULL,
    data       TEXT NOT NULL,
    PRIMARY KEY (turn_id, position)
);
CREATE INDEX history_session ON history (session_id, turn_id, position);

-- The event log. The integer key orders it by commit.
CREATE TABLE events (
    id         INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    seq        BIGINT NOT NULL,
    turn_id    TEXT NOT NULL,
    type       TEXT NOT NULL,
    at         BIGINT NOT NULL,
    data       TEXT NOT NULL
);
CREATE UNIQUE INDEX events_session ON events (session_id, seq);

CREATE TABLE plans (
    id           TEXT PRIMARY KEY,
    session_id   TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    user_id      TEXT NOT NULL,
    turn_id      TEXT NOT NULL,
    objective    TEXT NOT NULL,
    status       TEXT NOT NULL,
    mode         TEXT NOT NULL,
    version      BIGINT NOT NULL,
    context_type TEXT NOT NULL,
    intent_label TEXT NOT NULL,
    bindings     TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL
);
CREATE INDEX plans_session ON plans (session_id, id);
CREATE INDEX plans_user ON plans (user_id, status, id);

CREATE TABLE plan_versions (
    plan_id    TEXT NOT NULL REFERENCES plans (id) ON DELETE CASCADE,
    version    BIGINT NOT NULL,
    hash       TEXT NOT NULL,
    status     TEXT NOT NULL,
    document   TEXT NOT NULL,
    digests    TEXT NOT NULL,
    preview    TEXT NOT NULL,
    created_by TEXT NOT NULL,
    ready_seq  BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (plan_id, version)
);

CREATE TABLE plan_reviews (
    id       TEXT PRIMARY KEY,
    plan_id  TEXT NOT NULL REFERENCES plans (id) ON DELETE CASCADE,
    version  BIGINT NOT NULL,
    reviewer TEXT NOT NULL,
    verdict  TEXT NOT NULL,
    findings TEXT NOT NULL,
    at       BIGINT NOT NULL
);
CREATE INDEX plan_reviews_plan ON plan_reviews (plan_id, id);

CREATE TABLE approvals (
    id                TEXT PRIMARY KEY,
    plan_id           TEXT NOT NULL REFERENCES plans (id) ON DELETE CASCADE,
    version           BIGINT NOT NULL,
    hash              TEXT NOT NULL,
    basis             TEXT NOT NULL,
    message_id        TEXT NOT NULL,
    words             TEXT NOT NULL,
    reading           TEXT NOT NULL,
    user_id           TEXT NOT NULL,
    step              TEXT NOT NULL,
    cost_limit_micros BIGINT,
    at                BIGINT NOT NULL
);
CREATE INDEX approvals_plan ON approvals (plan_id, id);

CREATE TABLE runs (
    id           TEXT PRIMARY KEY,
    plan_id      TEXT NOT NULL REFERENCES plans (id) ON DELETE CASCADE,
    session_id   TEXT NOT NULL,
    user_id      TEXT NOT NULL,
    turn_id      TEXT NOT NULL,
    version      BIGINT NOT NULL,
    hash         TEXT NOT NULL,
    status       TEXT NOT NULL,
    state        TEXT NOT NULL,
    generation   BIGINT NOT NULL,
    bindings     TEXT NOT NULL,
    usage        TEXT NOT NULL,
    not_before   BIGINT NOT NULL,
    requested_by TEXT NOT NULL,
    approval_id  TEXT NOT NULL REFERENCES approvals (id),
    error        TEXT NOT NULL,
    started_at   BIGINT NOT NULL,
    ended_at     BIGINT NOT NULL
);
CREATE INDEX runs_plan ON runs (plan_id, id);
CREATE INDEX runs_session ON runs (session_id, id);
CREATE INDEX runs_unfinished ON runs (status) WHERE status = 'running';

CREATE TABLE step_runs (
    run_id     TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    path       TEXT NOT NULL,
    position   BIGINT NOT NULL,
    step_id    TEXT NOT NULL,
    type       TEXT NOT NULL,
    tool       TEXT NOT NULL,
    agent      TEXT NOT NULL,
    label      TEXT NOT NULL,
    status     TEXT NOT NULL,
    attempt    BIGINT NOT NULL,
    arguments  TEXT NOT NULL,
    outputs    TEXT NOT NULL,
    summary    TEXT NOT NULL,
    error      TEXT NOT NULL,
    started_at BIGINT NOT NULL,
    ended_at   BIGINT NOT NULL,
    PRIMARY KEY (run_id, path)
);

-- Every workspace entity: the columns that lists and guards need, and the
-- whole typed entity as JSON in data. from_id and to_id are set for relations.
CREATE TABLE entities (
    id         TEXT PRIMARY KEY,
    kind       TEXT NOT NULL,
    project_id TEXT NOT NULL,
    owner_id   TEXT NOT NULL,
    title      TEXT NOT NULL,
    status     TEXT NOT NULL,
    due        TEXT NOT NULL,
    position   BIGINT NOT NULL,
    from_id    TEXT NOT NULL,
    to_id      TEXT NOT NULL,
    revision   BIGINT NOT NULL,
    data       TEXT NOT NULL,
    created_by TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX entities_project ON entities (project_id, kind, position, id);
CREATE INDEX entities_kind ON entities (kind, owner_id, id);
CREATE INDEX entities_from ON entities (from_id) WHERE from_id <> '';
CREATE INDEX entities_to ON entities (to_id) WHERE to_id <> '';

CREATE TABLE project_members (
    -- not a foreign key: the rows stay when the project is deleted, for its undo
    project_id TEXT NOT NULL,
    user_id    TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
    added_at   BIGINT NOT NULL,
    PRIMARY KEY (project_id, user_id)
);
CREATE INDEX project_members_user ON project_members (user_id);

CREATE TABLE revisions (
    id         TEXT PRIMARY KEY,
    kind       TEXT NOT NULL,
    entity_id  TEXT NOT NULL,
    project_id TEXT NOT NULL,
    revision   BIGINT NOT NULL,
    op         TEXT NOT NULL,
    title      TEXT NOT NULL,
    before     TEXT NOT NULL,
    after      TEXT NOT NULL,
    user_id    TEXT NOT NULL,
    caller     TEXT NOT NULL,
    tool       TEXT NOT NULL,
    session_id TEXT NOT NULL,
    turn_id    TEXT NOT NULL,
    run_id     TEXT NOT NULL,
    step_path  TEXT NOT NULL,
    at         BIGINT NOT NULL,
    undoes     TEXT NOT NULL DEFAULT ''
);
CREATE INDEX revisions_entity ON revisions (entity_id, revision);
CREATE INDEX revisions_project ON revisions (project_id, id);
CREATE INDEX revisions_run ON revisions (run_id, id) WHERE run_id <> '';
CREATE INDEX revisions_turn ON revisions (turn_id, id) WHERE turn_id <> '';
CREATE INDEX revisions_undoes ON revisions (undoes) WHERE undoes <> '';

-- One row per try of a model call.
CREATE TABLE llm_usage (
    id                       TEXT PRIMARY KEY,
    at                       BIGINT NOT NULL,
    ended_at                 BIGINT NOT NULL,
    user_id                  TEXT NOT NULL,
    session_id               TEXT NOT NULL,
    turn_id                  TEXT NOT NULL,
    run_id                   TEXT NOT NULL,
    plan_id                  TEXT NOT NULL,
    step                     TEXT NOT NULL,
    tool                     TEXT NOT NULL,
    operation_type           TEXT NOT NULL,
    context_type             TEXT NOT NULL,
    execution_mode           TEXT NOT NULL,
    profile                  TEXT NOT NULL,
    provider                 TEXT NOT NULL,
    model                    TEXT NOT NULL,
    status                   TEXT NOT NULL,
    error_class              TEXT NOT NULL,
    tokens_in                BIGINT NOT NULL,
    tokens_out               BIGINT NOT NULL,
    tokens_cached            BIGINT NOT NULL,
    tokens_reasoning         BIGINT NOT NULL,
    cost_micros              BIGINT,
    latency_ms               BIGINT NOT NULL,
    ttft_ms                  BIGINT NOT NULL,
    forced_json_mode         BOOLEAN NOT NULL,
    structured_output_strict BOOLEAN NOT NULL,
    tool_schema_id           TEXT NOT NULL,
    finalize_retries         BIGINT NOT NULL,
    fallback_from            TEXT NOT NULL,
    fallback_reason          TEXT NOT NULL
);
CREATE INDEX llm_usage_at ON llm_usage (at);
CREATE INDEX llm_usage_turn ON llm_usage (turn_id);
CREATE INDEX llm_usage_run ON llm_usage (run_id) WHERE run_id <> '';
CREATE INDEX llm_usage_open ON llm_usage (status) WHERE status = 'open';
CREATE INDEX llm_usage_plan ON llm_usage (plan_id) WHERE plan_id <> '';
CREATE INDEX llm_usage_user ON llm_usage (user_id, at);

-- Budgets of calls and cost a day, by person; '' is everybody who has none of
-- their own. NULL is no limit.
CREATE TABLE budgets (
    user_id       TEXT PRIMARY KEY,
    calls_per_day BIGINT,
    cost_per_day  BIGINT,
    updated_by    TEXT NOT NULL,
    updated_at    BIGINT NOT NULL
);

-- What calls under way may cost at worst, where a limit counts it; a call whose
-- cost never became known keeps its row.
CREATE TABLE reservations (
    usage_id TEXT PRIMARY KEY,
    user_id  TEXT NOT NULL,
    run_id   TEXT NOT NULL,
    micros   BIGINT NOT NULL,
    at       BIGINT NOT NULL
);
CREATE INDEX reservations_run ON reservations (run_id) WHERE run_id <> '';
CREATE INDEX reservations_user ON reservations (user_id, at);

-- Sums of model calls that have ended, so that the admin's pages do not read
-- every call. A cube keeps some of the keys (the others are empty) by buckets of
-- time. The sums are written in the transaction that ends a call, and are made
-- from the rows at the next start where they are missing.
CREATE TABLE usage_keys (
    id             TEXT PRIMARY KEY,
    cube           TEXT NOT NULL,
    user_id        TEXT NOT NULL,
    tool           TEXT NOT NULL,
    operation_type TEXT NOT NULL,
    context_type   TEXT NOT NULL,
    execution_mode TEXT NOT NULL,
    profile        TEXT NOT NULL,
    provider       TEXT NOT NULL,
    model          TEXT NOT NULL,
    status         TEXT NOT NULL,
    error_class    TEXT NOT NULL,
    fallback_from  TEXT NOT NULL
);
CREATE INDEX usage_keys_cube ON usage_keys (cube);

CREATE TABLE usage_sums (
    cube             TEXT NOT NULL,
    width            BIGINT NOT NULL, -- of the bucket in milliseconds
    at               BIGINT NOT NULL, -- its start
    key_id           TEXT NOT NULL REFERENCES usage_keys (id),
    calls            BIGINT NOT NULL,
    failures         BIGINT NOT NULL,
    priced           BIGINT NOT NULL,
    unpriced         BIGINT NOT NULL,
    tokens_in        BIGINT NOT NULL,
    tokens_out       BIGINT NOT NULL,
    tokens_cached    BIGINT NOT NULL,
    tokens_reasoning BIGINT NOT NULL,
    cost_micros      BIGINT NOT NULL,
    latency_max      BIGINT NOT NULL,
    ttft_max         BIGINT NOT NULL,
    -- how many calls took up to 100, 250, 500, 1000, 2000, 4000, 8000, 15000,
    -- 30000, 60000, 120000 ms and more
    latency_0  BIGINT NOT NULL,
    latency_1  BIGINT NOT NULL,
    latency_2  BIGINT NOT NULL,
    latency_3  BIGINT NOT NULL,
    latency_4  BIGINT NOT NULL,
    latency_5  BIGINT NOT NULL,
    latency_6  BIGINT NOT NULL,
    latency_7  BIGINT NOT NULL,
    latency_8  BIGINT NOT NULL,
    latency_9  BIGINT NOT NULL,
    latency_10 BIGINT NOT NULL,
    latency_11 BIGINT NOT NULL,
    ttft_0     BIGINT NOT NULL,
    ttft_1     BIGINT NOT NULL,
    ttft_2     BIGINT NOT NULL,
    ttft_3     BIGINT NOT NULL,
    ttft_4     BIGINT NOT NULL,
    ttft_5     BIGINT NOT NULL,
    ttft_6     BIGINT NOT NULL,
    ttft_7     BIGINT NOT NULL,
    ttft_8     BIGINT NOT NULL,
    ttft_9     BIGINT NOT NULL,
    ttft_10    BIGINT NOT NULL,
    ttft_11    BIGINT NOT NULL,
    PRIMARY KEY (cube, width, at, key_id)
);

-- What went wrong, for admins.
CREATE TABLE errors (
    id             TEXT PRIMARY KEY,
    at             BIGINT NOT NULL,
    code           TEXT NOT NULL,
    class          TEXT NOT NULL,
    component      TEXT NOT NULL,
    stage          TEXT NOT NULL,
    tool           TEXT NOT NULL,
    operation_type TEXT NOT NULL,
    provider       TEXT NOT NULL,
    model          TEXT NOT NULL,
    context_type   TEXT NOT NULL,
    execution_mode TEXT NOT NULL,
    session_id     TEXT NOT NULL,
    turn_id        TEXT NOT NULL,
    plan_id        TEXT NOT NULL,
    run_id         TEXT NOT NULL,
    step           TEXT NOT NULL,
    user_id        TEXT NOT NULL,
    message        TEXT NOT NULL,
    details        TEXT NOT NULL
);
CREATE INDEX errors_at ON errors (at);
CREATE INDEX errors_turn ON errors (turn_id) WHERE turn_id <> '';
CREATE INDEX errors_plan ON errors (plan_id) WHERE plan_id <> '';

-- Audit of what is worth keeping beside revisions: meta tools, admin reading
-- someone's content, sign-ins, changes to people.
CREATE TABLE audit (
    id         TEXT PRIMARY KEY,
    at         BIGINT NOT NULL,
    user_id    TEXT NOT NULL,
    caller     TEXT NOT NULL,
    action     TEXT NOT NULL,
    subject    TEXT NOT NULL,
    session_id TEXT NOT NULL,
    turn_id    TEXT NOT NULL,
    details    TEXT NOT NULL
);
CREATE INDEX audit_at ON audit (at);

-- Full-text search, the one place that is not portable SQL (design 01).
-- The integer key under which an entity stands in the search index.
CREATE TABLE search_keys (
    id        INTEGER PRIMARY KEY,
    entity_id TEXT NOT NULL UNIQUE
);

CREATE VIRTUAL TABLE search_index USING fts5 (
    kind UNINDEXED,
    entity_id UNINDEXED,
    project_id UNINDEXED,
    user_id UNINDEXED,
    title,
    body,
    tokenize = 'unicode61 remove_diacritics 2'
);
