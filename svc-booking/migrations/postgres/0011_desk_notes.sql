-- The desk's note on an appointment, for staff only. A table of its own, because builds without it rewrite and delete contacts: a
-- note keeps its key, and goes with the contact, whichever build erases it.
CREATE TABLE desk_notes (
    -- Id of the appointment.
    id     uuid PRIMARY KEY NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
    key_id text NOT NULL,
    note   bytea NOT NULL
);
CREATE INDEX desk_notes_of_key ON desk_notes (key_id);
