-- Newsletters that are not sent yet. A table of its own: builds before this one send every row of `newsletters`.
CREATE TABLE newsletter_drafts (
    id          BLOB PRIMARY KEY NOT NULL,
    subject     TEXT NOT NULL,
    text        TEXT NOT NULL,
    version     INTEGER NOT NULL DEFAULT 1,
    create_time TEXT NOT NULL,
    update_time TEXT NOT NULL
) STRICT;

CREATE INDEX newsletter_drafts_by_time ON newsletter_drafts (create_time, id);

-- When sending was stopped. NULL: never. A stopped newsletter has a `complete_time` too.
ALTER TABLE newsletters ADD COLUMN stop_time TEXT;
CREATE INDEX newsletters_by_time ON newsletters (create_time, id);
CREATE INDEX newsletters_stopped ON newsletters (id) WHERE stop_time IS NOT NULL;

-- Newsletter that the mail is a copy of. NULL: any other mail, and those of builds before this one.
ALTER TABLE mails ADD COLUMN newsletter_id BLOB;
CREATE INDEX mails_of_newsletter ON mails (newsletter_id, state) WHERE newsletter_id IS NOT NULL;

-- Name of the person who took the message, as their client gave it. NULL: unknown.
ALTER TABLE messages ADD COLUMN taken_by_name TEXT;
CREATE INDEX messages_of_person ON messages (taken_by, create_time) WHERE taken_by IS NOT NULL;
