//! What the kit promises, on both databases.

mod conformance {
    pub(crate) mod audit;
    pub(crate) mod fixture;
    mod migrate;
    mod outbox;
    mod requests;
    mod sealed;
    mod work;
}
