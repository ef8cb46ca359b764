//! Metrics of the rate limits, without any data about callers.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    sync::OnceLock,
};

use gateway_http::request::client_address::ClientNetwork;
use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family, gauge::Gauge},
    registry::Registry,
};

use super::{
    local::Census,
    quotas::{Class, Limit, limits},
};

/// Class of a refused call, and the limit that refused it: seven classes and twelve limits.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct RefusalLabels {
    class: &'static str,
    limit: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct LimitLabels {
    limit: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct OutcomeLabels {
    outcome: &'static str,
}

#[derive(Debug, Default)]
pub(crate) struct RateMetrics {
    refused: Family<RefusalLabels, Counter>,
    exhausted: Family<LimitLabels, Gauge>,
    keys: Gauge,
    uncounted: Counter,
    redis: Family<OutcomeLabels, Counter>,
    redis_connected: Gauge,
}

/// Returns the metrics of the process, registered on first use.
pub(crate) fn get() -> &'static RateMetrics {
    static METRICS: OnceLock<RateMetrics> = OnceLock::new();
    METRICS.get_or_init(|| service_kit::metrics::with_registry(RateMetrics::register))
}

impl RateMetrics {
    fn register(registry: &mut Registry) -> Self {
        let metrics = Self::default();
        metrics.begin();
        registry.register(
            "http_server_rate_limited",
            "Requests refused by rate limits, by class of the call and by each exhausted limit",
            metrics.refused.clone(),
        );
        registry.register(
            "rate_limit_exhausted_keys",
            "Visitors, networks and subjects that have exhausted a limit, as seen by this gateway; for creates_*: a burst",
            metrics.exhausted.clone(),
        );
        registry.register(
            "rate_limit_keys",
            "Visitors, networks and subjects with remembered calls",
            metrics.keys.clone(),
        );
        registry.register(
            "rate_limit_uncounted",
            "Calls not counted by a limit because the table is full and no key can be evicted",
            metrics.uncounted.clone(),
        );
        registry.register(
            "rate_limit_redis_calls",
            "Rate limit checks by Redis, by outcome: decided, late, error; or skipped, because the connection is lost or too many checks wait",
            metrics.redis.clone(),
        );
        registry.register(
            "rate_limit_redis_connected",
            "1 while rates are counted in Redis",
            metrics.redis_connected.clone(),
        );
        metrics
    }

    /// Creates a counter for every possible refusal: a rate cannot see a counter that begins with 1.
    fn begin(&self) {
        let networks = [
            IpAddr::from(Ipv4Addr::LOCALHOST),
            Ipv6Addr::LOCALHOST.into(),
        ];
        for network in networks.map(ClientNetwork::from) {
            for class in Class::ALL {
                for limit in limits(class, network) {
                    let labels = RefusalLabels {
                        class: class.label(),
                        limit: limit.label(),
                    };
                    drop(self.refused.get_or_create(&labels));
                }
            }
        }
    }

    pub(crate) fn refused(&self, class: Class, limit: Limit) {
        let labels = RefusalLabels {
            class: class.label(),
            limit: limit.label(),
        };
        self.refused.get_or_create(&labels).inc();
    }

    pub(crate) fn redis(&self, outcome: &'static str) {
        self.redis.get_or_create(&OutcomeLabels { outcome }).inc();
    }

    pub(crate) fn redis_connected(&self, is_connected: bool) {
        self.redis_connected.set(i64::from(is_connected));
    }

    /// Publishes the totals of all shards.
    pub(crate) fn census(&self, shards: &[Census], uncounted: u64) {
        let gauge = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        self.keys.set(gauge(shards.iter().map(|s| s.keys).sum()));
        for limit in Limit::ALL {
            let exhausted = shards.iter().map(|s| s.exhausted[limit.index()]).sum();
            let labels = LimitLabels {
                limit: limit.label(),
            };
            self.exhausted.get_or_create(&labels).set(gauge(exhausted));
        }
        self.uncounted.inc_by(uncounted);
    }
}
