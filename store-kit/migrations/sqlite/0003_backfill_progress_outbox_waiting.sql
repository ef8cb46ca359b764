-- How far a backfill is that goes through a table by id. Its row goes with the last step.
CREATE TABLE backfill_progress (
    name    TEXT PRIMARY KEY NOT NULL,
    last_id BLOB NOT NULL
) STRICT;

-- The oldest message that is due is the first one of this index: the metrics must not read every reminder of weeks to come. The two
-- columns that are always NULL here make it a covering index: SQLite would read each row for them.
CREATE INDEX outbox_messages_waiting ON outbox_messages (not_before, delivered_time, dead_time)
WHERE delivered_time IS NULL AND dead_time IS NULL;
