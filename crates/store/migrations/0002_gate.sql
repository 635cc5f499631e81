CREATE TABLE gate_records (
    sequence     INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    caller       TEXT    NOT NULL,
    request_id   TEXT    NOT NULL,
    body         TEXT    NOT NULL,
    created_at   INTEGER NOT NULL
);

CREATE INDEX gate_records_by_request ON gate_records (caller, request_id);

CREATE TABLE secrets (
    name         TEXT    NOT NULL PRIMARY KEY,
    bytes        BLOB    NOT NULL
) WITHOUT ROWID;
