-- Appointments without a person in them, contacts sealed in a table of their own, and seats that somebody holds. What the build before
-- wrote is moved by the backfill `appointments-v1`, since sealing needs keys that no SQL has.
ALTER TABLE outbox RENAME TO outbox_v1;
ALTER TABLE seats RENAME TO seats_v1;
ALTER TABLE appointments RENAME TO appointments_v1;
-- Their names would be those of the new tables' indexes.
ALTER INDEX appointments_pkey RENAME TO appointments_v1_pkey;
ALTER INDEX appointments_reference_key RENAME TO appointments_v1_reference_key;
ALTER INDEX seats_pkey RENAME TO seats_v1_pkey;

CREATE TABLE appointments (
    id            uuid PRIMARY KEY,
    reference     text NOT NULL UNIQUE,
    department_id text NOT NULL,
    doctor_id     text,
    starts_at     timestamptz NOT NULL,
    status        text NOT NULL CHECK (status IN ('booked', 'arrived', 'completed', 'cancelled', 'no_show')),
    -- Counts the changes, from 1. Whoever changes names the version that was read.
    version       bigint NOT NULL CHECK (version >= 1),
    -- Keyed hash of the secret that the patient was given; NULL: none was given.
    secret_hash   bytea,
    create_time   timestamptz NOT NULL,
    update_time   timestamptz NOT NULL
);

CREATE INDEX appointments_of_day ON appointments (starts_at, department_id);
CREATE INDEX appointments_of_doctor ON appointments (doctor_id, starts_at) WHERE doctor_id IS NOT NULL;

-- Who comes, sealed field by field. The row of an erased person is gone; the appointment stays.
CREATE TABLE contacts (
    -- Id of the appointment.
    id           uuid PRIMARY KEY,
    key_id       text NOT NULL,
    patient_name bytea NOT NULL,
    email        bytea NOT NULL,
    phone        bytea NOT NULL,
    reason       bytea NOT NULL,
    notes        bytea NOT NULL,
    -- Keyed hashes, by which staff find a person and open appointments of one are counted.
    email_index  bytea NOT NULL,
    phone_index  bytea NOT NULL,
    create_time  timestamptz NOT NULL
);

CREATE INDEX contacts_of_key ON contacts (key_id);
CREATE INDEX contacts_of_email ON contacts (email_index);
CREATE INDEX contacts_of_phone ON contacts (phone_index);

-- The guard against selling a seat twice is the primary key. Everything else about seats may be wrong; this may not.
CREATE TABLE seats (
    resource    text NOT NULL,
    starts_at   timestamptz NOT NULL,
    seat        bigint NOT NULL CHECK (seat >= 1),
    holder_kind text NOT NULL CHECK (holder_kind IN ('appointment', 'hold', 'offer')),
    holder_id   uuid NOT NULL,
    -- From then on nobody holds it. NULL: until it is given back.
    expire_time timestamptz,
    PRIMARY KEY (resource, starts_at, seat)
);

CREATE INDEX seats_of_holder ON seats (holder_id);
CREATE INDEX seats_expiring ON seats (expire_time) WHERE expire_time IS NOT NULL;

INSERT INTO seats (resource, starts_at, seat, holder_kind, holder_id)
SELECT resource, starts_at, seat, 'appointment', appointment_id FROM seats_v1 WHERE status = 'booked';
DROP TABLE seats_v1;

-- What became of an appointment, one row for each version.
CREATE TABLE events (
    appointment_id uuid NOT NULL REFERENCES appointments (id),
    version        bigint NOT NULL,
    kind           text NOT NULL,
    -- Who: `patient`, or the subject of a staff token.
    actor          text NOT NULL,
    -- JSON without personal data.
    detail         text NOT NULL,
    create_time    timestamptz NOT NULL,
    PRIMARY KEY (appointment_id, version)
);
