-- Why a waitlist entry ended. NULL: it has not ended, or ended with a build that stored no reason.
ALTER TABLE waitlist_entries ADD COLUMN end_reason TEXT;
