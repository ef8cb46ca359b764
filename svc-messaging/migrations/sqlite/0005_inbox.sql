-- What staff need to work through the messages, and the newsletter. Every new column of `messages` has a default or may be empty, so that the
-- build before this one can write to it. References and mailboxes of earlier rows come by the backfill `messages-routed`.
ALTER TABLE messages ADD COLUMN reference TEXT;
-- E-mail address that the message was routed to.
ALTER TABLE messages ADD COLUMN mailbox TEXT;
-- Why it was suspicious: words with commas between them.
ALTER TABLE messages ADD COLUMN signals TEXT NOT NULL DEFAULT '';
-- Who took it, by the subject of their token.
ALTER TABLE messages ADD COLUMN taken_by TEXT;
ALTER TABLE messages ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
-- NULL: not changed since it came.
ALTER TABLE messages ADD COLUMN update_time TEXT;
-- When it was sent to its mailbox and acknowledged. NULL: never.
ALTER TABLE messages ADD COLUMN route_time TEXT;
-- Keyed hashes: of the network that it came from, and of its text in small letters without spaces.
ALTER TABLE messages ADD COLUMN network_digest BLOB;
ALTER TABLE messages ADD COLUMN text_digest BLOB;

CREATE UNIQUE INDEX messages_by_reference ON messages (reference) WHERE reference IS NOT NULL;
CREATE INDEX messages_by_network ON messages (network_digest, create_time) WHERE network_digest IS NOT NULL;
CREATE INDEX messages_by_text ON messages (text_digest, create_time) WHERE text_digest IS NOT NULL;
CREATE INDEX messages_by_status ON messages (status, create_time);

-- Who wants the newsletter. The id is derived from the address, so that links in old mails work for as long as the address is known.
CREATE TABLE subscriptions (
    id             BLOB PRIMARY KEY NOT NULL,
    key_id         TEXT NOT NULL,
    email          BLOB NOT NULL,
    email_digest   BLOB NOT NULL UNIQUE,
    -- pending, confirmed or unsubscribed.
    state          TEXT NOT NULL,
    -- Goes up when a subscription ends: links that would confirm it are over.
    generation     INTEGER NOT NULL,
    create_time    TEXT NOT NULL,
    update_time    TEXT NOT NULL,
    confirm_time   TEXT,
    -- When the last mails that ask for a confirmation were made, at most three: seconds since 1970 with commas between them.
    asked_times    TEXT NOT NULL,
    -- Keyed hash of the network that asked last.
    network_digest BLOB
) STRICT;

CREATE INDEX subscriptions_of_key ON subscriptions (key_id);
CREATE INDEX subscriptions_by_state ON subscriptions (state, update_time);
CREATE INDEX subscriptions_by_network ON subscriptions (network_digest, update_time) WHERE network_digest IS NOT NULL;

CREATE TABLE newsletters (
    id            BLOB PRIMARY KEY NOT NULL,
    subject       TEXT NOT NULL,
    text          TEXT NOT NULL,
    create_time   TEXT NOT NULL,
    -- How far it is: subscriptions up to this id have their mail.
    cursor        BLOB,
    mails         INTEGER NOT NULL DEFAULT 0,
    -- When the last mail was made.
    complete_time TEXT
) STRICT;

CREATE INDEX newsletters_under_way ON newsletters (create_time) WHERE complete_time IS NULL;
