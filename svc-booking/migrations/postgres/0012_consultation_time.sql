-- When the patient went in to the doctor. The status stays `arrived`: builds without this column read and complete such a row.
ALTER TABLE appointments ADD COLUMN consultation_time timestamptz;
