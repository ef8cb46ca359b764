-- What a visitor wrote is sealed, and request ids are keyed hashes in `request_keys`. Rows of the first format wait in `messages_v1`
-- until the backfill `messages-sealed` has moved them. The build before this one cannot write to the new table.
ALTER TABLE messages RENAME TO messages_v1;

CREATE TABLE messages (
    id           BLOB PRIMARY KEY NOT NULL,
    kind         TEXT NOT NULL,
    -- How far the staff are: new, taken, done, spam.
    status       TEXT NOT NULL DEFAULT 'new',
    -- Which key sealed name, email, phone, subject and message.
    key_id       TEXT NOT NULL,
    name         BLOB NOT NULL,
    email        BLOB,
    phone        BLOB,
    subject      BLOB NOT NULL,
    message      BLOB NOT NULL,
    -- Keyed hashes, by which staff find somebody.
    email_digest BLOB,
    phone_digest BLOB,
    thread_id    TEXT,
    -- When the visitor wrote a comment, by their own clock.
    write_time   TEXT,
    create_time  TEXT NOT NULL,
    CHECK (
        (kind = 'enquiry' AND email IS NOT NULL AND phone IS NOT NULL AND thread_id IS NULL)
        OR (kind = 'comment' AND thread_id IS NOT NULL)
    ),
    CHECK ((email IS NULL) = (email_digest IS NULL) AND (phone IS NULL) = (phone_digest IS NULL))
) STRICT;

-- The oldest first, for those who work through them and for those who remove what has been kept long enough.
CREATE INDEX messages_by_create_time ON messages (create_time);
CREATE INDEX messages_by_email ON messages (email_digest) WHERE email_digest IS NOT NULL;
CREATE INDEX messages_by_phone ON messages (phone_digest) WHERE phone_digest IS NOT NULL;
