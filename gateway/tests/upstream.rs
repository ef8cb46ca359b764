//! Calls while services restart, hang, fail and disappear: real servers, and a proxy that breaks the network.

#[path = "upstream/addresses.rs"]
mod addresses;
mod announcer;
#[path = "api/contract.rs"]
mod contract;
#[path = "upstream/deadlines.rs"]
mod deadlines;
#[path = "upstream/fault_proxy.rs"]
mod fault_proxy;
#[expect(dead_code, reason = "other tests use the rest of it")]
#[path = "api/gateway.rs"]
mod gateway_under_test;
#[path = "upstream/isolation.rs"]
mod isolation;
#[expect(dead_code, reason = "other tests use the rest of it")]
#[path = "api/library.rs"]
mod library;
#[path = "upstream/replica.rs"]
mod replica;
#[path = "upstream/retries.rs"]
mod retries;
#[path = "upstream/streams.rs"]
mod streams;
#[path = "upstream/tls.rs"]
mod tls;
