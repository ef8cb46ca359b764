-- How far a backfill is that goes through a table by id. Its row goes with the last step.
CREATE TABLE backfill_progress (
    name    text PRIMARY KEY,
    last_id uuid NOT NULL
);

-- The oldest message that is due is the first one of this index: the metrics must not read every reminder of weeks to come.
CREATE INDEX outbox_messages_waiting ON outbox_messages (not_before) WHERE delivered_time IS NULL AND dead_time IS NULL;
