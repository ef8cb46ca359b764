//! Metrics of the RPC server.

use std::sync::OnceLock;

use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family},
};

use super::{latency::Latency, with_registry};

/// Metrics of the RPC server.
#[derive(Clone, Debug)]
pub(crate) struct RpcMetrics {
    pub(crate) duration_seconds: Family<RpcLabels, Latency>,
    pub(crate) refused: Family<RefusalLabels, Counter>,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
pub(crate) struct RpcLabels {
    pub(crate) method: String,
    pub(crate) code: i32,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
pub(crate) struct RefusalLabels {
    pub(crate) reason: &'static str,
}

impl RpcMetrics {
    /// Returns the process's metrics, registered on the first call.
    pub(crate) fn global() -> Self {
        static METRICS: OnceLock<RpcMetrics> = OnceLock::new();
        METRICS
            .get_or_init(|| {
                let duration_seconds = Family::<RpcLabels, Latency>::default();
                let refused = Family::<RefusalLabels, Counter>::default();
                with_registry(|registry| {
                    registry.register(
                        "rpc_server_duration_seconds",
                        "Time to answer an RPC, by method and gRPC status code",
                        duration_seconds.clone(),
                    );
                    registry.register(
                        "rpc_server_refused",
                        "Requests and connections that the server refused, by reason",
                        refused.clone(),
                    );
                });
                Self {
                    duration_seconds,
                    refused,
                }
            })
            .clone()
    }
}
