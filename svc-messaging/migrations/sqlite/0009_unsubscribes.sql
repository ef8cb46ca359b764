-- Number of subscriptions that were ended through the link in this issue. Links of builds before this one are not counted.
ALTER TABLE newsletters ADD COLUMN unsubscribes INTEGER NOT NULL DEFAULT 0;
