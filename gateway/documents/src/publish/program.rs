//! The bundle of one published version.

use std::sync::atomic::{AtomicU8, Ordering};

/// A bundle (`server.js`) of one published version.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) version: String,
    pub(crate) source: String,
    stage: AtomicU8,
}

/// Stages of a program: loading not confirmed, live or about to be, no longer live.
const LOADING: u8 = 0;
const IN_USE: u8 = 1;
const RETIRED: u8 = 2;

impl Program {
    pub(crate) fn new(version: String, source: String) -> Self {
        Self {
            version,
            source,
            stage: AtomicU8::new(LOADING),
        }
    }

    /// Returns whether it has loaded, and is live or about to be.
    pub(crate) fn is_in_use(&self) -> bool {
        self.stage.load(Ordering::Relaxed) == IN_USE
    }

    pub(crate) fn set_loading(&self) {
        self.stage.store(LOADING, Ordering::Relaxed);
    }

    pub(crate) fn set_in_use(&self) {
        self.stage.store(IN_USE, Ordering::Relaxed);
    }

    /// Makes threads drop their engines for it. Only its files are served from now on.
    pub(crate) fn retire(&self) {
        self.stage.store(RETIRED, Ordering::Relaxed);
    }

    pub(crate) fn is_retired(&self) -> bool {
        self.stage.load(Ordering::Relaxed) == RETIRED
    }
}
