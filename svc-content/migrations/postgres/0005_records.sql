-- Content that staff change. The files seed it.
CREATE TABLE records (
    kind             text COLLATE "C" NOT NULL,
    id               text COLLATE "C" NOT NULL,
    lang             text NOT NULL DEFAULT 'en',
    -- Order on the site.
    position         bigint NOT NULL,
    -- draft (never published), live or archived.
    state            text NOT NULL CHECK (state IN ('draft', 'live', 'archived')),
    -- Latest version, and the one that visitors read (0: none).
    version          bigint NOT NULL,
    live_version     bigint NOT NULL,
    -- Of the latest version.
    title            text NOT NULL,
    -- Page of the live version, of the last one if archived. Empty: none.
    path             text NOT NULL,
    -- Version to be published at `publish_at`. 0: none.
    publish_version  bigint NOT NULL DEFAULT 0,
    publish_at       timestamptz,
    unpublish_at     timestamptz,
    -- Why the last publication by time failed.
    schedule_problem text NOT NULL DEFAULT '',
    -- Where the page of an archived record leads.
    redirect         text NOT NULL DEFAULT '',
    -- Who wrote the latest version: subject and name. Empty: it came with the files.
    author           text NOT NULL,
    author_name      text NOT NULL,
    updated_at       timestamptz NOT NULL,
    -- Who edits it, until when.
    editor           text NOT NULL DEFAULT '',
    editor_name      text NOT NULL DEFAULT '',
    edited_until     timestamptz,
    -- Another one for each change.
    etag             text NOT NULL,
    PRIMARY KEY (kind, id, lang)
);
CREATE INDEX records_in_order ON records (kind, position, id);
CREATE INDEX records_to_publish ON records (publish_at) WHERE publish_at IS NOT NULL;
CREATE INDEX records_to_unpublish ON records (unpublish_at) WHERE unpublish_at IS NOT NULL;

-- Every version of a record. Rows are never changed.
CREATE TABLE record_versions (
    kind        text COLLATE "C" NOT NULL,
    id          text COLLATE "C" NOT NULL,
    lang        text NOT NULL DEFAULT 'en',
    version     bigint NOT NULL,
    -- JSON.
    body        text NOT NULL,
    author      text NOT NULL,
    author_name text NOT NULL,
    created_at  timestamptz NOT NULL,
    PRIMARY KEY (kind, id, lang, version)
);

-- What changed on the site, by the number of the change in `blog_sequence`.
CREATE TABLE record_publications (
    seq            bigint PRIMARY KEY,
    kind           text COLLATE "C" NOT NULL,
    id             text COLLATE "C" NOT NULL,
    lang           text NOT NULL DEFAULT 'en',
    title          text NOT NULL,
    path           text NOT NULL,
    version_before bigint NOT NULL,
    version_after  bigint NOT NULL,
    author         text NOT NULL,
    author_name    text NOT NULL,
    created_at     timestamptz NOT NULL
);

-- Former pages of records: no published address ever ends in nothing.
CREATE TABLE record_paths (
    path text COLLATE "C" PRIMARY KEY,
    kind text COLLATE "C" NOT NULL,
    id   text COLLATE "C" NOT NULL
);

-- `kind/id` of a changed record; empty if a post changed. Programs before this column read everything again.
ALTER TABLE blog_changes ADD COLUMN record text NOT NULL DEFAULT '';
