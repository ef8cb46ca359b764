-- One row per accepted message. `request_id` makes a repeated create find its first row.
CREATE TABLE messages (
    id          uuid NOT NULL PRIMARY KEY,
    request_id  text NOT NULL UNIQUE,
    -- SHA-256 of the checked message: tells a repetition from another body under the same key.
    fingerprint bytea NOT NULL,
    kind        text NOT NULL,
    name        text NOT NULL,
    email       text,
    phone       text,
    subject     text NOT NULL,
    message     text NOT NULL,
    thread_id   text,
    written_at  timestamptz,
    create_time timestamptz NOT NULL,
    CHECK (
        (kind = 'enquiry' AND email IS NOT NULL AND phone IS NOT NULL AND thread_id IS NULL)
        OR (kind = 'comment' AND thread_id IS NOT NULL)
    )
);
