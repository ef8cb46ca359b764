//! What is live: the registry, its state for operators, and the renderer.

use arc_swap::ArcSwap;
use parking_lot::Mutex;

use super::remotes_state::RemotesState;
use crate::{registry::Registry, render::compose::Composer};

/// The live registry with all that replaces or shows it.
#[derive(Debug)]
pub(crate) struct Live {
    pub(crate) registry: ArcSwap<Registry>,
    pub(crate) remotes_state: Mutex<RemotesState>,
    pub(crate) composer: Composer,
}
