//! The server as a process sees it: real connections, real signals of readiness, faults on purpose.

mod calls;
mod operators;
mod running;
mod strangers;
mod tls;
