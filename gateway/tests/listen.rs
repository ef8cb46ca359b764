//! Connections, tested with raw sockets: each stage has a time limit, no client blocks others, and invalid HTTP is
//! rejected.

#[path = "listen/bodies.rs"]
mod bodies;
#[path = "listen/crowds.rs"]
mod crowds;
#[path = "listen/door.rs"]
mod door;
#[path = "listen/http2.rs"]
mod http2;
#[path = "listen/malformed.rs"]
mod malformed;
#[path = "listen/operators.rs"]
mod operators;
#[path = "listen/proxies.rs"]
mod proxies;
#[path = "listen/stages.rs"]
mod stages;
#[path = "listen/stop.rs"]
mod stop;
#[path = "listen/tls.rs"]
mod tls;
#[path = "listen/unread.rs"]
mod unread;
#[path = "listen/unread_everywhere.rs"]
mod unread_everywhere;
