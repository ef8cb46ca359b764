//! Refusals of the server: each is counted, and the log gets at most one line a second for all of them.

use std::{
    array,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use tokio::sync::Notify;

use crate::metrics::{RefusalLabels, RpcMetrics};

/// An overload is thousands of refusals a second; a line for each would be an overload of its own.
const LOG_INTERVAL: Duration = Duration::from_secs(1);

/// Why something was refused before, or instead of, the handler's answer.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Refusal {
    /// Every permit was taken.
    Shed,
    /// The time of the caller or of the configuration was over.
    Deadline,
    /// A web page sent it.
    Browser,
    /// Another method or content type than gRPC's.
    NotGrpc,
    /// The connection stayed silent, did not begin as HTTP/2, or TLS was not agreed upon.
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
        // There before the first one: a rate cannot see a counter that begins with 1.
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

    /// Writes the log for as long as it is polled: the first refusal at once, what follows within a second in one line.
    pub(super) async fn follow(&self) {
        loop {
            self.changed.notified().await;
            self.log();
            tokio::time::sleep(LOG_INTERVAL).await;
        }
    }

    /// Writes what has not been written yet.
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
