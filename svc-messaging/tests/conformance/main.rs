//! One suite, run on SQLite and on PostgreSQL through gRPC: what visitors and staff ask for, and what robots try.

mod deliveries;
mod erasure;
mod form;
mod inbox;
mod kept;
mod newsletter;
mod quarantine;
mod recorded;
mod retention;
mod robots;
mod routing;
mod serving;
mod spam;

pub(crate) type Bench = test_kit::bench::Bench<svc_messaging::Messaging>;
