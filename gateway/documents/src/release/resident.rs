//! Resident pages: rendered before their registry goes live, never evicted, and refreshed in the background when their
//! data is invalidated or could not be fetched.

use std::{
    sync::{
        Arc, Weak,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use arc_swap::ArcSwap;
use futures::future::try_join_all;
use gateway_cache::{Edition, Lifetime, Representation, compression::Effort};
use tokio::time::MissedTickBehavior;

use super::live::Live;
use crate::{
    error::PagesError,
    language::{self, Language},
    registry::{
        Page, Registry,
        residents::{Resident, Residents},
    },
    render::{compose::Composer, composed::Composed, message::Visit, pool::Lane},
};

/// Interval at which resident pages are checked against changes. Bounds their staleness.
const CHANGE_POLL_INTERVAL: Duration = Duration::from_millis(250);
/// Polls between retries of incomplete pages: one every 5 s.
const POLLS_PER_RETRY: u32 = 20;

/// Renders the resident pages, with the data that can be fetched. Pages in `known` with the same modules are
/// reused. A live page is never rendered again here, so a failure always concerns a new version.
///
/// # Errors
/// When a module fails or does not return 200: such a page must not go live.
pub(crate) async fn make(
    composer: &Composer,
    registry: &Registry,
    known: &[&Residents],
) -> Result<Residents, PagesError> {
    let pages = registry.resident_pages.iter().flat_map(|page| {
        let languages = Language::ALL.into_iter();
        let languages =
            languages.filter(|language| *language == Language::English || page.is_for_visitors());
        languages.map(move |language| (page, language))
    });
    let made = pages.map(|(page, language)| async move {
        let edition = registry.edition(page);
        let address: Arc<str> = language::address(language, &page.route).into();
        let mut known = known.iter().filter_map(|known| known.0.get(&address));
        let resident = match known.find(|known| known.edition.own == edition.own) {
            Some(known) => known.of(page, edition),
            None => make_one(composer, registry, page, language, edition).await?,
        };
        Ok((address, resident))
    });
    try_join_all(made)
        .await
        .map(|made| Residents(made.into_iter().collect()))
}

async fn make_one(
    composer: &Composer,
    registry: &Registry,
    page: &Arc<Page>,
    language: Language,
    edition: Edition,
) -> Result<Resident, PagesError> {
    let new = compose(composer, registry, page, language).await;
    if new.has_failed || new.status != 200 {
        return Err(PagesError::Resident {
            route: Arc::clone(&page.route),
            status: new.status,
        });
    }
    let is_incomplete = AtomicBool::new(!new.is_complete);
    Ok(Resident {
        page: Arc::clone(page),
        language,
        edition,
        document: ArcSwap::from_pointee(finish(new, None).await),
        is_incomplete,
    })
}

/// Refreshes the page when it is invalidated, or incomplete and due for a retry. A worse result never replaces it.
async fn renew(resident: &Resident, composer: &Composer, registry: &Registry, is_retry: bool) {
    let old = resident.document.load_full();
    let is_current = composer.api.changes().is_current(old.basis());
    if is_current && !(is_retry && resident.is_incomplete.load(Ordering::Relaxed)) {
        return;
    }
    let new = compose(composer, registry, &resident.page, resident.language).await;
    resident
        .is_incomplete
        .store(!new.is_complete, Ordering::Relaxed);
    let is_better = new.is_complete || !old.is_complete();
    if new.has_failed || new.status != 200 || !is_better {
        old.basis().advance_to(&new.basis);
        return;
    }
    let new = finish(new, Some(&old)).await;
    resident.document.store(Arc::new(new));
}

async fn compose(
    composer: &Composer,
    registry: &Registry,
    page: &Page,
    language: Language,
) -> Composed {
    let visit = Visit {
        language,
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

/// Refreshes the resident pages until `live` is dropped.
pub(crate) async fn run(live: Weak<Live>) {
    let mut ticks = tokio::time::interval(CHANGE_POLL_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    for poll in (1..=POLLS_PER_RETRY).cycle() {
        ticks.tick().await;
        let Some(live) = live.upgrade() else { return };
        let registry = live.registry.load_full();
        for resident in registry.residents.0.values() {
            let is_retry = poll == POLLS_PER_RETRY;
            renew(resident, &live.composer, &registry, is_retry).await;
        }
    }
}
