-- Doctor of a video consultation and the number that the patient was told. NULL: no doctor was allotted.
ALTER TABLE consultations ADD COLUMN doctor_id TEXT;
ALTER TABLE consultations ADD COLUMN doctor_registration TEXT;

-- Last registration number given for a doctor, so that staff need not type it again.
CREATE TABLE doctor_registrations (
    doctor_id    TEXT PRIMARY KEY NOT NULL,
    registration TEXT NOT NULL,
    update_time  TEXT NOT NULL
) STRICT;
