-- Vectors of chunks, each under the model that made it. A chunk's identifier says what its words are, so a vector stays right as
-- long as there is such a chunk.

CREATE TABLE vectors (
    chunk_id      TEXT    NOT NULL PRIMARY KEY,
    document_id   TEXT    NOT NULL REFERENCES documents (document_id) ON DELETE CASCADE,
    model         TEXT    NOT NULL,
    vector        BLOB    NOT NULL
);

CREATE INDEX vectors_by_document ON vectors (document_id);
