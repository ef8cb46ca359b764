-- Translations that staff enter. They precede those of the content files.
-- Every change of a translation. Rows are never changed; the row with the highest `seq` applies.
CREATE TABLE record_translations (
    -- kn or hi.
    lang         text COLLATE "C" NOT NULL,
    -- SHA-256 of the English text in base64url, so that keys stay short.
    english_hash text COLLATE "C" NOT NULL,
    -- Number of the change in `blog_sequence`.
    seq          bigint NOT NULL,
    english      text NOT NULL,
    -- Empty: staff removed theirs.
    translation  text NOT NULL,
    author       text NOT NULL,
    author_name  text NOT NULL,
    created_at   timestamptz NOT NULL,
    PRIMARY KEY (lang, english_hash, seq)
);
