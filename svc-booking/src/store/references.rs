//! Chooses a reference for a new row.

use store_kit::{error::StoreError, sql::Transaction, values};

use crate::domain::change::REFERENCES;

/// Returns the proposed references as values of `IN ($1, $2, $3, $4)`; NULL for a missing one.
pub(super) fn candidates(proposed: &[String]) -> [Option<&str>; REFERENCES] {
    std::array::from_fn(|number| proposed.get(number).map(String::as_str))
}

/// Returns the first proposed reference that `taken`, a query for [`candidates`], does not find.
pub(super) async fn unused(
    transaction: &mut Transaction<'_>,
    taken: &'static str,
    proposed: &[String],
) -> Result<String, StoreError> {
    let [first, second, third, fourth] = candidates(proposed);
    let taken: Vec<(String,)> = transaction
        .fetch_all(taken, values![first, second, third, fourth])
        .await?;
    let is_unused = |reference: &&String| taken.iter().all(|(taken,)| taken != *reference);
    let unused = proposed.iter().find(is_unused);
    unused.cloned().ok_or(StoreError::IdentifiersTaken)
}
