-- Pictures that staff upload. Their files are in the media store, in a folder of their own for each upload.
CREATE TABLE media (
    -- First 160 bits of the SHA-256 of the upright pixels, in hexadecimal.
    hash         TEXT PRIMARY KEY NOT NULL,
    folder       BLOB NOT NULL,
    -- processing, ready or failed.
    state        TEXT NOT NULL,
    -- Size of the upload.
    bytes        INTEGER NOT NULL,
    -- Size of the largest form, in pixels.
    width        INTEGER NOT NULL,
    height       INTEGER NOT NULL,
    alt          TEXT NOT NULL,
    decorative   INTEGER NOT NULL,
    -- Percent from the left and the top.
    focal_x      INTEGER NOT NULL,
    focal_y      INTEGER NOT NULL,
    author       TEXT NOT NULL,
    created_at   TEXT NOT NULL,
    updated_at   TEXT NOT NULL,
    -- Another one for each version.
    etag         TEXT NOT NULL,
    -- Attempts to make the forms, and when the next one may begin.
    attempts     INTEGER NOT NULL,
    attempt_at   TEXT NOT NULL,
    -- Since when no content uses the picture. NULL: it is used.
    unused_since TEXT
) STRICT;

CREATE INDEX media_newest ON media (created_at DESC, hash DESC);
CREATE INDEX media_waiting ON media (attempt_at) WHERE state = 'processing';
CREATE UNIQUE INDEX media_folder ON media (folder);
