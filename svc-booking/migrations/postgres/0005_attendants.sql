-- What bookings of a clinic name besides it. NULL: written by an earlier build; filled from the configuration, by the session's id, when
-- the roster is next read. A doctor's are in the configuration alone.
ALTER TABLE sessions ADD COLUMN fee_rupees bigint CHECK (fee_rupees >= 0);
ALTER TABLE sessions ADD COLUMN place text;
