-- What a model made of the beginning of a conversation, so that it is made once: the text, and the answer that it goes to.

CREATE TABLE recaps (
    owner     TEXT NOT NULL,
    thread_id TEXT NOT NULL,
    through   TEXT NOT NULL,
    text      TEXT NOT NULL,
    PRIMARY KEY (owner, thread_id),
    FOREIGN KEY (owner, thread_id) REFERENCES threads (owner, thread_id) ON DELETE CASCADE
) WITHOUT ROWID;
