//! Which documents a canary makes.
//!
//! A number drawn for each document decides, which identifies nobody. Documents are revalidated each time (`no-cache`), also by
//! shared caches, so each time is a draw and needs no `Vary`; the document names the exact versions that its scripts come from. A
//! form names the version that made it and goes back to that one.

use std::sync::Arc;

use super::{Page, Registry};
use crate::documents::{part::Part, remote::Remote};

/// A version that some of the documents are made with.
#[derive(Debug)]
pub(in crate::documents) struct Canary {
    pub(in crate::documents) remote: Arc<Remote>,
    /// Of all documents.
    pub(in crate::documents) percent: u8,
    /// As the stable one, but for this version.
    pub(in crate::documents) registry: Arc<Registry>,
}

impl Canary {
    /// Tells its documents from the stable ones of the same address.
    pub(in crate::documents) fn key(&self) -> String {
        format!("\0{}@{}", self.remote.name, self.remote.version)
    }
}

impl Registry {
    /// The canary that makes the document of a raw path, for a number from 0 to 99. None for pages that are the same with it.
    pub(in crate::documents) fn draw(&self, number: u8, path: &str) -> Option<&Canary> {
        let mut end = 0;
        let canary = self.canaries.iter().find(|canary| {
            end += canary.percent;
            number < end
        })?;
        let own = |registry: &Self| registry.edition(registry.page_or_not_found(path)).own;
        (own(&canary.registry) != own(self)).then_some(canary)
    }

    /// The canary that made a form, by the id of its part: `team:id@version`.
    pub(in crate::documents) fn maker(&self, part: &str) -> Option<&Canary> {
        let (id, version) = part.rsplit_once('@')?;
        let (team, _) = id.split_once(':')?;
        let mut canaries = self.canaries.iter();
        canaries.find(|canary| canary.remote.name == team && canary.remote.version == version)
    }

    /// The id of a part as its props have it, from version 2 of the contract on.
    pub(in crate::documents) fn id_in_props(&self, part: &Part) -> Option<String> {
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
