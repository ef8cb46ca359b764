//! Metrics of the listeners. Connections are counted rather than logged, because outsiders control their number.

use std::sync::OnceLock;

use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family, gauge::Gauge},
};
use service_kit::metrics::{CertificateMetrics, with_registry};

/// Reason for which the gateway ended a connection that its client had not ended.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(super) enum Closed {
    /// The PROXY protocol header or the TLS handshake took too long.
    Handshake,
    /// The PROXY protocol header or the TLS handshake failed.
    BadHandshake,
    /// No first byte arrived.
    FirstByte,
    /// The head of a request did not arrive completely.
    Head,
    /// No further request arrived.
    Idle,
    /// The client did not close the connection after its end was announced.
    Leaving,
    /// The client did not read its answer.
    Write,
    /// Closed to make room for another connection.
    MadeRoom,
    /// Its network had too many connections, all of them busy.
    AddressFull,
    /// All connections were busy, and no other network had more of them than its own.
    AllBusy,
    /// The client did not answer an HTTP/2 ping.
    Ping,
}

impl Closed {
    const ALL: [Self; 11] = [
        Self::Handshake,
        Self::BadHandshake,
        Self::FirstByte,
        Self::Head,
        Self::Idle,
        Self::Leaving,
        Self::Write,
        Self::MadeRoom,
        Self::AddressFull,
        Self::AllBusy,
        Self::Ping,
    ];

    fn reason(self) -> &'static str {
        match self {
            Self::Handshake => "handshake_timeout",
            Self::BadHandshake => "bad_handshake",
            Self::FirstByte => "first_byte_timeout",
            Self::Head => "head_timeout",
            Self::Idle => "idle_timeout",
            Self::Leaving => "leaving_timeout",
            Self::Write => "write_timeout",
            Self::MadeRoom => "made_room",
            Self::AddressFull => "address_full",
            Self::AllBusy => "all_busy",
            Self::Ping => "ping_timeout",
        }
    }
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct Labels {
    reason: &'static str,
}

/// Counters of all listeners of the process.
#[derive(Debug, Default)]
pub(super) struct ListenMetrics {
    pub(super) open: Gauge,
    pub(super) accept_errors: Counter,
    pub(super) malformed: Counter,
    pub(super) slow_bodies: Counter,
    pub(super) answers_unread: Counter,
    closed: Family<Labels, Counter>,
}

impl ListenMetrics {
    /// Returns the metrics of the process, registered at the first call.
    pub(super) fn global() -> &'static Self {
        static METRICS: OnceLock<ListenMetrics> = OnceLock::new();
        METRICS.get_or_init(|| {
            let metrics = Self::default();
            metrics.register();
            metrics
        })
    }

    fn register(&self) {
        // Created before the first increment: a rate cannot see a counter that begins with 1.
        for reason in Closed::ALL.map(Closed::reason) {
            drop(self.closed.get_or_create(&Labels { reason }));
        }
        // Created before the first increment too.
        CertificateMetrics::global();
        with_registry(|registry| {
            registry.register(
                "http_server_connections_open",
                "Open connections",
                self.open.clone(),
            );
            registry.register(
                "http_server_connections_closed",
                "Connections closed by the gateway, by reason",
                self.closed.clone(),
            );
            registry.register(
                "http_server_accept_errors",
                "Failures to accept a connection",
                self.accept_errors.clone(),
            );
            registry.register(
                "http_server_malformed",
                "Requests refused as malformed HTTP",
                self.malformed.clone(),
            );
            registry.register(
                "http_server_slow_bodies",
                "Request bodies abandoned because they arrived too slowly",
                self.slow_bodies.clone(),
            );
            registry.register(
                "http_server_answers_unread",
                "Parts of answers dropped before the client had read them: cancelled, disconnected or closed",
                self.answers_unread.clone(),
            );
        });
    }

    pub(super) fn closed(&self, reason: Closed) {
        let reason = reason.reason();
        self.closed.get_or_create(&Labels { reason }).inc();
    }
}
