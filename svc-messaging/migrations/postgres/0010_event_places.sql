-- Events as last read from the content service. `places` 0: no limit. `cancelled`: reason, or empty.
CREATE TABLE events (
    id        text PRIMARY KEY,
    title     text NOT NULL,
    location  text NOT NULL,
    starts_at timestamptz NOT NULL,
    ends_at   timestamptz NOT NULL,
    places    integer NOT NULL,
    cancelled text NOT NULL
);

CREATE INDEX events_by_time ON events (starts_at, id);
CREATE INDEX events_by_end ON events (ends_at);

-- Places taken at an event. `id` is the message that has the person's data, and is deleted with that message. `person`: keyed hash of
-- event and phone number. `notice` about a cancellation: empty (none yet), `mailed` or `no_address`.
CREATE TABLE event_registrations (
    id          uuid PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE,
    event_id    text NOT NULL,
    person      bytea NOT NULL,
    people      integer NOT NULL,
    create_time timestamptz NOT NULL,
    notice      text NOT NULL DEFAULT ''
);

CREATE UNIQUE INDEX event_registrations_person ON event_registrations (event_id, person);
CREATE INDEX event_registrations_by_time ON event_registrations (event_id, create_time, id);
CREATE INDEX messages_of_event ON messages (thread_id) WHERE people IS NOT NULL;
