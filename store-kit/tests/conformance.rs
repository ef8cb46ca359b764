//! The guarantees of the kit, on both databases.

mod conformance {
    mod audit;
    mod audit_log;
    mod errors;
    mod files;
    pub(crate) mod fixture;
    mod interleavings;
    mod lease;
    mod metrics;
    mod migrate;
    mod outbox;
    mod races;
    mod requests;
    mod sealed;
    mod statements;
    mod work;
}
