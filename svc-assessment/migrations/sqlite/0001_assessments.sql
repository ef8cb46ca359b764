-- One row per accepted self-assessment. Nothing here says whose it is, and nothing may be added that does:
-- no name, no address, no account; of the request id only a hash, which finds a repetition and nothing else.
-- An unanswered question is NULL.
CREATE TABLE assessments (
    id                  BLOB NOT NULL PRIMARY KEY,
    request_key         BLOB NOT NULL UNIQUE,
    -- SHA-256 of the checked answers: tells a repetition from other answers under the same key.
    fingerprint         BLOB NOT NULL,
    age_years           INTEGER,
    gender              TEXT,
    height_cm           REAL,
    weight_kg           REAL,
    family_history      TEXT,
    blood_pressure      TEXT,
    activity_level      TEXT,
    waist_circumference TEXT,
    sleep_hours         REAL,
    sleep_quality       TEXT,
    work_stress         TEXT,
    relationships       TEXT,
    -- JSON array of labels.
    coping_strategies   TEXT NOT NULL,
    bmi                 REAL,
    bmi_category        TEXT NOT NULL,
    diabetes_risk       TEXT NOT NULL,
    stress_level        TEXT NOT NULL,
    overall_level       TEXT NOT NULL,
    create_time         TEXT NOT NULL
) STRICT;
