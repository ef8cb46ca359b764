-- One row per accepted message. `request_id` makes a repeated create find its first row.
CREATE TABLE messages (
    id          BLOB NOT NULL PRIMARY KEY,
    request_id  TEXT NOT NULL UNIQUE,
    -- SHA-256 of the checked message: tells a repetition from another body under the same key.
    fingerprint BLOB NOT NULL,
    kind        TEXT NOT NULL,
    name        TEXT NOT NULL,
    email       TEXT,
    phone       TEXT,
    subject     TEXT NOT NULL,
    message     TEXT NOT NULL,
    thread_id   TEXT,
    written_at  TEXT,
    create_time TEXT NOT NULL,
    CHECK (
        (kind = 'enquiry' AND email IS NOT NULL AND phone IS NOT NULL AND thread_id IS NULL)
        OR (kind = 'comment' AND thread_id IS NOT NULL)
    )
) STRICT;
