-- Mails (and texts to phones) that are to be sent: kept in the unit of work that they belong to, sent afterwards from the outbox.
CREATE TABLE mails (
    id               uuid PRIMARY KEY,
    kind             text NOT NULL,
    -- How it goes out: email, sms.
    channel          text NOT NULL,
    -- waiting, sent, suppressed, expired, failed.
    state            text NOT NULL,
    -- Why it was suppressed or failed; empty otherwise. Without personal data.
    reason           text NOT NULL DEFAULT '',
    -- Which key sealed name, recipient and content.
    key_id           text NOT NULL,
    name             bytea NOT NULL,
    -- E-mail address or phone number. NULL: none is known.
    recipient        bytea,
    content          bytea NOT NULL,
    -- Keyed hash, by which mails to one address are counted and found.
    recipient_digest bytea,
    -- What it is about, such as an appointment: it is forgotten with it.
    subject_id       uuid,
    create_time      timestamptz NOT NULL,
    expire_time      timestamptz NOT NULL,
    -- A try is under way until then.
    lease_time       timestamptz,
    -- When it left the state waiting.
    end_time         timestamptz,
    CHECK ((recipient IS NULL) = (recipient_digest IS NULL)),
    CHECK ((state = 'waiting') = (end_time IS NULL))
);

CREATE INDEX mails_by_recipient ON mails (recipient_digest, create_time) WHERE recipient_digest IS NOT NULL;
CREATE INDEX mails_by_subject ON mails (subject_id) WHERE subject_id IS NOT NULL;
-- Retention removes what ended long ago, and what never did.
CREATE INDEX mails_by_end_time ON mails (end_time) WHERE end_time IS NOT NULL;
CREATE INDEX mails_waiting ON mails (expire_time) WHERE end_time IS NULL;
-- Readiness asks which keys are in use, and a rotation looks for rows of older ones.
CREATE INDEX mails_of_key ON mails (key_id);
