-- The lane of a message: each lane is leased by a worker of its own, so that no lane waits for another. Empty: the default lane, and
-- what builds write that know no lanes. Those builds lease the messages of every lane.
ALTER TABLE outbox_messages ADD COLUMN lane text NOT NULL DEFAULT '';

CREATE INDEX outbox_messages_due_of_lane ON outbox_messages (lane, due_time) WHERE delivered_time IS NULL AND dead_time IS NULL;
DROP INDEX outbox_messages_due;

-- The oldest message of a lane that is due is the first one of this index. The two columns that are always NULL here make it a covering
-- index: SQLite would read each row for them.
CREATE INDEX outbox_messages_waiting_of_lane ON outbox_messages (lane, not_before, delivered_time, dead_time)
WHERE delivered_time IS NULL AND dead_time IS NULL;
