//! The whole of ops-traces on free ports. Spans are sent as by any OTLP exporter, and queried as by the Jaeger UI.

mod actions;
mod limits;
mod process;
mod query;
mod receive;
mod running;
mod site;
mod spans;
mod ui;
