//! The API over real connections: a test contract, a gRPC service that implements it, and the unmodified gateway in
//! between.

mod announcer;
#[path = "api/authorization.rs"]
mod authorization;
#[path = "api/caching.rs"]
mod caching;
#[path = "api/caller.rs"]
mod caller;
#[path = "api/changes.rs"]
mod changes;
#[path = "api/contract.rs"]
mod contract;
#[path = "api/failures.rs"]
mod failures;
#[path = "api/gateway.rs"]
mod gateway_under_test;
#[path = "api/issuer.rs"]
mod issuer;
#[path = "api/keeping.rs"]
mod keeping;
#[path = "api/languages.rs"]
mod languages;
#[path = "api/library.rs"]
mod library;
#[path = "api/limits.rs"]
mod limits;
#[path = "api/operations.rs"]
mod operations;
#[path = "api/overload.rs"]
mod overload;
#[path = "api/raw.rs"]
mod raw;
#[path = "api/repeats.rs"]
mod repeats;
#[path = "api/telemetry.rs"]
mod telemetry;
#[path = "api/tracing.rs"]
mod tracing_ids;
#[path = "api/uploads.rs"]
mod uploads;
#[path = "api/versions.rs"]
mod versions;
