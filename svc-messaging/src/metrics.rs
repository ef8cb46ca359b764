//! Counter of messages by kind and outcome, for `/metrics`.

use std::sync::LazyLock;

use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family},
};

/// Outcome of a received message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Accepted,
    /// Idempotent replay; no new message.
    Repeated,
    Quarantined,
    /// The sender was asked for a proof of work.
    ProofRequired,
    /// Over a rate limit, or invalid input.
    Refused,
}

impl Outcome {
    fn as_str(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Repeated => "repeated",
            Self::Quarantined => "quarantined",
            Self::ProofRequired => "proof_required",
            Self::Refused => "refused",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Labels {
    kind: &'static str,
    outcome: &'static str,
}

static MESSAGES: LazyLock<Family<Labels, Counter>> = LazyLock::new(|| {
    let messages = Family::default();
    service_kit::metrics::with_registry(|registry| {
        registry.register(
            "messages",
            "Messages received, by kind (enquiry, comment, registration, subscription, invalid) and outcome",
            messages.clone(),
        );
    });
    messages
});

/// Counts one message.
pub(crate) fn count(kind: &'static str, outcome: Outcome) {
    let labels = Labels {
        kind,
        outcome: outcome.as_str(),
    };
    MESSAGES.get_or_create(&labels).inc();
}
