-- Times are milliseconds since 1970, in UTC. Amounts are decimal text. A `life` is one opening of the store.

CREATE TABLE lives (
    life INTEGER PRIMARY KEY AUTOINCREMENT
);

CREATE TABLE jobs (
    job_id       TEXT    NOT NULL PRIMARY KEY,
    request_id   TEXT    NOT NULL,
    caller       TEXT    NOT NULL,
    body         BLOB    NOT NULL,
    status       TEXT    NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed')),
    progress     TEXT,
    ending       TEXT    CHECK ((ending IS NULL) = (status IN ('queued', 'running'))),
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,
    life         INTEGER NOT NULL
) WITHOUT ROWID;

CREATE INDEX jobs_by_status ON jobs (status, updated_at);

CREATE TABLE claims (
    scope        TEXT    NOT NULL,
    key          TEXT    NOT NULL,
    body_hash    BLOB    NOT NULL,
    claimed_at   INTEGER NOT NULL,
    settled_at   INTEGER,
    status       INTEGER,
    content_type TEXT,
    body         BLOB,
    PRIMARY KEY (scope, key),
    CHECK ((settled_at IS NULL) = (status IS NULL)),
    CHECK ((settled_at IS NULL) = (content_type IS NULL)),
    CHECK ((settled_at IS NULL) = (body IS NULL))
);

CREATE INDEX claims_by_settled_at ON claims (settled_at);

CREATE TABLE settlements (
    caller       TEXT    NOT NULL,
    request_id   TEXT    NOT NULL,
    outcome      TEXT    NOT NULL,
    lane         TEXT    NOT NULL,
    duration_ms  INTEGER NOT NULL,
    model_cost   TEXT    NOT NULL,
    tool_cost    TEXT    NOT NULL,
    created_at   INTEGER NOT NULL,
    PRIMARY KEY (caller, request_id)
) WITHOUT ROWID;

CREATE TABLE charges (
    caller       TEXT    NOT NULL,
    request_id   TEXT    NOT NULL,
    position     INTEGER NOT NULL,
    listing      TEXT    NOT NULL,
    method       TEXT    NOT NULL,
    price        TEXT    NOT NULL,
    outcome      TEXT    NOT NULL,
    PRIMARY KEY (caller, request_id, position),
    FOREIGN KEY (caller, request_id) REFERENCES settlements (caller, request_id) ON DELETE CASCADE
) WITHOUT ROWID;

CREATE TABLE blobs (
    sha256       TEXT    NOT NULL PRIMARY KEY,
    bytes        BLOB    NOT NULL
);

CREATE TABLE blob_links (
    token        TEXT    NOT NULL PRIMARY KEY,
    sha256       TEXT    NOT NULL REFERENCES blobs (sha256),
    media_type   TEXT    NOT NULL,
    created_at   INTEGER NOT NULL
) WITHOUT ROWID;

CREATE INDEX blob_links_by_sha256 ON blob_links (sha256);

CREATE INDEX blob_links_by_created_at ON blob_links (created_at);

CREATE TABLE attempts (
    session_id        TEXT    NOT NULL,
    attempt_id        TEXT    NOT NULL,
    caller            TEXT    NOT NULL,
    parent_attempt_id TEXT,
    root_attempt_id   TEXT    NOT NULL,
    mode              TEXT    NOT NULL CHECK (mode IN ('initial', 'resume', 'fork')),
    status            TEXT    NOT NULL CHECK (status IN ('active', 'completed', 'failed', 'aborted')),
    stage             TEXT    NOT NULL,
    query             TEXT    NOT NULL,
    created_at        INTEGER NOT NULL,
    updated_at        INTEGER NOT NULL,
    PRIMARY KEY (session_id, attempt_id),
    CHECK ((parent_attempt_id IS NULL) = (mode = 'initial'))
) WITHOUT ROWID;

CREATE INDEX attempts_by_updated_at ON attempts (updated_at);
