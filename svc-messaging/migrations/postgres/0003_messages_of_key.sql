-- Readiness asks which keys are in use, and a rotation looks for rows of older ones.
CREATE INDEX messages_of_key ON messages (key_id);
