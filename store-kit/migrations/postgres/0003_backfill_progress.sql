-- How far a backfill is that goes through a table by id. Its row goes with the last step.
CREATE TABLE backfill_progress (
    name    text PRIMARY KEY,
    last_id uuid NOT NULL
);
