-- Etag of the version of the post that its record has. Programs before this column leave it as it is and give the post another etag, so
-- what they write is seen and gets a version of the record.
ALTER TABLE blogs ADD COLUMN recorded_etag TEXT NOT NULL DEFAULT '';
CREATE INDEX blogs_unrecorded ON blogs (id) WHERE recorded_etag <> etag;
