-- Proof of an address, limits by network, and codes that open an appointment without its link.

-- How the e-mail address was proven. Limits of a person count proven appointments only. Rows of older builds were proven by nothing,
-- unless their status shows that the patient was at the desk.
ALTER TABLE appointments ADD COLUMN proof text NOT NULL DEFAULT 'unproven' CHECK (proof IN ('unproven', 'link', 'code', 'desk'));
UPDATE appointments SET proof = 'desk' WHERE status IN ('arrived', 'completed');
CREATE INDEX appointments_unproven ON appointments (network, starts_at)
    WHERE network IS NOT NULL AND status = 'booked' AND proof = 'unproven';

-- As of an appointment. NULL: joined with a build that mailed no link; such an entry is offered times as it was promised then.
ALTER TABLE waitlist_entries ADD COLUMN proof text CHECK (proof IN ('unproven', 'link', 'code', 'desk'));
-- Keyed hash of the network that it was joined from; goes after 30 days.
ALTER TABLE waitlist_entries ADD COLUMN network bytea;
CREATE INDEX waitlist_entries_of_network ON waitlist_entries (network, create_time) WHERE network IS NOT NULL;

-- Keyed hash of the network of a patient's change; that of a booking is in `appointments`. Goes after 30 days.
ALTER TABLE events ADD COLUMN network bytea;
CREATE INDEX events_of_network ON events (create_time) WHERE network IS NOT NULL;

ALTER TABLE consultations ADD COLUMN network bytea;
CREATE INDEX consultations_of_network ON consultations (network, create_time) WHERE network IS NOT NULL;

-- What a hold is counted by. NULL: of an older build, which ends within minutes.
ALTER TABLE holds ADD COLUMN department_id text;
-- YYYY-MM-DD of the time that is held.
ALTER TABLE holds ADD COLUMN date text;
ALTER TABLE holds ADD COLUMN create_time timestamptz;

-- How long a network has held times of a department and day without booking them. Rows go some hours after `since`.
CREATE TABLE held_times (
    network       bytea NOT NULL,
    department_id text NOT NULL,
    date          text NOT NULL,
    since         timestamptz NOT NULL,
    held_seconds  bigint NOT NULL,
    PRIMARY KEY (network, department_id, date)
);
CREATE INDEX held_times_since ON held_times (since);

-- Codes that were mailed. The code itself is derived from the id and the service's key. Rows go with `expire_time`.
CREATE TABLE access_codes (
    id             uuid PRIMARY KEY,
    appointment_id uuid NOT NULL,
    -- Keyed hash of the network that asked for it.
    network        bytea,
    expire_time    timestamptz NOT NULL
);
CREATE INDEX access_codes_of_appointment ON access_codes (appointment_id);
CREATE INDEX access_codes_expiring ON access_codes (expire_time);

-- Tries of one kind of one reference or network since a moment; the reference need not exist. Rows go an hour after `since`.
CREATE TABLE access_tries (
    -- Keyed hash of kind and subject.
    subject bytea PRIMARY KEY,
    tries   bigint NOT NULL,
    since   timestamptz NOT NULL
);
CREATE INDEX access_tries_since ON access_tries (since);
