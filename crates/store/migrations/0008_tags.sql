-- What documents are tagged with: a JSON array, in order, each tag once.

ALTER TABLE documents ADD COLUMN tags TEXT NOT NULL DEFAULT '[]';
