//! Loads page modules at startup.

use std::{num::NonZeroUsize, sync::Arc, thread, time::Duration};

use arc_swap::ArcSwap;
use gateway_api::LocalApi;
use gateway_cache::{Store, StoreLimits};
use parking_lot::Mutex;
use ring::hmac;
use service_kit::source::{Clock, SystemClock};

use super::{
    Pages,
    config::{MIB, PagesConfig},
    error::PagesError,
    forms::Forms,
    metrics,
    publish::{
        hospital::Hospital, integrity::Trust, origin::Origin, published::Shelf, refusal::AtOrigin,
    },
    release::{
        live::Live,
        memory::{self, Memory},
        trial,
        watch::Watcher,
    },
    render::{
        compose::Composer,
        directory::Directory,
        emergency_phone::{self, EmergencyPhone},
        engine::RenderLimits,
        pool::{Queues, RenderPool},
        positions::Positions,
    },
    serve::{proof::Proofs, status::StatusPage},
};

const THREADS_MAX: usize = 16;

/// Starts the renderer, fetches from the origin if there is one, reads the published versions and renders the resident
/// pages.
pub(super) async fn load(
    config: &PagesConfig,
    api: LocalApi,
    form_key: hmac::Key,
) -> Result<(Arc<Pages>, Watcher), PagesError> {
    let cores = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let threads = config
        .render_threads
        .unwrap_or(cores)
        .get()
        .min(THREADS_MAX);
    let render_limits = RenderLimits {
        time_max: Duration::from_millis(config.render_time_ms_max),
        memory_bytes_max: usize::try_from(config.render_memory_mib_max * MIB).unwrap_or(usize::MAX),
    };
    let queues = Queues {
        forms_max: usize::try_from(config.form_render_queue_max).unwrap_or(usize::MAX),
        reads_max: usize::try_from(config.render_queue_max).unwrap_or(usize::MAX),
    };
    let pool = RenderPool::start(threads, queues, render_limits).map_err(PagesError::Threads)?;
    let store = store(config, &api);
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let status = StatusPage::new(config, api.health_checks(&clock));
    let hospital = config.site_dir.as_deref().map(Hospital::read).transpose()?;
    let configured = &config.emergency_phone;
    let phone = hospital
        .as_ref()
        .map_or(configured, |hospital| &hospital.emergency_phone);
    let composer = Composer {
        api,
        pool,
        clock,
        data_time_max: Duration::from_millis(config.page_data_time_ms_max),
        directory: Directory::default(),
        emergency_phone: EmergencyPhone::new(phone),
        hospital,
        positions: Positions::new(rand::random_range(0..=u64::MAX)),
        last_known: Mutex::default(),
    };
    let trust = Arc::new(Trust::from_file(config.remotes_keys.as_deref())?);
    let trial_limits = trial::TrialLimits {
        render_failures_min: config.rollback_render_failures_min,
        reporting_networks_min: config.rollback_reporting_networks_min,
    };
    let folder = config.remotes_dir.clone();
    let mut following = None;
    let at_origin = Arc::new(AtOrigin::default());
    if let Some(url) = &config.remotes_url {
        let mut origin = Origin::new(
            url,
            folder.clone(),
            Arc::clone(&trust),
            Arc::clone(&at_origin),
        )?;
        origin.poll().await;
        following = Some(origin);
    }
    let state = config.remotes_state.clone();
    let state = state.unwrap_or_else(|| folder.join(memory::FILE));
    let memory = Memory::open(&state);
    let shared = Arc::clone(&at_origin);
    let mut watcher = Watcher::new(
        folder.clone(),
        Arc::clone(&trust),
        trial_limits,
        shared,
        memory,
    );
    let mut started = watcher.start(&composer).await;
    if let Some(origin) = &mut following
        && (started.is_err() || at_origin.is_damaged())
    {
        // Versions that are damaged here or signed by a removed key may be valid at the origin.
        at_origin.set_damaged();
        origin.poll().await;
        started = watcher.start(&composer).await;
    }
    let (registry, remotes_state) = started?;
    let live = Live {
        registry: ArcSwap::from_pointee(registry),
        remotes_state: Mutex::new(remotes_state),
        composer,
    };
    let pages = Pages {
        live: Arc::new(live),
        shelf: Shelf::new(folder, trust),
        store: Arc::new(store),
        proofs: Proofs::new(&form_key),
        forms: Arc::new(Forms::new(form_key)),
        status,
        utc_offset: config.utc_offset,
        retires_worker: !config.service_worker,
    };
    let pages = Arc::new(pages);
    tokio::spawn(emergency_phone::follow(Arc::downgrade(&pages)));
    if let Some(origin) = following {
        tokio::spawn(origin.follow(Arc::downgrade(&pages)));
    }
    Ok((pages, watcher))
}

/// Returns the empty cache of documents.
fn store(config: &PagesConfig, api: &LocalApi) -> Store {
    let store_limits = StoreLimits {
        entries_max: config.document_cache_entries_max,
        bytes_max: config.document_cache_mib_max * MIB,
        stale: Duration::from_secs(config.document_stale_s_max),
        stale_on_error: Duration::from_secs(config.document_stale_on_error_s_max),
    };
    Store::new(store_limits, api.changes(), metrics::get().store.clone())
}
