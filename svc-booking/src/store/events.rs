//! The history of appointments, one event for each version.

use store_kit::{sql::Statement, values};

use crate::domain::{
    change::{Change, Replaced},
    proof::Proof,
    status::Status,
};

const INSERT: &str = "\
INSERT INTO events (appointment_id, version, kind, actor, detail, create_time, network) VALUES ($1, $2, $3, $4, $5, $6, $7)";

/// Returns the statement that adds an event. `network` is the keyed hash of the network of a patient's change; a
/// booking's network is in `appointments`.
pub(super) fn insert(change: &Change, network: Option<[u8; 32]>) -> Statement {
    let appointment = &change.appointment;
    Statement::new(
        INSERT,
        values![
            appointment.id,
            appointment.version,
            change.event,
            &change.actor,
            detail(change),
            appointment.update_time,
            network
        ],
    )
}

/// Keys of the replaced status.
const FROM: &str = "from";
const WAITED: &str = "waited";

/// Returns the detail of an event: what a change of status replaced.
fn detail(change: &Change) -> String {
    let replaced = change.replaced.map(|replaced| {
        let (from, proof) = (replaced.status.as_str(), replaced.proof.as_str());
        // Older builds cannot end a consultation: they do not read this key, and refuse to undo it.
        let is_consultation = change.appointment.status == Status::InConsultation;
        let key = if is_consultation { WAITED } else { FROM };
        serde_json::json!({key: from, "proof": proof})
    });
    replaced.map_or_else(|| "{}".to_owned(), |found| found.to_string())
}

/// Parses the [`detail`] of an event. `None` for a change that cannot be undone.
pub(super) fn replaced(detail: &str) -> Option<Replaced> {
    let detail: serde_json::Value = serde_json::from_str(detail).ok()?;
    Some(Replaced {
        status: Status::parse(detail[FROM].as_str().or(detail[WAITED].as_str())?)?,
        proof: Proof::parse(detail["proof"].as_str()?)?,
    })
}
