-- Number of confirmed subscriptions that were ended after this issue, before the next one. Builds before this column don't count.
ALTER TABLE newsletters ADD COLUMN unsubscribes bigint NOT NULL DEFAULT 0;
