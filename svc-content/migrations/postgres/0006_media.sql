-- Pictures that staff upload. Their files are in the media store, in a folder of their own for each upload.
CREATE TABLE media (
    -- First 160 bits of the SHA-256 of the upright pixels, in hexadecimal.
    hash         text COLLATE "C" PRIMARY KEY,
    folder       uuid NOT NULL,
    -- processing, ready or failed.
    state        text NOT NULL,
    -- Size of the upload.
    bytes        bigint NOT NULL,
    -- Size of the largest form, in pixels.
    width        bigint NOT NULL,
    height       bigint NOT NULL,
    alt          text NOT NULL,
    decorative   boolean NOT NULL,
    -- Percent from the left and the top.
    focal_x      bigint NOT NULL,
    focal_y      bigint NOT NULL,
    author       text NOT NULL,
    created_at   timestamptz NOT NULL,
    updated_at   timestamptz NOT NULL,
    -- Another one for each version.
    etag         text NOT NULL,
    -- Attempts to make the forms, and when the next one may begin.
    attempts     bigint NOT NULL,
    attempt_at   timestamptz NOT NULL,
    -- Since when no content uses the picture. NULL: it is used.
    unused_since timestamptz
);

CREATE INDEX media_newest ON media (created_at DESC, hash DESC);
CREATE INDEX media_waiting ON media (attempt_at) WHERE state = 'processing';
CREATE UNIQUE INDEX media_folder ON media (folder);
