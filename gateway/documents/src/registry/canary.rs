//! Selects the documents that a canary serves.
//!
//! A random number per document decides, so no visitor is identified. Documents are revalidated on every use
//! (`no-cache`), by shared caches too, so each request is sampled independently and `Vary` is not needed. The document
//! contains the exact versions of its scripts. A form contains the version that rendered it and is handled by that
//! version.

use std::sync::Arc;

use super::{Page, Registry};
use crate::{publish::remote::Remote, registry::part::Part};

/// A version serving a percentage of documents.
#[derive(Debug)]
pub(crate) struct Canary {
    pub(crate) remote: Arc<Remote>,
    /// Share of all documents.
    pub(crate) percent: u8,
    /// Same as the stable registry except for this version.
    pub(crate) registry: Arc<Registry>,
}

impl Canary {
    /// Returns the part of the cache key that separates the canary's documents from stable ones at the same address.
    pub(crate) fn key(&self) -> String {
        format!("\0{}@{}", self.remote.name, self.remote.version)
    }
}

impl Registry {
    /// Selects the canary for the document at a raw path, given a number from 0 to 99. `None` if the canary does not
    /// change the page.
    pub(crate) fn draw(&self, number: u8, path: &str) -> Option<&Canary> {
        let mut end = 0;
        let canary = self.canaries.iter().find(|canary| {
            end += canary.percent;
            number < end
        })?;
        let own = |registry: &Self| registry.edition(registry.page_or_not_found(path)).own;
        (own(&canary.registry) != own(self)).then_some(canary)
    }

    /// Finds the canary that rendered a form, by the id of its part: `team:id@version`.
    pub(crate) fn canary_of_part(&self, part: &str) -> Option<&Canary> {
        let (id, version) = part.rsplit_once('@')?;
        let (team, _) = id.split_once(':')?;
        let mut canaries = self.canaries.iter();
        canaries.find(|canary| canary.remote.name == team && canary.remote.version == version)
    }

    /// Returns the id of a part for its props; `None` before version 2 of the contract.
    pub(crate) fn id_in_props(&self, part: &Part) -> Option<String> {
        let id = part.id_in_props()?;
        match &self.canary_of {
            Some(team) if *team == part.remote.name => {
                Some(format!("{id}@{}", part.remote.version))
            }
            _ => Some(id.to_owned()),
        }
    }

    fn page_or_not_found(&self, path: &str) -> &Arc<Page> {
        self.page(path).map_or(&self.not_found, |(page, _)| page)
    }
}
