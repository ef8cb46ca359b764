//! Conformance suite, run on SQLite and PostgreSQL through gRPC: requests of visitors and staff, and abuse by bots.

mod assigned;
mod audit;
mod deliveries;
mod drafts;
mod erasure;
mod events;
mod form;
mod inbox;
mod kept;
mod languages;
mod lists;
mod newsletter;
mod quarantine;
mod recorded;
mod retention;
mod robots;
mod routing;
mod self_test;
mod serving;
mod spam;
mod stopping;

pub(crate) type Bench = test_kit::bench::Bench<svc_messaging::Messaging>;
