//! Decides which versions are live: chooses, watches, tries and rolls back.

mod choice;
pub(crate) mod live;
pub(crate) mod memory;
pub(crate) mod remotes_state;
pub(crate) mod resident;
pub(crate) mod trial;
pub(crate) mod verify;
pub(crate) mod watch;
