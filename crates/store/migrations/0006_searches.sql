-- Sessions of searches, which leave out what was shown. Chunks stand here by their identifiers, which outlive a document's being
-- taken in again.

CREATE TABLE search_sessions (
    session_id    TEXT    NOT NULL PRIMARY KEY,
    caller        TEXT    NOT NULL,
    expires_at    INTEGER NOT NULL
) WITHOUT ROWID;

CREATE INDEX search_sessions_by_end ON search_sessions (expires_at);

CREATE TABLE shown_chunks (
    session_id    TEXT    NOT NULL REFERENCES search_sessions (session_id) ON DELETE CASCADE,
    chunk_id      TEXT    NOT NULL,
    PRIMARY KEY (session_id, chunk_id)
) WITHOUT ROWID;
