-- Conversations: threads, their messages, the clarification that each waits on, votes, and how many messages an owner sent.
-- An owner is a caller or a session, by a name that is no secret. Ids of threads and messages are the client's own, so they
-- mean something within their owner only. `life` is the process that works on a message; one of an earlier life is broken off.

CREATE TABLE threads (
    owner         TEXT    NOT NULL,
    thread_id     TEXT    NOT NULL,
    title         TEXT    NOT NULL,
    scope         TEXT    NOT NULL,
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL,
    PRIMARY KEY (owner, thread_id)
) WITHOUT ROWID;

CREATE INDEX threads_by_age ON threads (owner, created_at, thread_id);

CREATE INDEX threads_by_use ON threads (updated_at);

CREATE TABLE messages (
    owner         TEXT    NOT NULL,
    thread_id     TEXT    NOT NULL,
    place         INTEGER NOT NULL,
    message_id    TEXT    NOT NULL,
    role          TEXT    NOT NULL CHECK (role IN ('user', 'assistant')),
    state         TEXT    NOT NULL CHECK (state IN ('done', 'running', 'failed', 'stopped')),
    run_id        TEXT,
    body          TEXT    NOT NULL,
    life          INTEGER NOT NULL,
    created_at    INTEGER NOT NULL,
    PRIMARY KEY (owner, thread_id, place),
    UNIQUE (owner, thread_id, message_id),
    FOREIGN KEY (owner, thread_id) REFERENCES threads (owner, thread_id) ON DELETE CASCADE
) WITHOUT ROWID;

CREATE TABLE clarifications (
    owner            TEXT    NOT NULL,
    thread_id        TEXT    NOT NULL,
    clarification_id TEXT    NOT NULL,
    body             TEXT    NOT NULL,
    expires_at       INTEGER NOT NULL,
    PRIMARY KEY (owner, thread_id),
    FOREIGN KEY (owner, thread_id) REFERENCES threads (owner, thread_id) ON DELETE CASCADE
) WITHOUT ROWID;

CREATE TABLE votes (
    owner         TEXT    NOT NULL,
    thread_id     TEXT    NOT NULL,
    message_id    TEXT    NOT NULL,
    is_up         INTEGER NOT NULL CHECK (is_up IN (0, 1)),
    PRIMARY KEY (owner, thread_id, message_id),
    FOREIGN KEY (owner, thread_id, message_id) REFERENCES messages (owner, thread_id, message_id) ON DELETE CASCADE
) WITHOUT ROWID;

CREATE TABLE message_counts (
    owner         TEXT    NOT NULL,
    day           TEXT    NOT NULL,
    used          INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL,
    PRIMARY KEY (owner, day)
) WITHOUT ROWID;
