//! Settings of the limits on requests.

use std::time::Duration;

use clap::Args;
use gateway_http::request::client_address::{ForwardedHeader, TrustedProxies};
use service_kit::{
    clap_values::{count, milliseconds},
    network::Network,
};

use super::{origins::Origin, rate::RateConfig};

/// Loopback, private (RFC 1918), link-local and unique local networks.
const TRUSTED_PROXIES_DEFAULT: &str =
    "127.0.0.0/8,::1,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,169.254.0.0/16,fe80::/10,fc00::/7";

/// Limits on requests, and how their callers are identified.
#[derive(Clone, Debug, Args)]
pub struct EdgeConfig {
    /// Host name under which the API is also mounted at the root. If not set, the API is under /api only.
    #[arg(long, env = "API_HOST")]
    pub api_host: Option<String>,
    /// Number of our own proxies in front of the gateway (0 to 10). At most this many entries of the forwarded header
    /// are read, from the right, as long as TRUSTED_PROXIES contains their writers. 0: the header is ignored.
    #[arg(long, env = "TRUSTED_HOPS", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=10))]
    pub trusted_hops: u8,
    /// Addresses or networks of those proxies, separated by commas. From other peers the header is ignored, and their
    /// connections count against ADDRESS_CONNECTIONS_MAX. The default is loopback and private networks; narrow it if
    /// other clients can connect from there.
    #[arg(
        long,
        env = "TRUSTED_PROXIES",
        value_name = "NETWORK",
        value_delimiter = ',',
        default_value = TRUSTED_PROXIES_DEFAULT
    )]
    pub trusted_proxies: Vec<Network>,
    /// Header to which those proxies append their client's address. With x-forwarded-for, the scheme is read from
    /// X-Forwarded-Proto.
    #[arg(long, env = "FORWARDED_HEADER", default_value = "x-forwarded-for")]
    pub forwarded_header: ForwardedHeader,
    /// Share of reads that are traced (0 to 1). Writes are always traced.
    #[arg(long, env = "TRACE_READ_RATIO", default_value_t = 1.0, value_parser = ratio)]
    pub trace_read_ratio: f64,
    /// Maximum milliseconds for a request, unless the contract sets another limit (1 to 600000).
    #[arg(long, env = "REQUEST_TIMEOUT_MS_MAX", default_value = "5000", value_parser = milliseconds)]
    pub request_timeout_ms_max: u64,
    /// Maximum bytes of a request's body (1 to 1000000).
    #[arg(long, env = "BODY_BYTES_MAX", default_value = "65536", value_parser = count)]
    pub body_bytes_max: usize,
    /// Maximum requests at work at once, not counting those answered from memory; more get 503 (1 to 1000000).
    #[arg(long, env = "REQUESTS_IN_FLIGHT_MAX", default_value = "512", value_parser = count)]
    pub requests_in_flight_max: usize,
    /// Maximum unanswered requests of one address (IPv6: one /64 network); more get 429 (1 to 1000000).
    #[arg(long, env = "ADDRESS_REQUESTS_IN_FLIGHT_MAX", default_value = "128", value_parser = count)]
    pub address_requests_in_flight_max: usize,
    /// Maximum bodies that are still arriving; more get 503 (1 to 1000000).
    #[arg(long, env = "BODIES_UNFINISHED_MAX", default_value = "1024", value_parser = count)]
    pub bodies_unfinished_max: usize,
    /// Maximum bodies of one address (IPv6: one /64 network) that are still arriving; more get 429 (1 to 1000000).
    #[arg(long, env = "ADDRESS_BODIES_UNFINISHED_MAX", default_value = "32", value_parser = count)]
    pub address_bodies_unfinished_max: usize,
    /// Maximum open streams of events to pages of the staff area; more get 503 (1 to 1000000). Each holds a connection, or
    /// a stream of an HTTP/2 connection.
    #[arg(long, env = "STAFF_STREAMS_MAX", default_value = "512", value_parser = count)]
    pub staff_streams_max: usize,
    /// Maximum open streams of events of one person; more get 429 (1 to 1000000). Each visible page of the staff area
    /// holds one.
    #[arg(long, env = "PERSON_STREAMS_MAX", default_value = "8", value_parser = count)]
    pub person_streams_max: usize,
    /// Milliseconds without an event after which a stream sends a comment. Below the idle limits of proxies. For tests.
    #[arg(long, hide = true, default_value = "15000", value_parser = milliseconds)]
    pub stream_heartbeat_ms: u64,
    /// Origins of this site's pages, such as https://hospital.example. Only their pages may send forms; only they and
    /// API_ORIGINS may make writes. The first is the origin of the staff area. Repeatable or comma separated. Default: the
    /// request's own scheme and host.
    #[allow(rustdoc::bare_urls, reason = "the text is also the help of the flag")]
    #[arg(long = "site-origin", env = "SITE_ORIGINS", value_delimiter = ',')]
    pub site_origins: Vec<Origin>,
    /// Origins of other sites whose scripts may call the API. Repeatable or comma separated.
    #[arg(long = "api-origin", env = "API_ORIGINS", value_delimiter = ',')]
    pub api_origins: Vec<Origin>,
    /// Seconds for which browsers must use TLS for this host (Strict-Transport-Security; 63072000 is two years). 0: the
    /// header is not sent.
    #[arg(long, env = "HSTS_SECONDS", default_value_t = 0)]
    pub hsts_seconds: u32,
    /// Extends Strict-Transport-Security to all subdomains.
    #[arg(long, env = "HSTS_SUBDOMAINS")]
    pub hsts_subdomains: bool,
    /// Rate limits.
    #[command(flatten)]
    pub rate: RateConfig,
}

impl EdgeConfig {
    /// Returns the proxies in front of this gateway.
    pub fn proxies(&self) -> TrustedProxies {
        TrustedProxies {
            hops: self.trusted_hops,
            header: self.forwarded_header,
            networks: self.trusted_proxies.clone(),
        }
    }

    /// Returns the time limit of a request whose contract sets no other.
    pub fn request_timeout(&self) -> Duration {
        Duration::from_millis(self.request_timeout_ms_max)
    }
}

fn ratio(text: &str) -> Result<f64, String> {
    text.parse::<f64>()
        .ok()
        .filter(|ratio| (0.0..=1.0).contains(ratio))
        .ok_or_else(|| "expected a number from 0 to 1".to_owned())
}
