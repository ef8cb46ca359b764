-- One row per accepted self-assessment. Nothing here says whose it is, and nothing may be added that does:
-- no name, no address, no account; of the request id only a hash, which finds a repetition and nothing else.
-- An unanswered question is NULL.
CREATE TABLE assessments (
    id                  uuid NOT NULL PRIMARY KEY,
    request_key         bytea NOT NULL UNIQUE,
    -- SHA-256 of the checked answers: tells a repetition from other answers under the same key.
    fingerprint         bytea NOT NULL,
    age_years           integer,
    gender              text,
    height_cm           double precision,
    weight_kg           double precision,
    family_history      text,
    blood_pressure      text,
    activity_level      text,
    waist_circumference text,
    sleep_hours         double precision,
    sleep_quality       text,
    work_stress         text,
    relationships       text,
    -- JSON array of labels.
    coping_strategies   text NOT NULL,
    bmi                 double precision,
    bmi_category        text NOT NULL,
    diabetes_risk       text NOT NULL,
    stress_level        text NOT NULL,
    overall_level       text NOT NULL,
    create_time         timestamptz NOT NULL
);
