-- Creates that may be repeated, as keyed hashes of request id and body. Rows go when their time is over.
CREATE TABLE request_keys (
    request_key BLOB PRIMARY KEY NOT NULL,
    fingerprint BLOB NOT NULL,
    -- Id of what the request made.
    subject     TEXT NOT NULL,
    create_time TEXT NOT NULL,
    expire_time TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX request_keys_expiring ON request_keys (expire_time);

-- What somebody is to be told. `due_time` is when it is tried next: `not_before` at first, the end of a lease while a worker has it,
-- the end of a pause after a failure.
CREATE TABLE outbox_messages (
    id             BLOB PRIMARY KEY NOT NULL,
    kind           TEXT NOT NULL,
    subject        TEXT NOT NULL,
    payload        TEXT NOT NULL,
    not_before     TEXT NOT NULL,
    due_time       TEXT NOT NULL,
    attempts       INTEGER NOT NULL DEFAULT 0,
    last_error     TEXT NOT NULL DEFAULT '',
    create_time    TEXT NOT NULL,
    delivered_time TEXT,
    dead_time      TEXT
) STRICT;

CREATE INDEX outbox_messages_due ON outbox_messages (due_time) WHERE delivered_time IS NULL AND dead_time IS NULL;
CREATE INDEX outbox_messages_of_subject ON outbox_messages (subject, kind) WHERE delivered_time IS NULL AND dead_time IS NULL;
CREATE INDEX outbox_messages_delivered ON outbox_messages (delivered_time) WHERE delivered_time IS NOT NULL;
CREATE INDEX outbox_messages_dead ON outbox_messages (dead_time) WHERE dead_time IS NOT NULL;

-- Who read or changed what. Each hash covers the entry and the hash before it.
CREATE TABLE audit_entries (
    seq         INTEGER PRIMARY KEY,
    create_time TEXT NOT NULL,
    actor       TEXT NOT NULL,
    action      TEXT NOT NULL,
    subject     TEXT NOT NULL,
    detail      TEXT NOT NULL,
    hash        BLOB NOT NULL
) STRICT;

-- The last entry, and the last one that was pruned. Whoever appends holds this row until the commit.
CREATE TABLE audit_head (
    id          INTEGER PRIMARY KEY CHECK (id = 1),
    seq         INTEGER NOT NULL,
    hash        BLOB NOT NULL,
    pruned_seq  INTEGER NOT NULL,
    pruned_hash BLOB NOT NULL
) STRICT;
INSERT INTO audit_head (id, seq, hash, pruned_seq, pruned_hash) VALUES (1, 0, x'', 0, x'');

CREATE TRIGGER audit_entries_stay BEFORE DELETE ON audit_entries
WHEN OLD.seq > (SELECT pruned_seq FROM audit_head)
BEGIN SELECT RAISE(ABORT, 'audit entries stay'); END;
CREATE TRIGGER audit_entries_keep BEFORE UPDATE ON audit_entries
BEGIN SELECT RAISE(ABORT, 'audit entries stay as they are'); END;

-- Changes of rows that SQL alone could not make, and that are done.
CREATE TABLE backfills (
    name TEXT PRIMARY KEY NOT NULL
) STRICT;
