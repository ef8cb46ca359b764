-- Language of the person: `en`, `kn` or `hi`. Rows of builds before these columns are English.
ALTER TABLE messages ADD COLUMN language TEXT NOT NULL DEFAULT 'en';
ALTER TABLE subscriptions ADD COLUMN language TEXT NOT NULL DEFAULT 'en';
ALTER TABLE mails ADD COLUMN language TEXT NOT NULL DEFAULT 'en';
