-- Appointments without a person in them, contacts sealed in a table of their own, and seats that somebody holds. What the build before
-- wrote is moved by the backfill `appointments-v1`, since sealing needs keys that no SQL has.
ALTER TABLE outbox RENAME TO outbox_v1;
ALTER TABLE seats RENAME TO seats_v1;
ALTER TABLE appointments RENAME TO appointments_v1;

CREATE TABLE appointments (
    id            BLOB PRIMARY KEY NOT NULL,
    reference     TEXT NOT NULL UNIQUE,
    department_id TEXT NOT NULL,
    doctor_id     TEXT,
    -- Whole seconds, so its text sorts like the time.
    starts_at     TEXT NOT NULL,
    status        TEXT NOT NULL CHECK (status IN ('booked', 'arrived', 'completed', 'cancelled', 'no_show')),
    -- Counts the changes, from 1. Whoever changes names the version that was read.
    version       INTEGER NOT NULL CHECK (version >= 1),
    -- Keyed hash of the secret that the patient was given; NULL: none was given.
    secret_hash   BLOB,
    create_time   TEXT NOT NULL,
    update_time   TEXT NOT NULL
) STRICT;

CREATE INDEX appointments_of_day ON appointments (starts_at, department_id);
CREATE INDEX appointments_of_doctor ON appointments (doctor_id, starts_at) WHERE doctor_id IS NOT NULL;

-- Who comes, sealed field by field. The row of an erased person is gone; the appointment stays.
CREATE TABLE contacts (
    -- Id of the appointment.
    id           BLOB PRIMARY KEY NOT NULL,
    key_id       TEXT NOT NULL,
    patient_name BLOB NOT NULL,
    email        BLOB NOT NULL,
    phone        BLOB NOT NULL,
    reason       BLOB NOT NULL,
    notes        BLOB NOT NULL,
    -- Keyed hashes, by which staff find a person and open appointments of one are counted.
    email_index  BLOB NOT NULL,
    phone_index  BLOB NOT NULL,
    create_time  TEXT NOT NULL
) STRICT;

CREATE INDEX contacts_of_key ON contacts (key_id);
CREATE INDEX contacts_of_email ON contacts (email_index);
CREATE INDEX contacts_of_phone ON contacts (phone_index);

-- The guard against selling a seat twice is the primary key. Everything else about seats may be wrong; this may not.
CREATE TABLE seats (
    resource    TEXT NOT NULL,
    starts_at   TEXT NOT NULL,
    seat        INTEGER NOT NULL CHECK (seat >= 1),
    holder_kind TEXT NOT NULL CHECK (holder_kind IN ('appointment', 'hold', 'offer')),
    holder_id   BLOB NOT NULL,
    -- From then on nobody holds it. NULL: until it is given back.
    expire_time TEXT,
    PRIMARY KEY (resource, starts_at, seat)
) STRICT, WITHOUT ROWID;

CREATE INDEX seats_of_holder ON seats (holder_id);
CREATE INDEX seats_expiring ON seats (expire_time) WHERE expire_time IS NOT NULL;

INSERT INTO seats (resource, starts_at, seat, holder_kind, holder_id)
SELECT resource, starts_at, seat, 'appointment', appointment_id FROM seats_v1 WHERE status = 'booked';
DROP TABLE seats_v1;

-- What became of an appointment, one row for each version.
CREATE TABLE events (
    appointment_id BLOB NOT NULL REFERENCES appointments (id),
    version        INTEGER NOT NULL,
    kind           TEXT NOT NULL,
    -- Who: `patient`, or the subject of a staff token.
    actor          TEXT NOT NULL,
    -- JSON without personal data.
    detail         TEXT NOT NULL,
    create_time    TEXT NOT NULL,
    PRIMARY KEY (appointment_id, version)
) STRICT, WITHOUT ROWID;
