//! Settings of the listeners.

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use clap::Args;
use service_kit::{
    clap_values::{count, milliseconds, origin},
    network::Network,
};

/// Addresses of the listeners, and limits on connections.
#[derive(Clone, Debug, Args)]
pub struct ListenConfig {
    /// Address to listen on; port 0 picks a free port.
    #[arg(long, env = "LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
    /// Address for /metrics, and for /healthz and /readyz with details, over HTTP/1.1; port 0 picks a free port. If not
    /// set, there are no metrics, and probes must use the public listener.
    #[arg(long, env = "OPERATORS_LISTEN")]
    pub operators_listen: Option<SocketAddr>,
    /// PEM file, at most 1 MiB, with the certificate of the site first, followed by its chain. If set, LISTEN accepts
    /// TLS only. Read at start, and again within seconds of a change.
    #[arg(
        long,
        env = "TLS_CERTIFICATE",
        value_name = "PATH",
        requires = "tls_key"
    )]
    pub tls_certificate: Option<PathBuf>,
    /// PEM file, at most 1 MiB, with the private key of the certificate. Read together with the certificate.
    #[arg(
        long,
        env = "TLS_KEY",
        value_name = "PATH",
        requires = "tls_certificate"
    )]
    pub tls_key: Option<PathBuf>,
    /// Address that redirects each clear-text HTTP request (308) to the same path of `REDIRECT_TO`.
    #[arg(long, env = "REDIRECT_LISTEN", requires = "redirect_to")]
    pub redirect_listen: Option<SocketAddr>,
    /// Origin of the site, for example `https://www.example.org`. Never taken from the request, which the client
    /// controls.
    #[arg(long, env = "REDIRECT_TO", value_name = "ORIGIN", value_parser = origin, requires = "redirect_listen")]
    pub redirect_to: Option<String>,
    /// Addresses or networks of load balancers, separated by commas, whose connections must begin with a PROXY protocol
    /// header (version 1 or 2). The header is not accepted from other peers.
    #[arg(
        long,
        env = "PROXY_PROTOCOL_FROM",
        value_name = "NETWORK",
        value_delimiter = ','
    )]
    pub proxy_protocol_from: Vec<Network>,
    /// Maximum open connections (1 to 1000000); fewer if the limit of open files is too low. To admit another, the
    /// connections that have waited longest without a request are closed. Next are those whose client does not read,
    /// then the longest busy one of the address with the most connections. If the new connection is from that address,
    /// it is refused.
    #[arg(long, env = "CONNECTIONS_MAX", default_value = "4096", value_parser = count)]
    pub connections_max: usize,
    /// Maximum open connections of one address (IPv6: one /64 network) (1 to 1000000). No limit for TRUSTED_PROXIES if
    /// TRUSTED_HOPS is set. Offices and mobile carriers share an address: 256 is some forty browsers at once over
    /// HTTP/1.1 and 256 over HTTP/2. To admit another, the one that has waited longest is closed. Up to twice as many
    /// are accepted while none has waited for a second.
    #[arg(long, env = "ADDRESS_CONNECTIONS_MAX", default_value = "256", value_parser = count)]
    pub address_connections_max: usize,
    /// Maximum milliseconds for the steps before HTTP: PROXY protocol header and TLS handshake (1 to 600000).
    #[arg(long, env = "HANDSHAKE_TIMEOUT_MS_MAX", default_value = "5000", value_parser = milliseconds)]
    pub handshake_timeout_ms_max: u64,
    /// Maximum milliseconds until the first byte of a connection's first request (1 to 600000). Browsers connect ahead
    /// of time.
    #[arg(long, env = "FIRST_BYTE_TIMEOUT_MS_MAX", default_value = "15000", value_parser = milliseconds)]
    pub first_byte_timeout_ms_max: u64,
    /// Maximum milliseconds for the head of a request, from its first byte (1 to 600000). An HTTP/2 connection without
    /// a request by then, such as one that a browser opened ahead of time, gets a GOAWAY.
    #[arg(long, env = "HEADER_READ_TIMEOUT_MS_MAX", default_value = "15000", value_parser = milliseconds)]
    pub header_read_timeout_ms_max: u64,
    /// Maximum milliseconds that a body may pause (1 to 600000). After half of that, it must have arrived at 1 KiB a
    /// second.
    #[arg(long, env = "BODY_IDLE_TIMEOUT_MS_MAX", default_value = "10000", value_parser = milliseconds)]
    pub body_idle_timeout_ms_max: u64,
    /// Maximum milliseconds between two requests of a connection (1 to 600000). The default exceeds the minute after
    /// which load balancers close theirs.
    #[arg(long, env = "KEEP_ALIVE_TIMEOUT_MS_MAX", default_value = "75000", value_parser = milliseconds)]
    pub keep_alive_timeout_ms_max: u64,
    /// Maximum milliseconds that answers may wait for a client that does not read, or reads less than 1 KiB a second (1
    /// to 600000). It does not matter whether TCP or HTTP/2 flow control holds them up. Among several answers of a
    /// connection, each must progress by 16 KiB in two to four times this period. Then the connection ends.
    #[arg(long, env = "WRITE_TIMEOUT_MS_MAX", default_value = "30000", value_parser = milliseconds)]
    pub write_timeout_ms_max: u64,
    /// Milliseconds after a stop signal in which the process is not ready but still accepts connections, until
    /// balancers have noticed (0 to 600000).
    #[arg(long, env = "LAME_DUCK_MS", default_value = "5000", value_parser = clap::value_parser!(u64).range(0..=600_000))]
    pub lame_duck_ms: u64,
    /// Maximum milliseconds for requests under way to finish once no more connections are accepted (1 to 600000).
    #[arg(long, env = "SHUTDOWN_DRAIN_MS_MAX", default_value = "10000", value_parser = milliseconds)]
    pub shutdown_drain_ms_max: u64,
}

/// Time limits of the stages of a connection.
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
