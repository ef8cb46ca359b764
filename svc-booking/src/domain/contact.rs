//! Contact data of a patient, and the desk's note.

use std::fmt;

/// The patient's contact data, reason and notes. `Debug` withholds every field to keep personal data out of logs.
#[derive(Clone, Default, Eq, PartialEq)]
pub struct Contact {
    pub patient_name: String,
    pub email: String,
    pub phone: String,
    pub reason: String,
    pub notes: String,
}

impl fmt::Debug for Contact {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Contact(withheld)")
    }
}

/// The desk's note on an appointment, for staff only. Empty: none. `Debug` withholds it, because it may name a person.
#[derive(Clone, Default, Eq, PartialEq)]
pub struct DeskNote(pub String);

impl fmt::Debug for DeskNote {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("DeskNote(withheld)")
    }
}
