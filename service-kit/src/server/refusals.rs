//! Refusals by the server: each is counted, and all together write at most one log line per second.

use std::{
    array,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use tokio::sync::Notify;

use crate::metrics::{RefusalLabels, RpcMetrics};

/// Minimum time between log lines. An overload causes thousands of refusals per second; a line each would add to it.
const LOG_INTERVAL: Duration = Duration::from_secs(1);

/// Why a request was refused, before or instead of the handler's response.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Refusal {
    /// The concurrency limit was reached.
    Shed,
    /// The deadline of the caller or of the configuration passed.
    Deadline,
    /// A web page sent it.
    Browser,
    /// Method or content type is not gRPC's.
    NotGrpc,
    /// The connection stayed silent, did not begin as HTTP/2, or its TLS handshake failed.
    Handshake,
}

impl Refusal {
    const ALL: [Self; 5] = [
        Self::Shed,
        Self::Deadline,
        Self::Browser,
        Self::NotGrpc,
        Self::Handshake,
    ];

    fn reason(self) -> &'static str {
        match self {
            Self::Shed => "shed",
            Self::Deadline => "deadline",
            Self::Browser => "browser",
            Self::NotGrpc => "not_grpc",
            Self::Handshake => "handshake",
        }
    }
}

/// Counts since the last log line.
#[derive(Debug)]
pub(super) struct Refusals {
    counts: [AtomicU64; Refusal::ALL.len()],
    changed: Notify,
    metrics: RpcMetrics,
}

impl Refusals {
    pub(super) fn new(metrics: RpcMetrics) -> Self {
        // Created in advance: a rate cannot see a counter that starts at 1.
        for reason in Refusal::ALL.map(Refusal::reason) {
            drop(metrics.refused.get_or_create(&RefusalLabels { reason }));
        }
        Self {
            counts: array::from_fn(|_| AtomicU64::new(0)),
            changed: Notify::new(),
            metrics,
        }
    }

    pub(super) fn add(&self, refusal: Refusal) {
        let labels = RefusalLabels {
            reason: refusal.reason(),
        };
        self.metrics.refused.get_or_create(&labels).inc();
        self.counts[refusal as usize].fetch_add(1, Ordering::Relaxed);
        self.changed.notify_one();
    }

    /// Writes log lines for as long as it is polled: the first refusal immediately, further ones summed once per
    /// second.
    pub(super) async fn follow(&self) {
        loop {
            self.changed.notified().await;
            self.log();
            tokio::time::sleep(LOG_INTERVAL).await;
        }
    }

    /// Logs the counts since the last log line.
    pub(super) fn log(&self) {
        let [shed, deadline, browser, not_grpc, handshake] =
            Refusal::ALL.map(|refusal| self.counts[refusal as usize].swap(0, Ordering::Relaxed));
        if shed + deadline + browser + not_grpc + handshake > 0 {
            tracing::warn!(
                shed,
                deadline,
                browser,
                not_grpc,
                handshake,
                "requests were refused"
            );
        }
    }
}
