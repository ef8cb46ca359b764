//! Why something that was published is not live.

use std::{collections::BTreeMap, sync::Arc};

use parking_lot::Mutex;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    /// For the metric: one of a few words.
    pub(super) reason: &'static str,
    /// For people.
    pub(super) detail: String,
}

/// Team and version → why it is not live. The version is empty where the pointer itself is not followed.
pub(super) type Refusals = BTreeMap<(String, String), Refusal>;

/// Team → why its pointer at the origin was not taken over. Written by whoever asks the origin, read by whoever follows the folder.
pub(super) type OriginRefusals = Arc<Mutex<BTreeMap<String, Refusal>>>;
