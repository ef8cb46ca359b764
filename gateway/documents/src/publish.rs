//! Published versions: fetched from the origin, checked against keys and manifests, and held in memory.

pub(crate) mod contract;
pub(crate) mod folder;
pub(crate) mod hospital;
pub(crate) mod integrity;
mod keys;
pub(crate) mod manifest;
pub(crate) mod origin;
pub(crate) mod pointers;
pub(crate) mod program;
pub(crate) mod published;
pub(crate) mod refusal;
pub(crate) mod remote;
pub(crate) mod statics;
mod takeover;
pub(crate) mod tally;
pub(crate) mod versions;
