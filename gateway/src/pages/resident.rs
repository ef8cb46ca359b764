//! Pages that are in memory whatever happens: made before their registry goes live, without an end, and replaced behind
//! everybody's back when their data changes or could not be had.

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
    stored::{Lifetime, Stored},
    variants::Effort,
};

/// How soon a change is seen.
const LOOK_INTERVAL: Duration = Duration::from_millis(250);
/// Of those looks, how many pass before data that could not be had is asked for again: 5 s.
const LOOKS_PER_ATTEMPT: u32 = 20;
/// Nobody asks a resident page how old it is.
const FOREVER: Lifetime = Lifetime {
    fresh: Duration::ZERO,
    stale: Duration::ZERO,
    stale_on_error: Duration::ZERO,
};

/// The resident documents of a registry, by path.
#[derive(Debug, Default)]
pub(super) struct Residents(HashMap<Arc<str>, Resident>);

#[derive(Debug)]
struct Resident {
    page: Arc<Page>,
    document: ArcSwap<Stored>,
    /// The last attempt to make it did not get all data.
    is_due: AtomicBool,
}

impl Residents {
    /// Makes all of them, with what data there is.
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
            let is_due = AtomicBool::new(!new.is_complete);
            let stored = Stored::new(new, FOREVER, Effort::Best, None).await;
            let resident = Resident {
                page: Arc::clone(page),
                document: ArcSwap::from_pointee(stored.ok_or(failure)?),
                is_due,
            };
            Ok((Arc::clone(&page.route), resident))
        });
        try_join_all(made)
            .await
            .map(|made| Self(made.into_iter().collect()))
    }

    /// The document of a raw path, and its route.
    pub(super) fn get(&self, path: &str) -> Option<(&Arc<str>, Arc<Stored>)> {
        let resident = self.0.get(path)?;
        Some((&resident.page.route, resident.document.load_full()))
    }
}

impl Resident {
    /// Makes it anew where that is needed; what cannot be made better stays as it is.
    async fn renew(&self, composer: &Composer, registry: &Registry, is_attempt: bool) {
        let old = self.document.load_full();
        let is_current = composer.api.changes().is_current(&old.basis);
        if is_current && !(is_attempt && self.is_due.load(Ordering::Relaxed)) {
            return;
        }
        let new = compose(composer, registry, &self.page).await;
        self.is_due.store(!new.is_complete, Ordering::Relaxed);
        let is_better = new.is_complete || !old.is_complete;
        if new.has_failed || new.status != 200 || !is_better {
            old.basis.excuse(&new.basis);
            return;
        }
        if let Some(stored) = Stored::new(new, FOREVER, Effort::Best, Some(&old)).await {
            self.document.store(Arc::new(stored));
        }
    }
}

async fn compose(composer: &Composer, registry: &Registry, page: &Page) -> Composed {
    let visit = Visit {
        path: page.route.to_string(),
        ..Visit::default()
    };
    composer.compose(registry, page, &visit, None).await
}

/// Looks after the resident pages until nobody holds `pages` any more.
pub(super) async fn run(pages: Weak<Pages>) {
    let mut ticks = tokio::time::interval(LOOK_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    for look in (1..=LOOKS_PER_ATTEMPT).cycle() {
        ticks.tick().await;
        let Some(pages) = pages.upgrade() else { return };
        let registry = pages.registry.load_full();
        for resident in registry.residents.0.values() {
            let is_attempt = look == LOOKS_PER_ATTEMPT;
            resident.renew(&pages.composer, &registry, is_attempt).await;
        }
    }
}
