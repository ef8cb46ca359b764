//! Finished documents of the pages that a registry keeps in memory.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use arc_swap::ArcSwap;
use gateway_cache::{Edition, Representation};

use super::Page;
use crate::language::Language;

/// The resident documents of a registry, by address. Each page has one in each language, except for files such as
/// `robots.txt`. A Kannada document of 25 KB takes about 40 KB with its compressed forms, so two pages in two more
/// languages take 160 KB.
#[derive(Debug, Default)]
pub(crate) struct Residents(pub HashMap<Arc<str>, Resident>);

/// A resident document and its state.
#[derive(Debug)]
pub(crate) struct Resident {
    pub(crate) page: Arc<Page>,
    pub(crate) language: Language,
    pub(crate) edition: Edition,
    pub(crate) document: ArcSwap<Representation>,
    /// Whether the last attempt lacked data, or the included data about other pages has changed.
    pub(crate) is_incomplete: AtomicBool,
}

impl Residents {
    /// Returns the page of an address and its document.
    pub(crate) fn get(&self, address: &str) -> Option<(&Page, Arc<Representation>)> {
        let resident = self.0.get(address)?;
        Some((&resident.page, resident.document.load_full()))
    }
}

impl Resident {
    /// Reuses the document in another registry. If data about other pages has changed, it is marked as incomplete and
    /// soon refreshed.
    pub(crate) fn of(&self, page: &Arc<Page>, edition: Edition) -> Self {
        let is_incomplete = self.is_incomplete.load(Ordering::Relaxed) || edition != self.edition;
        Self {
            page: Arc::clone(page),
            language: self.language,
            edition,
            document: ArcSwap::new(self.document.load_full()),
            is_incomplete: AtomicBool::new(is_incomplete),
        }
    }
}
