-- Leave that doctors ask for. A granted request has its leave in `leaves`, written in the same transaction.
CREATE TABLE leave_requests (
    -- Version 7: ordered by time of creation.
    id          uuid PRIMARY KEY,
    doctor_id   text NOT NULL,
    -- YYYY-MM-DD in Asia/Kolkata, both inclusive.
    from_date   text NOT NULL,
    until_date  text NOT NULL,
    state       text NOT NULL CHECK (state IN ('waiting', 'granted', 'declined', 'withdrawn')),
    -- Counts the changes, from 1.
    version     bigint NOT NULL CHECK (version >= 1),
    -- The entered leave of a granted request. It may have been deleted since.
    leave_id    uuid,
    create_time timestamptz NOT NULL,
    update_time timestamptz NOT NULL,
    -- Sealed: the doctor's reason, and why the request was declined.
    key_id      text NOT NULL,
    reason      bytea,
    answer      bytea
);

CREATE INDEX leave_requests_waiting ON leave_requests (id) WHERE state = 'waiting';
CREATE INDEX leave_requests_of_doctor ON leave_requests (doctor_id, id);
CREATE INDEX leave_requests_of_key ON leave_requests (key_id);
CREATE INDEX leave_requests_until ON leave_requests (until_date);
