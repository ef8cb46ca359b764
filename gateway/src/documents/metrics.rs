//! Counters of the documents, without a word about who asked for them.

use std::{
    cell::RefCell,
    sync::{Arc, OnceLock},
};

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

use crate::{metrics::Resolved, store::Counters};

thread_local! {
    static VIEWS: RefCell<Resolved<&'static str, Counter>> = RefCell::default();
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
pub(crate) struct CacheLabels {
    result: &'static str,
}

/// Which module failed. Bounded by what is published.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
pub(crate) struct ModuleLabels {
    pub(crate) module: String,
    pub(crate) version: String,
}

/// Bounded by the routes that are published.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct ViewLabels {
    route: Arc<str>,
    status_class: &'static str,
}

#[derive(Debug)]
pub(crate) struct Metrics {
    views: Family<ViewLabels, Counter>,
    /// What the store of documents counts.
    pub(crate) store: Counters,
    pub(crate) render_seconds: Histogram,
    pub(crate) render_failures: Family<ModuleLabels, Counter>,
    /// Forms whose sender saw this process's own page.
    pub(crate) receipts: Counter,
    pub(crate) registry_generation: Gauge,
    pub(crate) registry_refusals: Counter,
}

/// The process's page metrics, registered on first use.
pub(crate) fn get() -> &'static Metrics {
    static METRICS: OnceLock<Metrics> = OnceLock::new();
    METRICS.get_or_init(|| service_kit::metrics::with_registry(Metrics::register))
}

impl Metrics {
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
        };
        registry.register(
            "page_views",
            "Documents sent to somebody who looks at them, by route and class of status; without those fetched ahead",
            metrics.views.clone(),
        );
        registry.register(
            "document_cache",
            "Documents asked for, by what the store said; stale_on_error: refreshes that failed",
            cache,
        );
        registry.register(
            "render_duration_seconds",
            "Time of one render",
            metrics.render_seconds.clone(),
        );
        registry.register(
            "render_failures",
            "Renders that failed",
            metrics.render_failures.clone(),
        );
        registry.register(
            "form_receipts",
            "Native forms answered by the gateway's own page because theirs could not be rendered",
            metrics.receipts.clone(),
        );
        registry.register(
            "page_registry_generation",
            "How often the set of page modules changed since the process started",
            metrics.registry_generation.clone(),
        );
        registry.register(
            "page_registry_refusals",
            "Changes of remotes.json that were refused because a module is broken",
            metrics.registry_refusals.clone(),
        );
        metrics
    }
}
