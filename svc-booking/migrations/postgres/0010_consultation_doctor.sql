-- Doctor of a video consultation and the number that the patient was told. NULL: no doctor was allotted.
ALTER TABLE consultations ADD COLUMN doctor_id text;
ALTER TABLE consultations ADD COLUMN doctor_registration text;

-- Last registration number given for a doctor, so that staff need not type it again.
CREATE TABLE doctor_registrations (
    doctor_id    text PRIMARY KEY NOT NULL,
    registration text NOT NULL,
    update_time  timestamptz NOT NULL
);
