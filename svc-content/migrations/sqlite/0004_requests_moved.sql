-- Creates are known by `request_keys` from now on. What is here is moved there once; it stays for programs before this column, to which
-- a rollback may lead, and goes with a later migration.
ALTER TABLE blog_requests ADD COLUMN moved INTEGER NOT NULL DEFAULT 0;
