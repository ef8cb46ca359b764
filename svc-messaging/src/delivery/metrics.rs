//! Counter of mails by kind and outcome, for `/metrics`.

use std::sync::LazyLock;

use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family},
};

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct Labels {
    kind: &'static str,
    outcome: &'static str,
}

static MAILS: LazyLock<Family<Labels, Counter>> = LazyLock::new(|| {
    let mails = Family::default();
    service_kit::metrics::with_registry(|registry| {
        registry.register(
            "mails",
            "Attempts to send a mail, by kind and outcome",
            mails.clone(),
        );
    });
    mails
});

/// Counts one attempt.
pub(super) fn count(kind: &'static str, outcome: &'static str) {
    MAILS.get_or_create(&Labels { kind, outcome }).inc();
}
