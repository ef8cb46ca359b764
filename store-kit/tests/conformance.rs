//! What the kit promises, on both databases.

mod conformance {
    mod files;
    pub(crate) mod fixture;
    mod interleavings;
    mod statements;
    mod work;
}
