//! What the kit promises, on both databases.

mod conformance {
    mod errors;
    mod files;
    pub(crate) mod fixture;
    mod interleavings;
    mod requests;
    mod statements;
    mod work;
}
