//! What an operator can set of the listeners.

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use clap::Args;
use service_kit::{
    clap_values::{count, milliseconds, origin},
    network::Network,
};

/// Addresses of the listeners, and limits of connections.
#[derive(Clone, Debug, Args)]
pub struct ListenConfig {
    /// Address to listen on; port 0 takes a free one.
    #[arg(long, env = "LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
    /// Address for /metrics, /healthz and /readyz with detail, over HTTP/1.1. Port 0 takes a free one. Not set: there are no
    /// metrics, and probes have the public listener only.
    #[arg(long, env = "OPERATORS_LISTEN")]
    pub operators_listen: Option<SocketAddr>,
    /// PEM file, at most 1 MiB, with the certificate of the site first and then those that lead to its authority. With it LISTEN
    /// speaks TLS only. Read at start, and again within seconds when it changes.
    #[arg(
        long,
        env = "TLS_CERTIFICATE",
        value_name = "PATH",
        requires = "tls_key"
    )]
    pub tls_certificate: Option<PathBuf>,
    /// PEM file, at most 1 MiB, with the private key of the certificate. Read when the certificate is.
    #[arg(
        long,
        env = "TLS_KEY",
        value_name = "PATH",
        requires = "tls_certificate"
    )]
    pub tls_key: Option<PathBuf>,
    /// Address that answers each request of clear-text HTTP with a redirect (308) to the same path of `REDIRECT_TO`.
    #[arg(long, env = "REDIRECT_LISTEN", requires = "redirect_to")]
    pub redirect_listen: Option<SocketAddr>,
    /// Origin of the site, for example `https://www.example.org`. Never taken from the request, which anybody can write.
    #[arg(long, env = "REDIRECT_TO", value_name = "ORIGIN", value_parser = origin, requires = "redirect_listen")]
    pub redirect_to: Option<String>,
    /// Addresses or networks of balancers, separated by commas, whose connections begin with a PROXY protocol header (version 1
    /// or 2). Nobody else's header is believed, and they must send one.
    #[arg(
        long,
        env = "PROXY_PROTOCOL_FROM",
        value_name = "NETWORK",
        value_delimiter = ','
    )]
    pub proxy_protocol_from: Vec<Network>,
    /// Open connections at most (1 to 1000000), less if the process may not open so many files. For one more, those that have
    /// waited longest without a request are closed.
    #[arg(long, env = "CONNECTIONS_MAX", default_value = "4096", value_parser = count)]
    pub connections_max: usize,
    /// Open connections of one address (IPv6: one /64 network) at most (1 to 1000000); without limit behind TRUSTED_HOPS, where
    /// each address is a proxy's. Offices and mobile carriers share an address: 256 is some forty browsers at once over HTTP/1.1
    /// and 256 over HTTP/2. For one more, the one that has waited longest is closed; up to twice as many are let in while none has waited
    /// for a second.
    #[arg(long, env = "ADDRESS_CONNECTIONS_MAX", default_value = "256", value_parser = count)]
    pub address_connections_max: usize,
    /// Milliseconds for what comes before HTTP: PROXY protocol header and TLS handshake (1 to 600000).
    #[arg(long, env = "HANDSHAKE_TIMEOUT_MS_MAX", default_value = "5000", value_parser = milliseconds)]
    pub handshake_timeout_ms_max: u64,
    /// Milliseconds that a client has to send the first byte of its first request (1 to 600000). Browsers connect ahead.
    #[arg(long, env = "FIRST_BYTE_TIMEOUT_MS_MAX", default_value = "15000", value_parser = milliseconds)]
    pub first_byte_timeout_ms_max: u64,
    /// Milliseconds that a client has to send the head of a request, from its first byte (1 to 600000).
    #[arg(long, env = "HEADER_READ_TIMEOUT_MS_MAX", default_value = "15000", value_parser = milliseconds)]
    pub header_read_timeout_ms_max: u64,
    /// Milliseconds that a body may stand still (1 to 600000). After half of it, it must have come at 1 KiB a second.
    #[arg(long, env = "BODY_IDLE_TIMEOUT_MS_MAX", default_value = "10000", value_parser = milliseconds)]
    pub body_idle_timeout_ms_max: u64,
    /// Milliseconds between two requests of a connection (1 to 600000). Longer than the minute after which balancers close theirs.
    #[arg(long, env = "KEEP_ALIVE_TIMEOUT_MS_MAX", default_value = "75000", value_parser = milliseconds)]
    pub keep_alive_timeout_ms_max: u64,
    /// Milliseconds that an answer may wait for a client that does not read, or reads less than 1 KiB a second (1 to 600000).
    #[arg(long, env = "WRITE_TIMEOUT_MS_MAX", default_value = "30000", value_parser = milliseconds)]
    pub write_timeout_ms_max: u64,
    /// Milliseconds after a stop signal in which the process is not ready, but still takes connections, until balancers have noticed
    /// (0 to 600000).
    #[arg(long, env = "LAME_DUCK_MS", default_value = "5000", value_parser = clap::value_parser!(u64).range(0..=600_000))]
    pub lame_duck_ms: u64,
    /// Milliseconds that requests under way have to finish once no more connections are taken (1 to 600000).
    #[arg(long, env = "SHUTDOWN_DRAIN_MS_MAX", default_value = "10000", value_parser = milliseconds)]
    pub shutdown_drain_ms_max: u64,
}

/// How long each stage of a connection may last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Times {
    pub(super) handshake_ms: u64,
    pub(super) first_byte_ms: u64,
    pub(super) head_ms: u64,
    pub(super) body_idle: Duration,
    pub(super) keep_alive_ms: u64,
    pub(super) write_ms: u64,
}

impl ListenConfig {
    pub(super) fn times(&self) -> Times {
        Times {
            handshake_ms: self.handshake_timeout_ms_max,
            first_byte_ms: self.first_byte_timeout_ms_max,
            head_ms: self.header_read_timeout_ms_max,
            body_idle: Duration::from_millis(self.body_idle_timeout_ms_max),
            keep_alive_ms: self.keep_alive_timeout_ms_max,
            write_ms: self.write_timeout_ms_max,
        }
    }
}
