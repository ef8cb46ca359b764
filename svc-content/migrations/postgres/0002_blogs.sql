-- Blog posts. The files seed them once; from then on the API is where they are written. Ids and slugs sort by their bytes, as
-- they do in the program.
CREATE TABLE blogs (
    id           text COLLATE "C" PRIMARY KEY,
    -- Slug of the title; empty when the title has none, or when it is the id of another post. Of posts with the same one, the
    -- newest is found by it.
    slug_key     text COLLATE "C" NOT NULL,
    title        text NOT NULL,
    content      text NOT NULL,
    -- First characters of the content, without tags: lists never read contents.
    teaser       text NOT NULL,
    summary      text NOT NULL,
    excerpt      text NOT NULL,
    author       text NOT NULL,
    category     text NOT NULL,
    -- Lower case, with the default filled in.
    category_key text NOT NULL,
    image        text NOT NULL,
    read_time    text NOT NULL,
    -- JSON.
    tags         text NOT NULL,
    sections     text NOT NULL,
    published_at timestamptz NOT NULL,
    created_at   timestamptz NOT NULL,
    updated_at   timestamptz NOT NULL,
    -- Another one for each version.
    etag         text NOT NULL
);

-- A page of the list is read from where the last one ended, however far that is.
CREATE INDEX blogs_newest ON blogs (published_at DESC, id DESC);
CREATE INDEX blogs_newest_of_category ON blogs (category_key, published_at DESC, id DESC);
CREATE INDEX blogs_newest_of_slug ON blogs (slug_key, published_at DESC, id DESC);

-- Creates that were done, by the caller's request id. They outlive the posts: a repeated request never makes a second post.
CREATE TABLE blog_requests (
    request_id  text PRIMARY KEY,
    -- SHA-256 of what was asked for.
    fingerprint bytea NOT NULL,
    blog_id     text NOT NULL,
    created_at  timestamptz NOT NULL
);

-- The number of the last change. Whoever writes holds this row until the commit, so changes become visible in their order.
CREATE TABLE blog_sequence (
    id     smallint PRIMARY KEY CHECK (id = 1),
    value  bigint NOT NULL,
    seeded boolean NOT NULL
);
INSERT INTO blog_sequence (id, value, seeded) VALUES (1, 0, false);

-- What changed, for every process that keeps something of it in memory. Old rows go.
CREATE TABLE blog_changes (
    seq         bigint PRIMARY KEY,
    -- Empty: many posts at once.
    blog_id     text NOT NULL,
    -- Slugs before and after; empty where there is none.
    slug_before text NOT NULL,
    slug_after  text NOT NULL
);
