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
    render::Lane,
};
use crate::store::{Edition, Lifetime, Representation, compression::Effort};

/// Interval at which resident pages are checked against changes. Bounds their staleness.
const CHANGE_POLL_INTERVAL: Duration = Duration::from_millis(250);
/// Polls between retries of incomplete pages: one every 5 s.
const POLLS_PER_RETRY: u32 = 20;
/// The resident documents of a registry, by path.
#[derive(Debug, Default)]
pub(super) struct Residents(HashMap<Arc<str>, Resident>);

#[derive(Debug)]
struct Resident {
    page: Arc<Page>,
    edition: Edition,
    document: ArcSwap<Representation>,
    /// Whether the last attempt lacked data, or the included data about other pages has changed.
    is_incomplete: AtomicBool,
}

impl Residents {
    /// Renders the resident pages, with whatever data can be fetched. Pages in `known` with the same modules are
    /// reused. A live page is never rendered again here, so a failure always concerns a new version.
    ///
    /// # Errors
    /// When a module fails or does not return 200: such a page must not go live.
    pub(super) async fn make(
        composer: &Composer,
        registry: &Registry,
        known: &[&Self],
    ) -> Result<Self, PagesError> {
        let made = registry.resident_pages.iter().map(|page| async move {
            let edition = registry.edition(page);
            let mut known = known.iter().filter_map(|known| known.0.get(&page.route));
            let resident = match known.find(|known| known.edition.own == edition.own) {
                Some(known) => known.of(page, edition),
                None => Resident::make(composer, registry, page, edition).await?,
            };
            Ok((Arc::clone(&page.route), resident))
        });
        try_join_all(made)
            .await
            .map(|made| Self(made.into_iter().collect()))
    }

    /// Returns the page of a raw path and its document.
    pub(super) fn get(&self, path: &str) -> Option<(&Page, Arc<Representation>)> {
        let resident = self.0.get(path)?;
        Some((&resident.page, resident.document.load_full()))
    }
}

impl Resident {
    async fn make(
        composer: &Composer,
        registry: &Registry,
        page: &Arc<Page>,
        edition: Edition,
    ) -> Result<Self, PagesError> {
        let new = compose(composer, registry, page).await;
        if new.has_failed || new.status != 200 {
            return Err(PagesError::Resident {
                route: Arc::clone(&page.route),
                status: new.status,
            });
        }
        let is_incomplete = AtomicBool::new(!new.is_complete);
        Ok(Self {
            page: Arc::clone(page),
            edition,
            document: ArcSwap::from_pointee(finish(new, None).await),
            is_incomplete,
        })
    }

    /// Reuses the document in another registry. If data about other pages has changed, it is marked as incomplete and
    /// soon refreshed.
    fn of(&self, page: &Arc<Page>, edition: Edition) -> Self {
        let is_incomplete = self.is_incomplete.load(Ordering::Relaxed) || edition != self.edition;
        Self {
            page: Arc::clone(page),
            edition,
            document: ArcSwap::new(self.document.load_full()),
            is_incomplete: AtomicBool::new(is_incomplete),
        }
    }

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
    let lane = Lane::Preparations;
    composer
        .compose_in(lane, registry, page, &visit, None)
        .await
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
