-- Who caused a notice: patient, staff, calendar. Empty: builds before this one, and what no other service asked for. Notices that
-- patients cause are capped.
ALTER TABLE mails ADD COLUMN cause text NOT NULL DEFAULT '';
-- Keyed hash of the network that caused it, 16 hexadecimal digits. Empty: unknown.
ALTER TABLE mails ADD COLUMN network text NOT NULL DEFAULT '';
-- 1: the recipient's address was proven when the notice was asked for.
ALTER TABLE mails ADD COLUMN proven bigint NOT NULL DEFAULT 0;
-- Too many went to its recipient: not sent before then. NULL: not put off, or tried since.
ALTER TABLE mails ADD COLUMN postponed_until timestamptz;
-- Tries that a server did not take, and why not the last time. Without personal data.
ALTER TABLE mails ADD COLUMN attempts bigint NOT NULL DEFAULT 0;
ALTER TABLE mails ADD COLUMN last_error text NOT NULL DEFAULT '';

CREATE INDEX mails_postponed ON mails (create_time) WHERE postponed_until IS NOT NULL AND end_time IS NULL;
-- What staff see of deliveries, the newest first.
CREATE INDEX mails_unsent ON mails (create_time, id) WHERE state IN ('waiting', 'failed', 'expired');

-- Addresses that do not exist: nothing is sent to them until then.
CREATE TABLE suppressions (
    id           uuid PRIMARY KEY NOT NULL,
    key_id       text NOT NULL,
    email        bytea NOT NULL,
    email_digest bytea NOT NULL UNIQUE,
    -- Why, for example `5.1.1`. Without personal data.
    reason       text NOT NULL,
    create_time  timestamptz NOT NULL,
    expire_time  timestamptz NOT NULL
);

CREATE INDEX suppressions_of_key ON suppressions (key_id);
CREATE INDEX suppressions_by_create_time ON suppressions (create_time, id);
CREATE INDEX suppressions_by_expire_time ON suppressions (expire_time);
