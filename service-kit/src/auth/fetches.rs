//! Metrics of fetches from the issuer. They appear with the first fetch, so a process without an issuer has none.

use std::sync::{LazyLock, atomic::AtomicU64};

use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family, gauge::Gauge},
};

use crate::{
    metrics::with_registry,
    source::{Clock as _, SystemClock},
};

/// Document of an issuer.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Document {
    Discovery,
    Keys,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct Labels {
    document: &'static str,
    outcome: &'static str,
}

#[derive(Debug)]
struct Fetches {
    total: Family<Labels, Counter>,
    /// 0 before the first successful fetch.
    keys_fetched: Gauge<f64, AtomicU64>,
}

static FETCHES: LazyLock<Fetches> = LazyLock::new(|| {
    let fetches = Fetches {
        total: Family::default(),
        keys_fetched: Gauge::default(),
    };
    with_registry(|registry| {
        registry.register(
            "issuer_fetches",
            "Fetches of the issuer's documents, by document (discovery, keys) and outcome (fetched, failed)",
            fetches.total.clone(),
        );
        registry.register(
            "issuer_keys_fetched_time_seconds",
            "When the issuer's keys were last fetched, in seconds since 1970; 0 if never",
            fetches.keys_fetched.clone(),
        );
    });
    fetches
});

impl Document {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Discovery => "discovery",
            Self::Keys => "keys",
        }
    }

    /// Creates the series before the first fetch ends, because `increase()` misses the first value of a new series.
    pub fn prepare(self) {
        for outcome in ["fetched", "failed"] {
            drop(FETCHES.total.get_or_create(&self.labels(outcome)));
        }
    }

    /// Counts an ended fetch.
    pub fn count(self, is_fetched: bool) {
        let outcome = if is_fetched { "fetched" } else { "failed" };
        FETCHES.total.get_or_create(&self.labels(outcome)).inc();
        if self == Self::Keys && is_fetched {
            FETCHES.keys_fetched.set(now_seconds());
        }
    }

    const fn labels(self, outcome: &'static str) -> Labels {
        Labels {
            document: self.as_str(),
            outcome,
        }
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "milliseconds since 1970 need 41 bits of 52"
)]
fn now_seconds() -> f64 {
    SystemClock.now().timestamp_millis() as f64 / 1000.0
}
