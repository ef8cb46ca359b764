-- What staff were first answered when they asked for a month that is over: no number in it stands for fewer than 10 people. It is said
-- again whatever is removed later, since a difference between two answers would show single people.
CREATE TABLE month_summaries (
    -- YYYY-MM.
    month   text PRIMARY KEY,
    -- JSON.
    summary text NOT NULL
);
