//! Live lists of the staff area: which collections of the API a person's pages show, and whether they have changed.
//!
//! A collection is the first segment of an API path: `appointments` for `/appointments/{id}`. The pages' declared data
//! names the collections, and the contract names the scope of each. Nothing here depends on a named RPC.

use std::{fmt, sync::Arc};

use gateway_cache::changes::Changes;
use tokio::sync::watch::Receiver;

use super::{Documents, registry::Registry, release::live::Live};

/// The lists of this process's staff area.
#[derive(Clone)]
pub struct Lists {
    live: Arc<Live>,
    changes: Arc<Changes>,
}

impl fmt::Debug for Lists {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Lists").finish_non_exhaustive()
    }
}

impl Documents {
    /// Returns access to the changes of staff pages' lists.
    pub fn lists(&self) -> Lists {
        let live = Arc::clone(&self.pages.live);
        Lists {
            changes: live.composer.api.changes(),
            live,
        }
    }
}

impl Lists {
    /// Returns the present position.
    pub fn position(&self) -> u64 {
        self.changes.position()
    }

    /// Returns the text of a position, as documents carry it in `data-since`.
    pub fn text(&self, position: u64) -> String {
        self.live.composer.positions.text(position)
    }

    /// Returns the position of a text, or `None` if it is not of this process.
    pub fn parse(&self, text: &str) -> Option<u64> {
        let position = self.live.composer.positions.parse(text)?;
        (position <= self.position()).then_some(position)
    }

    /// Returns a receiver that is notified of every change of any answer of the API.
    pub fn subscribe(&self) -> Receiver<u64> {
        self.changes.subscribe()
    }

    /// Returns the present position, and the collections that changed after the position `since` and that a person with
    /// these scopes sees on a page, sorted. Without `since`, returns all collections that the person sees.
    pub fn changed(&self, since: Option<u64>, scopes: &[String]) -> (u64, Vec<String>) {
        let position = self.position();
        if since == Some(position) {
            return (position, Vec::new());
        }
        let registry = self.live.registry.load();
        let mut names = self.changed_in(&registry, since, scopes);
        for canary in &registry.canaries {
            names.extend(self.changed_in(&canary.registry, since, scopes));
        }
        names.sort();
        names.dedup();
        (position, names)
    }

    fn changed_in(
        &self,
        registry: &Registry,
        since: Option<u64>,
        scopes: &[String],
    ) -> Vec<String> {
        let api = &self.live.composer.api;
        let lists = registry.desk_lists.iter();
        let changed = lists.filter(|list| {
            let Some((package, scope)) = api.read_access(&list.path) else {
                return false;
            };
            let may_see =
                list.access.allows(scopes) && (scope.is_empty() || scopes.contains(&scope));
            let last = || self.changes.last_of_collection(&list.collection, &package);
            may_see && since.is_none_or(|since| last() > since)
        });
        changed.map(|list| list.collection.clone()).collect()
    }
}
