-- Translations that staff enter. They precede those of the content files.
-- Every change of a translation. Rows are never changed; the row with the highest `seq` applies. Times are RFC 3339 in UTC.
CREATE TABLE record_translations (
    -- kn or hi.
    lang         TEXT NOT NULL,
    -- SHA-256 of the English text in base64url, so that keys stay short.
    english_hash TEXT NOT NULL,
    -- Number of the change in `blog_sequence`.
    seq          INTEGER NOT NULL,
    english      TEXT NOT NULL,
    -- Empty: staff removed theirs.
    translation  TEXT NOT NULL,
    author       TEXT NOT NULL,
    author_name  TEXT NOT NULL,
    created_at   TEXT NOT NULL,
    PRIMARY KEY (lang, english_hash, seq)
) STRICT;
