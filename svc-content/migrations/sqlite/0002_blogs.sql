-- Blog posts. The files seed them once; from then on the API is where they are written. Times are RFC 3339 in UTC, whose texts
-- sort like the times.
CREATE TABLE blogs (
    id           TEXT PRIMARY KEY NOT NULL,
    -- Slug of the title; empty when the title has none, or when it is the id of another post. Of posts with the same one, the
    -- newest is found by it.
    slug_key     TEXT NOT NULL,
    title        TEXT NOT NULL,
    content      TEXT NOT NULL,
    -- First characters of the content, without tags: lists never read contents.
    teaser       TEXT NOT NULL,
    summary      TEXT NOT NULL,
    excerpt      TEXT NOT NULL,
    author       TEXT NOT NULL,
    category     TEXT NOT NULL,
    -- Lower case, with the default filled in.
    category_key TEXT NOT NULL,
    image        TEXT NOT NULL,
    read_time    TEXT NOT NULL,
    -- JSON.
    tags         TEXT NOT NULL,
    sections     TEXT NOT NULL,
    published_at TEXT NOT NULL,
    created_at   TEXT NOT NULL,
    updated_at   TEXT NOT NULL,
    -- Another one for each version.
    etag         TEXT NOT NULL
) STRICT;

-- A page of the list is read from where the last one ended, however far that is.
CREATE INDEX blogs_newest ON blogs (published_at DESC, id DESC);
CREATE INDEX blogs_newest_of_category ON blogs (category_key, published_at DESC, id DESC);
CREATE INDEX blogs_newest_of_slug ON blogs (slug_key, published_at DESC, id DESC);

-- Creates that were done, by the caller's request id. They outlive the posts: a repeated request never makes a second post.
CREATE TABLE blog_requests (
    request_id  TEXT PRIMARY KEY NOT NULL,
    -- SHA-256 of what was asked for.
    fingerprint BLOB NOT NULL,
    blog_id     TEXT NOT NULL,
    created_at  TEXT NOT NULL
) STRICT;

-- The number of the last change. Whoever writes holds this row until the commit, so changes become visible in their order.
CREATE TABLE blog_sequence (
    id     INTEGER PRIMARY KEY CHECK (id = 1),
    value  INTEGER NOT NULL,
    seeded INTEGER NOT NULL
) STRICT;
INSERT INTO blog_sequence (id, value, seeded) VALUES (1, 0, false);

-- What changed, for every process that keeps something of it in memory. Old rows go.
CREATE TABLE blog_changes (
    seq         INTEGER PRIMARY KEY,
    -- Empty: many posts at once.
    blog_id     TEXT NOT NULL,
    -- Slugs before and after; empty where there is none.
    slug_before TEXT NOT NULL,
    slug_after  TEXT NOT NULL
) STRICT;
