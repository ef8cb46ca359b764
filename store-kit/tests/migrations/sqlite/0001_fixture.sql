CREATE TABLE accounts (
    id      INTEGER PRIMARY KEY,
    balance INTEGER NOT NULL
) STRICT;

CREATE TABLE seats (
    seat   TEXT PRIMARY KEY NOT NULL,
    holder TEXT NOT NULL
) STRICT;

CREATE TABLE every_value (
    id         INTEGER PRIMARY KEY,
    a_text     TEXT,
    a_bytes    BLOB,
    an_integer INTEGER,
    a_real     REAL,
    a_boolean  INTEGER,
    a_uuid     BLOB,
    a_time     TEXT
) STRICT;

CREATE TABLE patients (
    id     BLOB PRIMARY KEY NOT NULL,
    key_id TEXT NOT NULL,
    name   BLOB NOT NULL,
    phone  BLOB,
    phone_index BLOB
) STRICT;
CREATE INDEX patients_key_id ON patients (key_id);
