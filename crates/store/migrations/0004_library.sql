-- Documents and their chunks. A document's text is kept once; a chunk is a range of it, in bytes. Only chunks whose words are
-- not that range (a table whose header is repeated) keep their own. `library_changes` has the last change of each document,
-- deletions too, so that an index can be brought up to date.

CREATE TABLE collections (
    collection_id TEXT    NOT NULL PRIMARY KEY,
    caller        TEXT    NOT NULL,
    name          TEXT    NOT NULL,
    created_at    INTEGER NOT NULL,
    UNIQUE (caller, name)
) WITHOUT ROWID;

CREATE TABLE documents (
    document_id   TEXT    NOT NULL PRIMARY KEY,
    caller        TEXT    NOT NULL,
    collection_id TEXT    NOT NULL REFERENCES collections (collection_id),
    source        TEXT    NOT NULL,
    title         TEXT    NOT NULL,
    url           TEXT,
    media_type    TEXT    NOT NULL,
    given_sha256  TEXT    NOT NULL,
    text          BLOB    NOT NULL,
    version       INTEGER NOT NULL,
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL,
    UNIQUE (collection_id, source)
);

CREATE INDEX documents_by_caller ON documents (caller, collection_id);

CREATE TABLE chunks (
    chunk         INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    chunk_id      TEXT    NOT NULL UNIQUE,
    document_id   TEXT    NOT NULL REFERENCES documents (document_id) ON DELETE CASCADE,
    level         INTEGER NOT NULL CHECK (level IN (0, 1, 2)),
    place         INTEGER NOT NULL,
    parent_id     TEXT,
    sibling       INTEGER NOT NULL,
    path          TEXT    NOT NULL,
    start_byte    INTEGER NOT NULL,
    end_byte      INTEGER NOT NULL,
    words         INTEGER NOT NULL,
    sha256        TEXT    NOT NULL,
    content       TEXT
);

CREATE INDEX chunks_by_document ON chunks (document_id, place);

CREATE INDEX chunks_by_parent ON chunks (parent_id, sibling);

CREATE TABLE library_changes (
    revision      INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    document_id   TEXT    NOT NULL UNIQUE
);
