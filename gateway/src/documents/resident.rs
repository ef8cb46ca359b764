//! Resident pages: rendered before their registry goes live, never evicted, and refreshed in the background when their
//! data is invalidated or could not be fetched.

use std::{
    collections::HashMap,
    sync::{
        Arc, Weak,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use arc_swap::ArcSwap;
use futures::future::try_join_all;
use tokio::time::MissedTickBehavior;

use super::{
    Pages, PagesError,
    compose::Composer,
    composed::Composed,
    message::Visit,
    registry::{Page, Registry},
};
use crate::store::{Edition, Lifetime, Representation, compression::Effort};

/// How often residents are validated: the latency of a change.
const CHANGE_POLL_INTERVAL: Duration = Duration::from_millis(250);
/// Polls between two retries of data that could not be fetched: 5 s.
const POLLS_PER_RETRY: u32 = 20;
/// The resident documents of a registry, by path.
#[derive(Debug, Default)]
pub(super) struct Residents(HashMap<Arc<str>, Resident>);

#[derive(Debug)]
struct Resident {
    page: Arc<Page>,
    document: ArcSwap<Representation>,
    /// The last attempt to make it did not get all data.
    is_incomplete: AtomicBool,
}

impl Residents {
    /// Renders all of them, with whatever data can be fetched.
    ///
    /// # Errors
    /// When a module fails or does not answer 200: such a page must not go live.
    pub(super) async fn make(composer: &Composer, registry: &Registry) -> Result<Self, PagesError> {
        let made = registry.resident_pages.iter().map(|page| async move {
            let new = compose(composer, registry, page).await;
            let failure = PagesError::Resident {
                route: Arc::clone(&page.route),
                status: new.status,
            };
            if new.has_failed || new.status != 200 {
                return Err(failure);
            }
            let is_incomplete = AtomicBool::new(!new.is_complete);
            let document = finish(new, None).await;
            let resident = Resident {
                page: Arc::clone(page),
                document: ArcSwap::from_pointee(document),
                is_incomplete,
            };
            Ok((Arc::clone(&page.route), resident))
        });
        try_join_all(made)
            .await
            .map(|made| Self(made.into_iter().collect()))
    }

    /// The document of a raw path, and its route.
    pub(super) fn get(&self, path: &str) -> Option<(&Arc<str>, Arc<Representation>)> {
        let resident = self.0.get(path)?;
        Some((&resident.page.route, resident.document.load_full()))
    }
}

impl Resident {
    /// Refreshes the page when it is invalidated, or incomplete and due for a retry. A worse result never replaces it.
    async fn renew(&self, composer: &Composer, registry: &Registry, is_retry: bool) {
        let old = self.document.load_full();
        let is_current = composer.api.changes().is_current(old.basis());
        if is_current && !(is_retry && self.is_incomplete.load(Ordering::Relaxed)) {
            return;
        }
        let new = compose(composer, registry, &self.page).await;
        self.is_incomplete
            .store(!new.is_complete, Ordering::Relaxed);
        let is_better = new.is_complete || !old.is_complete();
        if new.has_failed || new.status != 200 || !is_better {
            old.basis().advance_to(&new.basis);
            return;
        }
        let new = finish(new, Some(&old)).await;
        self.document.store(Arc::new(new));
    }
}

async fn compose(composer: &Composer, registry: &Registry, page: &Page) -> Composed {
    let visit = Visit {
        path: page.route.to_string(),
        ..Visit::default()
    };
    composer.compose(registry, page, &visit, None).await
}

async fn finish(new: Composed, old: Option<&Representation>) -> Representation {
    let (draft, edition) = (new.into_draft(false), Edition::default());
    Representation::finish(draft, Lifetime::RESIDENT, edition, Effort::Best, old).await
}

/// Refreshes the resident pages until `pages` is dropped.
pub(super) async fn run(pages: Weak<Pages>) {
    let mut ticks = tokio::time::interval(CHANGE_POLL_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    for poll in (1..=POLLS_PER_RETRY).cycle() {
        ticks.tick().await;
        let Some(pages) = pages.upgrade() else { return };
        let registry = pages.registry.load_full();
        for resident in registry.residents.0.values() {
            let is_retry = poll == POLLS_PER_RETRY;
            resident.renew(&pages.composer, &registry, is_retry).await;
        }
    }
}
