-- Indexes of the audit log's filters.
CREATE INDEX audit_entries_of_actor ON audit_entries (actor, seq);
CREATE INDEX audit_entries_of_action ON audit_entries (action, seq);
CREATE INDEX audit_entries_of_time ON audit_entries (create_time, seq);

-- The ids in an entry's subject, and the UUIDs in its detail. Filled by a trigger, so that builds before this one fill it too. Not part
-- of the chain.
CREATE TABLE audit_ids (
    id  TEXT NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (id, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX audit_ids_of_entry ON audit_ids (seq);

-- A trigger takes no common table expression, so JSON splits the text. `json_quote` escapes it, and no escape has a comma or a space.
CREATE TRIGGER audit_entries_ids AFTER INSERT ON audit_entries
BEGIN
    INSERT OR IGNORE INTO audit_ids (id, seq)
    SELECT trim(value), NEW.seq FROM json_each('[' || replace(json_quote(NEW.subject), ',', '","') || ']')
    WHERE length(trim(value)) BETWEEN 1 AND 64
    UNION
    SELECT value, NEW.seq FROM json_each('[' || replace(json_quote(NEW.detail), ' ', '","') || ']')
    WHERE value LIKE '________-____-____-____-____________';
END;
CREATE TRIGGER audit_entries_no_ids AFTER DELETE ON audit_entries
BEGIN
    DELETE FROM audit_ids WHERE seq = OLD.seq;
END;

INSERT OR IGNORE INTO audit_ids (id, seq)
SELECT trim(value), entry.seq
FROM audit_entries AS entry, json_each('[' || replace(json_quote(entry.subject), ',', '","') || ']')
WHERE length(trim(value)) BETWEEN 1 AND 64
UNION
SELECT value, entry.seq
FROM audit_entries AS entry, json_each('[' || replace(json_quote(entry.detail), ' ', '","') || ']')
WHERE value LIKE '________-____-____-____-____________';
