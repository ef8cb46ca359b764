-- How far a backfill is that goes through a table by id. Its row goes with the last step.
CREATE TABLE backfill_progress (
    name    TEXT PRIMARY KEY NOT NULL,
    last_id BLOB NOT NULL
) STRICT;
