-- Which content of record this database has served, and when it was last loaded.
CREATE TABLE content_revision (
    -- SHA-256 of the content files, in hexadecimal.
    revision  text NOT NULL PRIMARY KEY,
    loaded_at timestamptz NOT NULL
);
