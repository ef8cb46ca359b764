//! What an operator can set of the listeners.

use std::net::SocketAddr;

use clap::Args;
use service_kit::clap_values::{count, milliseconds};

/// Addresses and limits of connections.
#[derive(Clone, Debug, Args)]
pub struct ListenConfig {
    /// Address to listen on; port 0 takes a free one.
    #[arg(long, env = "LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
    /// Milliseconds that a client has to send the head of a request (1 to 600000).
    #[arg(long, env = "HEADER_READ_TIMEOUT_MS_MAX", default_value = "15000", value_parser = milliseconds)]
    pub header_read_timeout_ms_max: u64,
    /// Open connections at most; more wait to be accepted (1 to 1000000).
    #[arg(long, env = "CONNECTIONS_MAX", default_value = "4096", value_parser = count)]
    pub connections_max: usize,
    /// Milliseconds that requests under way have to finish after a stop signal (1 to 600000).
    #[arg(long, env = "SHUTDOWN_DRAIN_MS_MAX", default_value = "10000", value_parser = milliseconds)]
    pub shutdown_drain_ms_max: u64,
}
