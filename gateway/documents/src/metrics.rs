//! Metrics of the documents, without visitor data.

use std::{
    cell::RefCell,
    collections::{HashSet, VecDeque},
    sync::{Arc, OnceLock},
};

use gateway_cache::Counters;
use gateway_http::metrics::Resolved;
use parking_lot::Mutex;
use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{
        counter::Counter,
        family::Family,
        gauge::Gauge,
        histogram::{Histogram, exponential_buckets},
    },
    registry::Registry,
};

use service_kit::source::{Clock as _, SystemClock};

use super::publish::remote::Remote;

/// Maximum versions with render metrics; more than are ever live at once.
const VERSIONS_COUNTED_MAX: usize = 64;
/// All reasons for refusing a version.
const REASONS: [&str; 11] = [
    "unreadable",
    "invalid",
    "integrity",
    "signature",
    "requires",
    "bundle",
    "resident",
    "gateway",
    "pointer",
    "share",
    "rolled_back",
];

/// Roles of a version.
pub(crate) const STABLE: &str = "stable";
pub(crate) const CANARY: &str = "canary";

thread_local! {
    static VIEWS: RefCell<Resolved<&'static str, Counter>> = RefCell::default();
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
pub(crate) struct CacheLabels {
    result: &'static str,
}

/// Labels of a failed module. Bounded by the published modules.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
pub(crate) struct ModuleLabels {
    pub(crate) module: String,
    pub(crate) version: String,
}

/// Labels of page views. Bounded by the published routes.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct ViewLabels {
    route: Arc<str>,
    status_class: &'static str,
}

/// Labels of live versions. At most two per team.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct VersionLabels {
    team: String,
    version: String,
    role: &'static str,
}

impl VersionLabels {
    fn of(remote: &Remote, role: &'static str) -> Self {
        Self {
            team: remote.name.clone(),
            version: remote.version.clone(),
            role,
        }
    }
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct RefusalLabels {
    team: String,
    reason: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct TeamLabels {
    team: String,
}

/// Labels of versions that are or recently were live.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct ReporterLabels {
    team: String,
    version: String,
}

impl ReporterLabels {
    fn of(remote: &Remote) -> Self {
        Self {
            team: remote.name.clone(),
            version: remote.version.clone(),
        }
    }
}

/// Labels of versions that are or recently were live.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct RenderLabels {
    team: String,
    version: String,
    outcome: &'static str,
}

#[derive(Debug)]
pub(crate) struct DocumentMetrics {
    views: Family<ViewLabels, Counter>,
    /// Counters of the document store.
    pub(crate) store: Counters,
    pub(crate) render_seconds: Histogram,
    pub(crate) render_failures: Family<ModuleLabels, Counter>,
    /// Forms answered with a built-in page.
    pub(crate) receipts: Counter,
    registry_generation: Gauge,
    registry_refusals: Counter,
    versions: Family<VersionLabels, Gauge>,
    since: Family<VersionLabels, Gauge>,
    refusals: Family<RefusalLabels, Counter>,
    rollbacks: Family<TeamLabels, Counter>,
    reporting_networks: Family<ReporterLabels, Counter>,
    emergency_built_in: Gauge,
    renders: Family<RenderLabels, Counter>,
    /// Versions in `renders`; those that left first are at the front.
    counted: Mutex<VecDeque<(String, String)>>,
}

/// Returns the process-wide page metrics. The first call registers them.
pub(crate) fn get() -> &'static DocumentMetrics {
    static METRICS: OnceLock<DocumentMetrics> = OnceLock::new();
    METRICS.get_or_init(|| service_kit::metrics::with_registry(DocumentMetrics::register))
}

impl DocumentMetrics {
    pub(crate) fn view(&self, route: &Arc<str>, status_class: &'static str) {
        let find = || {
            let route = Arc::clone(route);
            let labels = ViewLabels {
                route,
                status_class,
            };
            self.views.get_or_create_owned(&labels)
        };
        VIEWS.with_borrow_mut(|resolved| _ = resolved.get(route, status_class, find).inc());
    }

    /// Counts a refused version of a team, or a refused file as a whole.
    pub(crate) fn refused(&self, team: &str, reason: &'static str) {
        debug_assert!(REASONS.contains(&reason), "{reason} is not counted from 0");
        self.registry_refusals.inc();
        let team = team.to_owned();
        let labels = RefusalLabels { team, reason };
        self.refusals.get_or_create(&labels).inc();
    }

    pub(crate) fn rolled_back(&self, team: &str) {
        let team = team.to_owned();
        self.rollbacks.get_or_create(&TeamLabels { team }).inc();
    }

    /// Counts a network whose browsers reported failures of a version. Call it once a minute per network.
    pub(crate) fn network_reported(&self, remote: &Remote) {
        let labels = ReporterLabels::of(remote);
        self.reporting_networks.get_or_create(&labels).inc();
    }

    /// Records whether `/emergency` is the built-in page.
    pub(crate) fn set_emergency_built_in(&self, is_built_in: bool) {
        self.emergency_built_in.set(i64::from(is_built_in));
    }

    pub(crate) fn rendered(&self, remote: &Remote, outcome: &'static str) {
        let labels = RenderLabels {
            team: remote.name.clone(),
            version: remote.version.clone(),
            outcome,
        };
        self.renders.get_or_create(&labels).inc();
    }

    /// Records the new live versions and removes those of `before` that are no longer live.
    pub(crate) fn live<'a>(
        &self,
        generation: u64,
        remotes: impl Iterator<Item = (&'a Remote, &'static str)>,
        before: impl Iterator<Item = (&'a Remote, &'static str)>,
    ) {
        let labels = |(remote, role): (&Remote, _)| VersionLabels::of(remote, role);
        let before: HashSet<_> = before.map(labels).collect();
        let remotes: Vec<_> = remotes.collect();
        let now: HashSet<_> = remotes.iter().copied().map(labels).collect();
        for gone in before.difference(&now) {
            self.versions.remove(gone);
            self.since.remove(gone);
        }
        let second = SystemClock.now().timestamp();
        for new in now.difference(&before) {
            self.versions.get_or_create(new).set(1);
            self.since.get_or_create(new).set(second);
        }
        let generation = i64::try_from(generation).unwrap_or(i64::MAX);
        self.registry_generation.set(generation);
        let mut counted = self.counted.lock();
        for (remote, _) in remotes {
            self.count_from_zero(&remote.name);
            let labels = ReporterLabels::of(remote);
            drop(self.reporting_networks.get_or_create(&labels));
            let version = (remote.name.clone(), remote.version.clone());
            counted.retain(|known| *known != version);
            counted.push_back(version);
        }
        while counted.len() > VERSIONS_COUNTED_MAX {
            let Some((team, version)) = counted.pop_front() else {
                return;
            };
            self.reporting_networks.remove(&ReporterLabels {
                team: team.clone(),
                version: version.clone(),
            });
            for outcome in ["ok", "failed", "shed"] {
                let (team, version) = (team.clone(), version.clone());
                self.renders.remove(&RenderLabels {
                    team,
                    version,
                    outcome,
                });
            }
        }
    }

    /// Returns when a version went live here, in seconds since 1970.
    pub(crate) fn since(&self, remote: &Remote, role: &'static str) -> Option<i64> {
        Some(self.since.get(&VersionLabels::of(remote, role))?.get())
    }

    /// Initialises counters to zero. Prometheus cannot see the first event of a counter that starts with it.
    fn count_from_zero(&self, team: &str) {
        for reason in REASONS {
            let team = team.to_owned();
            drop(self.refusals.get_or_create(&RefusalLabels { team, reason }));
        }
        let team = team.to_owned();
        drop(self.rollbacks.get_or_create(&TeamLabels { team }));
    }

    fn register(registry: &mut Registry) -> Self {
        let cache = Family::<CacheLabels, Counter>::default();
        let result = |result| cache.get_or_create_owned(&CacheLabels { result });
        let metrics = Self {
            views: Family::default(),
            store: Counters {
                hits: result("hit"),
                stale: result("stale"),
                misses: result("miss"),
                stale_on_error: result("stale_on_error"),
                absent: result("absent"),
            },
            // 0.5 ms to 256 ms: a page takes a few, the limit is 50.
            render_seconds: Histogram::new(exponential_buckets(0.0005, 2.0, 10)),
            render_failures: Family::default(),
            receipts: Counter::default(),
            registry_generation: Gauge::default(),
            registry_refusals: Counter::default(),
            versions: Family::default(),
            since: Family::default(),
            refusals: Family::default(),
            rollbacks: Family::default(),
            reporting_networks: Family::default(),
            emergency_built_in: Gauge::default(),
            renders: Family::default(),
            counted: Mutex::default(),
        };
        registry.register(
            "page_views",
            "Documents viewed, by route and class of status; prefetched ones are not counted",
            metrics.views.clone(),
        );
        registry.register(
            "document_cache",
            "Documents requested, by result of the cache lookup; stale_on_error: failed refreshes",
            cache,
        );
        registry.register(
            "render_duration_seconds",
            "Time of one render",
            metrics.render_seconds.clone(),
        );
        registry.register(
            "render_failures",
            "Failed renders",
            metrics.render_failures.clone(),
        );
        registry.register(
            "form_receipts",
            "Native forms answered with a built-in page because their own page could not be rendered",
            metrics.receipts.clone(),
        );
        registry.register(
            "page_registry_generation",
            "Changes of the set of page modules since the process started",
            metrics.registry_generation.clone(),
        );
        registry.register(
            "page_registry_refusals",
            "Refused versions of page modules, and refused changes of remotes.json as a whole",
            metrics.registry_refusals.clone(),
        );
        metrics.register_versions(registry);
        metrics
    }

    fn register_versions(&self, registry: &mut Registry) {
        registry.register(
            "remote_version_info",
            "Live versions of page modules; role: stable or canary",
            self.versions.clone(),
        );
        registry.register(
            "remote_version_start_time_seconds",
            "Time at which a version went live, in seconds since 1970",
            self.since.clone(),
        );
        registry.register(
            "remote_refusals",
            "Refused versions of page modules, once for each reason; remotes.json: the file as a whole",
            self.refusals.clone(),
        );
        registry.register(
            "remote_rollbacks",
            "Versions rolled back because they failed too often",
            self.rollbacks.clone(),
        );
        registry.register(
            "remote_reporting_networks",
            "Networks (IPv4 /24, IPv6 /48) whose browsers reported failures of a version with the token of a document, each once a minute",
            self.reporting_networks.clone(),
        );
        registry.register(
            "emergency_page_built_in",
            "1 while /emergency is the built-in page because no page module provides it",
            self.emergency_built_in.clone(),
        );
        registry.register(
            "remote_renders",
            "Renders of page modules by outcome: ok, failed, or shed because the queue was full",
            self.renders.clone(),
        );
    }
}
