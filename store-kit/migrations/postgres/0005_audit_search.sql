-- Indexes of the audit log's filters.
CREATE INDEX audit_entries_of_actor ON audit_entries (actor, seq);
CREATE INDEX audit_entries_of_action ON audit_entries (action, seq);
CREATE INDEX audit_entries_of_time ON audit_entries (create_time, seq);

-- The ids in an entry's subject, and the UUIDs in its detail. Filled by a trigger, so that builds before this one fill it too. Not part
-- of the chain.
CREATE TABLE audit_ids (
    id  text NOT NULL,
    seq bigint NOT NULL,
    PRIMARY KEY (id, seq)
);
CREATE INDEX audit_ids_of_entry ON audit_ids (seq);

CREATE FUNCTION audit_ids_in(subject text, detail text) RETURNS SETOF text LANGUAGE sql IMMUTABLE AS $$
    SELECT trim(token) FROM unnest(string_to_array(subject, ',')) AS token WHERE length(trim(token)) BETWEEN 1 AND 64
    UNION
    SELECT token FROM unnest(string_to_array(detail, ' ')) AS token WHERE token LIKE '________-____-____-____-____________'
$$;
CREATE FUNCTION audit_entries_ids() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        DELETE FROM audit_ids WHERE seq = OLD.seq;
    ELSE
        INSERT INTO audit_ids (id, seq) SELECT named, NEW.seq FROM audit_ids_in(NEW.subject, NEW.detail) AS named
        ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER audit_entries_ids AFTER INSERT OR DELETE ON audit_entries
    FOR EACH ROW EXECUTE FUNCTION audit_entries_ids();

INSERT INTO audit_ids (id, seq)
SELECT named, entry.seq FROM audit_entries AS entry, audit_ids_in(entry.subject, entry.detail) AS named;
