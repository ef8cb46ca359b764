-- The content of a post as a page may show it, made safe when it was written.
ALTER TABLE blogs ADD COLUMN content_html TEXT NOT NULL DEFAULT '';
-- Which rules and which version of the post it was made of. Programs before this column leave it as it is and give the post another
-- etag, so what they write is seen to be made safe anew.
ALTER TABLE blogs ADD COLUMN html_of TEXT NOT NULL DEFAULT '';
