CREATE TABLE accounts (
    id      bigint PRIMARY KEY,
    balance bigint NOT NULL
);

CREATE TABLE seats (
    seat   text PRIMARY KEY,
    holder text NOT NULL
);

CREATE TABLE every_value (
    id         bigint PRIMARY KEY,
    a_text     text,
    a_bytes    bytea,
    an_integer bigint,
    a_real     double precision,
    a_boolean  boolean,
    a_uuid     uuid,
    a_time     timestamptz
);

CREATE TABLE patients (
    id     uuid PRIMARY KEY,
    key_id text NOT NULL,
    name   bytea NOT NULL,
    phone  bytea,
    phone_index bytea
);
CREATE INDEX patients_key_id ON patients (key_id);
