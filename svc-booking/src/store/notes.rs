//! The desk's notes, sealed in a table of their own. They go with the contact, whichever build erases it.

use store_kit::{error::StoreError, keys::Keys, sql::Statement, values};
use uuid::Uuid;

use super::DESK_NOTES;
use crate::domain::contact::DeskNote;

/// Inserts or replaces the desk's note.
const WRITE: &str = "\
INSERT INTO desk_notes (id, key_id, note) VALUES ($1, $2, $3)
ON CONFLICT (id) DO UPDATE SET key_id = excluded.key_id, note = excluded.note";

const FORGET: &str = "DELETE FROM desk_notes WHERE id = $1";

const COLUMN: &str = "note";

/// Opens a note: the id of its key, and the sealed text. `None`: there is none.
pub(super) fn open(
    keys: &Keys,
    id: Uuid,
    sealed: Option<(&str, &[u8])>,
) -> Result<DeskNote, StoreError> {
    let Some((key_id, sealed)) = sealed else {
        return Ok(DeskNote::default());
    };
    Ok(DeskNote(DESK_NOTES.open(keys, key_id, id, COLUMN, sealed)?))
}

/// Returns the statement that replaces a note, or deletes it if it is empty.
pub(super) fn write(keys: &Keys, id: Uuid, note: &DeskNote) -> Result<Statement, StoreError> {
    if note.0.is_empty() {
        return Ok(Statement::new(FORGET, values![id]));
    }
    let sealed = DESK_NOTES.seal(keys, id, COLUMN, &note.0)?;
    Ok(Statement::new(WRITE, values![id, keys.active(), sealed]))
}
