//! Contact data of a patient.

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
