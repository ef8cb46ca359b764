-- Department of a video consultation, as an id. NULL: none was chosen.
ALTER TABLE consultations ADD COLUMN department_id TEXT;
