//! What the kit promises, on both databases.

mod conformance {
    pub(crate) mod fixture;
    mod work;
}
