//! What an operator can set of the limits of requests.

use std::time::Duration;

use clap::Args;
use service_kit::{
    clap_values::{count, milliseconds},
    network::Network,
};

use super::{origins::Origin, rate::RateConfig};
use crate::request::client_address::{ForwardedHeader, TrustedProxies};

/// Loopback, private (RFC 1918), link-local and unique local networks.
const TRUSTED_PROXIES_DEFAULT: &str =
    "127.0.0.0/8,::1,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,169.254.0.0/16,fe80::/10,fc00::/7";

/// Limits of requests, and whose they are.
#[derive(Clone, Debug, Args)]
pub struct EdgeConfig {
    /// Host name under which the API is also mounted at the root. Not set: the API is under /api only.
    #[arg(long, env = "API_HOST")]
    pub api_host: Option<String>,
    /// Proxies of our own in front of the gateway, 0 to 10: so many entries of the forwarded header are read at most, from the right,
    /// while TRUSTED_PROXIES has their writers. 0: none is read.
    #[arg(long, env = "TRUSTED_HOPS", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=10))]
    pub trusted_hops: u8,
    /// Addresses or networks of those proxies, separated by commas. Of another peer the header is not read, and its connections count
    /// against ADDRESS_CONNECTIONS_MAX. The default is loopback and private networks; narrow it where others can call from there.
    #[arg(
        long,
        env = "TRUSTED_PROXIES",
        value_name = "NETWORK",
        value_delimiter = ',',
        default_value = TRUSTED_PROXIES_DEFAULT
    )]
    pub trusted_proxies: Vec<Network>,
    /// The header to which those proxies append who called them. With x-forwarded-for, the scheme is read from X-Forwarded-Proto.
    #[arg(long, env = "FORWARDED_HEADER", default_value = "x-forwarded-for")]
    pub forwarded_header: ForwardedHeader,
    /// Share of reads that are traced, 0 to 1. Writes are always traced.
    #[arg(long, env = "TRACE_READ_RATIO", default_value_t = 1.0, value_parser = ratio)]
    pub trace_read_ratio: f64,
    /// Milliseconds that a request may take in all, where the contract does not say otherwise (1 to 600000).
    #[arg(long, env = "REQUEST_TIMEOUT_MS_MAX", default_value = "5000", value_parser = milliseconds)]
    pub request_timeout_ms_max: u64,
    /// Bytes of a request's body at most (1 to 1000000).
    #[arg(long, env = "BODY_BYTES_MAX", default_value = "65536", value_parser = count)]
    pub body_bytes_max: usize,
    /// Requests at work at once, without those that are answered from memory; more are answered with 503 (1 to 1000000).
    #[arg(long, env = "REQUESTS_IN_FLIGHT_MAX", default_value = "512", value_parser = count)]
    pub requests_in_flight_max: usize,
    /// Requests of one address (IPv6: one /64 network) that are not answered yet; more are answered with 429 (1 to 1000000).
    #[arg(long, env = "ADDRESS_REQUESTS_IN_FLIGHT_MAX", default_value = "128", value_parser = count)]
    pub address_requests_in_flight_max: usize,
    /// Bodies that are still arriving; more are answered with 503 (1 to 1000000).
    #[arg(long, env = "BODIES_UNFINISHED_MAX", default_value = "1024", value_parser = count)]
    pub bodies_unfinished_max: usize,
    /// Bodies of one address (IPv6: one /64 network) that are still arriving; more are answered with 429 (1 to 1000000).
    #[arg(long, env = "ADDRESS_BODIES_UNFINISHED_MAX", default_value = "32", value_parser = count)]
    pub address_bodies_unfinished_max: usize,
    /// Origins of this site's pages, such as https://hospital.example: only they may send forms and make writes. Repeatable or comma
    /// separated. Not set: the host that was called, by the scheme that was used.
    #[arg(long = "site-origin", env = "SITE_ORIGINS", value_delimiter = ',')]
    pub site_origins: Vec<Origin>,
    /// Origins of other sites whose scripts may call the API. Repeatable or comma separated.
    #[arg(long = "api-origin", env = "API_ORIGINS", value_delimiter = ',')]
    pub api_origins: Vec<Origin>,
    /// Seconds for which browsers shall insist on TLS for this host (Strict-Transport-Security; 63072000 is two years). 0: not said.
    #[arg(long, env = "HSTS_SECONDS", default_value_t = 0)]
    pub hsts_seconds: u32,
    /// Says so for every host below this one, too.
    #[arg(long, env = "HSTS_SUBDOMAINS")]
    pub hsts_subdomains: bool,
    /// How often one may call.
    #[command(flatten)]
    pub rate: RateConfig,
}

impl EdgeConfig {
    /// The proxies before this gateway.
    pub fn proxies(&self) -> TrustedProxies {
        TrustedProxies {
            hops: self.trusted_hops,
            header: self.forwarded_header,
            networks: self.trusted_proxies.clone(),
        }
    }

    /// Longest time for a request whose contract does not say otherwise.
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
