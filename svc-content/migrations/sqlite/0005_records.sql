-- Content that staff change. The files seed it. Times are RFC 3339 in UTC, whose texts sort like the times.
CREATE TABLE records (
    kind             TEXT NOT NULL,
    id               TEXT NOT NULL,
    lang             TEXT NOT NULL DEFAULT 'en',
    -- Order on the site.
    position         INTEGER NOT NULL,
    -- draft (never published), live or archived.
    state            TEXT NOT NULL CHECK (state IN ('draft', 'live', 'archived')),
    -- Latest version, and the one that visitors read (0: none).
    version          INTEGER NOT NULL,
    live_version     INTEGER NOT NULL,
    -- Of the latest version.
    title            TEXT NOT NULL,
    -- Page of the live version, of the last one if archived. Empty: none.
    path             TEXT NOT NULL,
    -- Version to be published at `publish_at`. 0: none.
    publish_version  INTEGER NOT NULL DEFAULT 0,
    publish_at       TEXT,
    unpublish_at     TEXT,
    -- Why the last publication by time failed.
    schedule_problem TEXT NOT NULL DEFAULT '',
    -- Where the page of an archived record leads.
    redirect         TEXT NOT NULL DEFAULT '',
    -- Who wrote the latest version: subject and name. Empty: it came with the files.
    author           TEXT NOT NULL,
    author_name      TEXT NOT NULL,
    updated_at       TEXT NOT NULL,
    -- Who edits it, until when.
    editor           TEXT NOT NULL DEFAULT '',
    editor_name      TEXT NOT NULL DEFAULT '',
    edited_until     TEXT,
    -- Another one for each change.
    etag             TEXT NOT NULL,
    PRIMARY KEY (kind, id, lang)
) STRICT;
CREATE INDEX records_in_order ON records (kind, position, id);
CREATE INDEX records_to_publish ON records (publish_at) WHERE publish_at IS NOT NULL;
CREATE INDEX records_to_unpublish ON records (unpublish_at) WHERE unpublish_at IS NOT NULL;

-- Every version of a record. Rows are never changed.
CREATE TABLE record_versions (
    kind        TEXT NOT NULL,
    id          TEXT NOT NULL,
    lang        TEXT NOT NULL DEFAULT 'en',
    version     INTEGER NOT NULL,
    -- JSON.
    body        TEXT NOT NULL,
    author      TEXT NOT NULL,
    author_name TEXT NOT NULL,
    created_at  TEXT NOT NULL,
    PRIMARY KEY (kind, id, lang, version)
) STRICT;

-- What changed on the site, by the number of the change in `blog_sequence`.
CREATE TABLE record_publications (
    seq            INTEGER PRIMARY KEY,
    kind           TEXT NOT NULL,
    id             TEXT NOT NULL,
    lang           TEXT NOT NULL DEFAULT 'en',
    title          TEXT NOT NULL,
    path           TEXT NOT NULL,
    version_before INTEGER NOT NULL,
    version_after  INTEGER NOT NULL,
    author         TEXT NOT NULL,
    author_name    TEXT NOT NULL,
    created_at     TEXT NOT NULL
) STRICT;

-- Former pages of records: no published address ever ends in nothing.
CREATE TABLE record_paths (
    path TEXT PRIMARY KEY NOT NULL,
    kind TEXT NOT NULL,
    id   TEXT NOT NULL
) STRICT;

-- `kind/id` of a changed record; empty if a post changed. Programs before this column read everything again.
ALTER TABLE blog_changes ADD COLUMN record TEXT NOT NULL DEFAULT '';
