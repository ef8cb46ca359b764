-- Of when somebody assessed themselves, only the day is kept, and request ids are keyed hashes in `request_keys`, which forgets them
-- after 30 days. Rows of the first format wait in `assessments_v1` until the backfill `assessments-days` has moved them. The build
-- before this one cannot write to the new table.
ALTER TABLE assessments RENAME TO assessments_v1;
ALTER INDEX assessments_pkey RENAME TO assessments_v1_pkey;

-- Nothing here says whose a row is, and nothing may be added that does. An unanswered question is NULL.
CREATE TABLE assessments (
    id                  uuid PRIMARY KEY,
    age_years           bigint,
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
    bmi_category        text,
    diabetes_risk       text NOT NULL,
    stress_level        text NOT NULL,
    overall_level       text NOT NULL,
    -- The day in India, as midnight UTC of its date.
    create_time         timestamptz NOT NULL
);

-- For those who remove what has been kept long enough.
CREATE INDEX assessments_by_create_time ON assessments (create_time);
