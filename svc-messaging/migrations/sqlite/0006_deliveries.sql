-- Who caused a notice: patient, staff, calendar. Empty: builds before this one, and what no other service asked for. Notices that
-- patients cause are capped.
ALTER TABLE mails ADD COLUMN cause TEXT NOT NULL DEFAULT '';
-- Keyed hash of the network that caused it, 16 hexadecimal digits. Empty: unknown.
ALTER TABLE mails ADD COLUMN network TEXT NOT NULL DEFAULT '';
-- 1: the recipient's address was proven when the notice was asked for.
ALTER TABLE mails ADD COLUMN proven INTEGER NOT NULL DEFAULT 0;
-- Too many went to its recipient: not sent before then. NULL: not put off, or tried since.
ALTER TABLE mails ADD COLUMN postponed_until TEXT;
-- Tries that a server did not take, and why not the last time. Without personal data.
ALTER TABLE mails ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;
ALTER TABLE mails ADD COLUMN last_error TEXT NOT NULL DEFAULT '';

CREATE INDEX mails_postponed ON mails (create_time) WHERE postponed_until IS NOT NULL AND end_time IS NULL;
-- What staff see of deliveries, the newest first.
CREATE INDEX mails_unsent ON mails (create_time, id) WHERE state IN ('waiting', 'failed', 'expired');

-- Addresses that do not exist: nothing is sent to them until then.
CREATE TABLE suppressions (
    id           BLOB PRIMARY KEY NOT NULL,
    key_id       TEXT NOT NULL,
    email        BLOB NOT NULL,
    email_digest BLOB NOT NULL UNIQUE,
    -- Why, for example `5.1.1`. Without personal data.
    reason       TEXT NOT NULL,
    create_time  TEXT NOT NULL,
    expire_time  TEXT NOT NULL
) STRICT;

CREATE INDEX suppressions_of_key ON suppressions (key_id);
CREATE INDEX suppressions_by_create_time ON suppressions (create_time, id);
CREATE INDEX suppressions_by_expire_time ON suppressions (expire_time);
