-- Appointments, the seats they take, and what is to be told about them.
-- Times are RFC 3339 in UTC; starts_at has whole seconds, so its text sorts like the time.
CREATE TABLE appointments (
    id                  BLOB PRIMARY KEY NOT NULL,
    request_id          TEXT NOT NULL UNIQUE,
    request_fingerprint BLOB NOT NULL,
    reference           TEXT NOT NULL UNIQUE,
    patient_name        TEXT NOT NULL,
    email               TEXT NOT NULL,
    phone               TEXT NOT NULL,
    starts_at           TEXT NOT NULL,
    reason              TEXT NOT NULL,
    doctor_id           TEXT,
    notes               TEXT NOT NULL,
    department_id       TEXT NOT NULL,
    status              TEXT NOT NULL CHECK (status IN ('booked', 'arrived', 'completed', 'cancelled', 'no_show')),
    created_at          TEXT NOT NULL
) STRICT;

CREATE TABLE seats (
    appointment_id BLOB NOT NULL REFERENCES appointments (id),
    resource       TEXT NOT NULL,
    starts_at      TEXT NOT NULL,
    seat           INTEGER NOT NULL CHECK (seat >= 1),
    status         TEXT NOT NULL CHECK (status IN ('booked', 'released')),
    PRIMARY KEY (appointment_id, resource)
) STRICT, WITHOUT ROWID;

-- The guard against selling a seat twice. Everything else about seats may be wrong; this may not.
CREATE UNIQUE INDEX seats_booked_once ON seats (resource, starts_at, seat) WHERE status = 'booked';

-- One row for each thing to be told, written with the booking itself.
CREATE TABLE outbox (
    id             INTEGER PRIMARY KEY,
    appointment_id BLOB NOT NULL REFERENCES appointments (id),
    kind           TEXT NOT NULL,
    created_at     TEXT NOT NULL,
    delivered_at   TEXT
) STRICT;

CREATE INDEX outbox_waiting ON outbox (id) WHERE delivered_at IS NULL;
