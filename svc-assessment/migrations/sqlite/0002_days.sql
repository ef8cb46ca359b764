-- Of when somebody assessed themselves, only the day is kept, and request ids are keyed hashes in `request_keys`, which forgets them
-- after 30 days. Rows of the first format wait in `assessments_v1` until the backfill `assessments-days` has moved them. The build
-- before this one cannot write to the new table.
ALTER TABLE assessments RENAME TO assessments_v1;

-- Nothing here says whose a row is, and nothing may be added that does. An unanswered question is NULL.
CREATE TABLE assessments (
    id                  BLOB PRIMARY KEY NOT NULL,
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
    bmi_category        TEXT,
    diabetes_risk       TEXT NOT NULL,
    stress_level        TEXT NOT NULL,
    overall_level       TEXT NOT NULL,
    -- The day in India, as midnight UTC of its date.
    create_time         TEXT NOT NULL
-- Without row ids, which count up: rows lie in the order of their random ids, not in that of the log.
) STRICT, WITHOUT ROWID;

-- For those who remove what has been kept long enough.
CREATE INDEX assessments_by_create_time ON assessments (create_time);
