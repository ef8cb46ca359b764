-- Consultations by video: asked for by a visitor for a day; staff allot the time and the link.
CREATE TABLE consultations (
    id           uuid PRIMARY KEY,
    reference    text NOT NULL UNIQUE,
    -- YYYY-MM-DD in Asia/Kolkata.
    date         text NOT NULL,
    -- HH:MM in Asia/Kolkata. NULL until it is allotted.
    time         text,
    status       text NOT NULL CHECK (status IN ('requested', 'scheduled', 'completed', 'cancelled', 'no_show')),
    -- Counts the changes, from 1. Whoever changes names the version that was read.
    version      bigint NOT NULL CHECK (version >= 1),
    create_time  timestamptz NOT NULL,
    update_time  timestamptz NOT NULL,
    -- Who asks, sealed field by field. The link lets whoever has it into the room.
    key_id       text NOT NULL,
    patient_name bytea NOT NULL,
    email        bytea,
    phone        bytea,
    description  bytea,
    link         bytea,
    -- Keyed hashes, by which the consultations of one person are found and counted.
    email_index  bytea,
    phone_index  bytea
);

CREATE INDEX consultations_of_day ON consultations (date, id);
CREATE INDEX consultations_of_status ON consultations (status, date, id);
CREATE INDEX consultations_of_key ON consultations (key_id);
CREATE INDEX consultations_of_email ON consultations (email_index, date) WHERE email_index IS NOT NULL;
CREATE INDEX consultations_of_phone ON consultations (phone_index, date) WHERE phone_index IS NOT NULL;
