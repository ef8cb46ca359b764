//! Rate limits over real connections: real gateways, a real service behind them and a real Redis beside them.

#[expect(dead_code, reason = "other tests use the rest")]
mod announcer;
#[path = "api/contract.rs"]
mod contract;
#[path = "rate/creates.rs"]
mod creates;
#[expect(dead_code, reason = "other tests use the rest")]
#[path = "api/gateway.rs"]
mod gateway_under_test;
#[path = "api/issuer.rs"]
mod issuer;
#[expect(dead_code, reason = "other tests use the rest")]
#[path = "api/library.rs"]
mod library;
#[path = "rate/program.rs"]
mod program;
#[path = "rate/redis_server.rs"]
mod redis_server;
#[path = "rate/redis.rs"]
mod redis_shared;
#[path = "rate/staff.rs"]
mod staff;
