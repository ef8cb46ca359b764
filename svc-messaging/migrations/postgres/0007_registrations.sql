-- A registration for an event is a row with `people`, and its `thread_id` is the id of the event. Its `kind` is `comment`, so that the
-- build before this one can read and write all rows.
ALTER TABLE messages ADD COLUMN people integer;
