-- Who works when, times that are kept while a form is filled in, own appointments by secret, and a waitlist.

-- A doctor or a clinic sees patients on these weekdays between these times.
CREATE TABLE sessions (
    id            text PRIMARY KEY,
    department_id text NOT NULL,
    -- NULL: a clinic, which has a name and no profile.
    doctor_id     text,
    name          text NOT NULL,
    -- Bit 0 is Monday, bit 5 Saturday.
    weekdays      bigint NOT NULL CHECK (weekdays BETWEEN 1 AND 63),
    -- Minutes after midnight in Asia/Kolkata; up to but without `until_minutes`.
    from_minutes  bigint NOT NULL,
    until_minutes bigint NOT NULL,
    -- Patients in one slot.
    seats         bigint NOT NULL CHECK (seats >= 1),
    -- Only those who ask for this doctor or clinic are booked here.
    by_name_only  boolean NOT NULL,
    -- Days as YYYY-MM-DD, both inclusive. NULL: without bound.
    valid_from    text,
    valid_until   text,
    version       bigint NOT NULL CHECK (version >= 1),
    create_time   timestamptz NOT NULL,
    update_time   timestamptz NOT NULL
);

CREATE TABLE leaves (
    id          uuid PRIMARY KEY,
    -- `doctor:<id>` or `clinic:<id of the session>`.
    resource    text NOT NULL,
    from_date   text NOT NULL,
    until_date  text NOT NULL,
    reason      text NOT NULL,
    create_time timestamptz NOT NULL
);

CREATE TABLE holidays (
    date        text PRIMARY KEY,
    name        text NOT NULL,
    create_time timestamptz NOT NULL
);

-- Counts the changes of the three tables above. Revision 0: they are not seeded from the configuration yet.
CREATE TABLE roster_head (
    id       bigint PRIMARY KEY CHECK (id = 1),
    revision bigint NOT NULL
);
INSERT INTO roster_head (id, revision) VALUES (1, 0);

-- From now on an appointment takes one seat: that of the doctor, where there is one.
DELETE FROM seats WHERE holder_kind = 'appointment' AND resource LIKE 'department:%'
    AND EXISTS (SELECT 1 FROM seats AS own WHERE own.holder_id = seats.holder_id AND own.resource LIKE 'doctor:%');

-- How many secrets the patient was given. The last one is valid; 0: none was given.
ALTER TABLE appointments ADD COLUMN secret_generation bigint NOT NULL DEFAULT 0;
-- Removed by staff, as if it had never been.
ALTER TABLE appointments ADD COLUMN delete_time timestamptz;
-- Keyed hash of the network from which it was booked; goes after 30 days.
ALTER TABLE appointments ADD COLUMN network bytea;
CREATE INDEX appointments_of_network ON appointments (network, create_time) WHERE network IS NOT NULL;

-- A time that is kept while a form is filled in; its seat is in `seats`.
CREATE TABLE holds (
    id            uuid PRIMARY KEY,
    -- Keyed hashes of who holds it and of the network it came from.
    visitor       bytea NOT NULL UNIQUE,
    network       bytea NOT NULL,
    expire_time   timestamptz NOT NULL
);
CREATE INDEX holds_of_network ON holds (network, expire_time);
CREATE INDEX holds_expiring ON holds (expire_time);

-- Who waits for a time of a full day, sealed field by field as contacts are.
CREATE TABLE waitlist_entries (
    id                uuid PRIMARY KEY,
    reference         text NOT NULL UNIQUE,
    department_id     text NOT NULL,
    doctor_id         text,
    -- YYYY-MM-DD.
    date              text NOT NULL,
    state             text NOT NULL CHECK (state IN ('waiting', 'offered', 'booked', 'ended')),
    -- The place in the line: who let an offer pass goes to its end.
    queue_time        timestamptz NOT NULL,
    -- Offers that were made.
    offers            bigint NOT NULL DEFAULT 0,
    offer_starts_at   timestamptz,
    offer_expire_time timestamptz,
    -- What it became.
    appointment_id    uuid,
    secret_hash       bytea NOT NULL,
    create_time       timestamptz NOT NULL,
    update_time       timestamptz NOT NULL,
    key_id            text,
    patient_name      bytea,
    email             bytea,
    phone             bytea,
    email_index       bytea,
    phone_index       bytea
);
CREATE INDEX waitlist_entries_in_line ON waitlist_entries (department_id, date, queue_time) WHERE state = 'waiting';
CREATE INDEX waitlist_entries_offered ON waitlist_entries (offer_expire_time) WHERE state = 'offered';
CREATE INDEX waitlist_entries_of_day ON waitlist_entries (date);
CREATE INDEX waitlist_entries_of_key ON waitlist_entries (key_id);
CREATE INDEX waitlist_entries_of_email ON waitlist_entries (email_index);
CREATE INDEX waitlist_entries_of_phone ON waitlist_entries (phone_index);
