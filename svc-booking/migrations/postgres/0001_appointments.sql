-- Appointments, the seats they take, and what is to be told about them.
CREATE TABLE appointments (
    id                  uuid PRIMARY KEY,
    request_id          text NOT NULL UNIQUE,
    request_fingerprint bytea NOT NULL,
    reference           text NOT NULL UNIQUE,
    patient_name        text NOT NULL,
    email               text NOT NULL,
    phone               text NOT NULL,
    starts_at           timestamptz NOT NULL,
    reason              text NOT NULL,
    doctor_id           text,
    notes               text NOT NULL,
    department_id       text NOT NULL,
    status              text NOT NULL CHECK (status IN ('booked', 'arrived', 'completed', 'cancelled', 'no_show')),
    created_at          timestamptz NOT NULL
);

CREATE TABLE seats (
    appointment_id uuid NOT NULL REFERENCES appointments (id),
    resource       text NOT NULL,
    starts_at      timestamptz NOT NULL,
    seat           bigint NOT NULL CHECK (seat >= 1),
    status         text NOT NULL CHECK (status IN ('booked', 'released')),
    PRIMARY KEY (appointment_id, resource)
);

-- The guard against selling a seat twice. Everything else about seats may be wrong; this may not.
CREATE UNIQUE INDEX seats_booked_once ON seats (resource, starts_at, seat) WHERE status = 'booked';

-- One row for each thing to be told, written with the booking itself.
CREATE TABLE outbox (
    id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    appointment_id uuid NOT NULL REFERENCES appointments (id),
    kind           text NOT NULL,
    created_at     timestamptz NOT NULL,
    delivered_at   timestamptz
);

CREATE INDEX outbox_waiting ON outbox (id) WHERE delivered_at IS NULL;
