//! The server as a process uses it: real connections, real readiness, deliberate faults.

mod calls;
mod operators;
mod running;
mod strangers;
mod tls;
