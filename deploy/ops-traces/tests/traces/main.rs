//! The whole of ops-traces on free ports: spans go in as any OTLP exporter sends them, and are asked for as
//! the Jaeger UI asks.

mod limits;
mod process;
mod query;
mod receive;
mod running;
mod site;
mod spans;
mod ui;
