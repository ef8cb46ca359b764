//! Answers requests that need no render: status and emergency pages, redirects, document tokens.

pub(crate) mod emergency;
pub(crate) mod lookup;
pub(crate) mod proof;
pub(crate) mod service_worker;
pub(crate) mod status;
pub(crate) mod views;
