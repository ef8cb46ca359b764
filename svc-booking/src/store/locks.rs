//! Names of locks.

use chrono::{DateTime, Utc};

/// Returns the name of the lock on a department's seats at one time.
pub(super) fn slot(department_id: &str, starts_at: DateTime<Utc>) -> String {
    format!("{department_id} {}", starts_at.timestamp())
}

/// Returns the name of the lock under which a network's rows are counted.
pub(super) fn network_lock(network: [u8; 32]) -> String {
    format!("network {network:02x?}")
}

/// Returns the name of the lock under which an e-mail address's proven rows are counted.
pub(super) fn address_lock(email_index: &[u8]) -> String {
    format!("email {email_index:02x?}")
}
