-- Creates that may be repeated, as keyed hashes of request id and body. Rows go when their time is over.
CREATE TABLE request_keys (
    request_key bytea PRIMARY KEY,
    fingerprint bytea NOT NULL,
    -- Id of what the request made.
    subject     text NOT NULL,
    create_time timestamptz NOT NULL,
    expire_time timestamptz NOT NULL
);

CREATE INDEX request_keys_expiring ON request_keys (expire_time);

-- What somebody is to be told. `due_time` is when it is tried next: `not_before` at first, the end of a lease while a worker has it,
-- the end of a pause after a failure.
CREATE TABLE outbox_messages (
    id             uuid PRIMARY KEY,
    kind           text NOT NULL,
    subject        text NOT NULL,
    payload        text NOT NULL,
    not_before     timestamptz NOT NULL,
    due_time       timestamptz NOT NULL,
    attempts       bigint NOT NULL DEFAULT 0,
    last_error     text NOT NULL DEFAULT '',
    create_time    timestamptz NOT NULL,
    delivered_time timestamptz,
    dead_time      timestamptz
);

CREATE INDEX outbox_messages_due ON outbox_messages (due_time) WHERE delivered_time IS NULL AND dead_time IS NULL;
CREATE INDEX outbox_messages_of_subject ON outbox_messages (subject, kind) WHERE delivered_time IS NULL AND dead_time IS NULL;
CREATE INDEX outbox_messages_delivered ON outbox_messages (delivered_time) WHERE delivered_time IS NOT NULL;
CREATE INDEX outbox_messages_dead ON outbox_messages (dead_time) WHERE dead_time IS NOT NULL;

-- Who read or changed what. Each hash covers the entry and the hash before it.
CREATE TABLE audit_entries (
    seq         bigint PRIMARY KEY,
    create_time timestamptz NOT NULL,
    actor       text NOT NULL,
    action      text NOT NULL,
    subject     text NOT NULL,
    detail      text NOT NULL,
    hash        bytea NOT NULL
);

CREATE FUNCTION audit_entries_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND OLD.seq <= (SELECT pruned_seq FROM audit_head) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'audit entries stay as they are';
END
$$;
CREATE TRIGGER audit_entries_stay BEFORE UPDATE OR DELETE ON audit_entries
    FOR EACH ROW EXECUTE FUNCTION audit_entries_stay();
CREATE TRIGGER audit_entries_truncate BEFORE TRUNCATE ON audit_entries
    FOR EACH STATEMENT EXECUTE FUNCTION audit_entries_stay();

-- The last entry, and the last one that was pruned. Whoever appends holds this row until the commit.
CREATE TABLE audit_head (
    id          bigint PRIMARY KEY CHECK (id = 1),
    seq         bigint NOT NULL,
    hash        bytea NOT NULL,
    pruned_seq  bigint NOT NULL,
    pruned_hash bytea NOT NULL
);
INSERT INTO audit_head (id, seq, hash, pruned_seq, pruned_hash) VALUES (1, 0, '', 0, '');

-- Changes of rows that SQL alone could not make, and that are done.
CREATE TABLE backfills (
    name text PRIMARY KEY
);
