//! What an operator can set, by flag or environment, with limits that are checked before a port is bound.

use std::{net::SocketAddr, time::Duration};

use clap::Args;
use service_kit::{
    auth::AuthConfig,
    clap_values::{count, milliseconds},
};

use crate::{documents::PagesConfig, upstream::addresses::Upstream};

/// Where each package is served on a laptop, from the list of services in the root manifest.
const UPSTREAMS_DEFAULT: &str = env!("UPSTREAMS_DEFAULT");

/// Configuration of the gateway.
#[derive(Clone, Debug, Args)]
pub struct Config {
    /// Address to listen on; port 0 takes a free one.
    #[arg(long, env = "LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
    /// Where a package of the contracts is served, as package=http://host:port. Repeatable or comma separated.
    #[arg(long = "upstream", env = "UPSTREAMS", value_delimiter = ',', default_value = UPSTREAMS_DEFAULT)]
    pub upstreams: Vec<Upstream>,
    /// Host name under which the API is also mounted at the root. Not set: the API is under /api only.
    #[arg(long, env = "API_HOST")]
    pub api_host: Option<String>,
    /// Serves the API only: no documents, no page modules are read.
    #[arg(long, env = "API_ONLY")]
    pub api_only: bool,
    /// Proxies in front of the gateway whose X-Forwarded-For entries are trusted, 0 to 10. 0: none.
    #[arg(long, env = "TRUSTED_HOPS", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=10))]
    pub trusted_hops: u8,
    /// Share of reads that are traced, 0 to 1. Writes are always traced.
    #[arg(long, env = "TRACE_READ_RATIO", default_value_t = 1.0, value_parser = ratio)]
    pub trace_read_ratio: f64,
    /// Milliseconds that a request may take in all, where the contract does not say otherwise (1 to 600000).
    #[arg(long, env = "REQUEST_TIMEOUT_MS_MAX", default_value = "5000", value_parser = milliseconds)]
    pub request_timeout_ms_max: u64,
    /// Milliseconds that a client has to send the head of a request (1 to 600000).
    #[arg(long, env = "HEADER_READ_TIMEOUT_MS_MAX", default_value = "15000", value_parser = milliseconds)]
    pub header_read_timeout_ms_max: u64,
    /// Bytes of a request's body at most (1 to 1000000).
    #[arg(long, env = "BODY_BYTES_MAX", default_value = "65536", value_parser = count)]
    pub body_bytes_max: usize,
    /// Open connections at most; more wait to be accepted (1 to 1000000).
    #[arg(long, env = "CONNECTIONS_MAX", default_value = "4096", value_parser = count)]
    pub connections_max: usize,
    /// Requests at work at once; more are answered with 503 (1 to 1000000).
    #[arg(long, env = "REQUESTS_IN_FLIGHT_MAX", default_value = "512", value_parser = count)]
    pub requests_in_flight_max: usize,
    /// API calls that one visitor may make in any 60 seconds (1 to 1000000).
    #[arg(long, env = "VISITOR_CALLS_MAX", default_value = "10", value_parser = count)]
    pub visitor_calls_max: usize,
    /// API calls from one address (IPv6: one /64 network) in any 60 seconds (1 to 1000000).
    #[arg(long, env = "ADDRESS_CALLS_MAX", default_value = "120", value_parser = count)]
    pub address_calls_max: usize,
    /// Documents and files for one address (IPv6: one /64 network) in any 60 seconds (1 to 1000000).
    #[arg(long, env = "ADDRESS_DOCUMENTS_MAX", default_value = "600", value_parser = count)]
    pub address_documents_max: usize,
    /// Responses of the API that are kept at most (1 to 1000000).
    #[arg(long, env = "CACHE_ENTRIES_MAX", default_value = "10000", value_parser = count)]
    pub cache_entries_max: usize,
    /// Mebibytes of kept responses of the API at most (1 to 4096).
    #[arg(long, env = "CACHE_MIB_MAX", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub cache_mib_max: u32,
    /// Milliseconds that requests under way have to finish after a stop signal (1 to 600000).
    #[arg(long, env = "SHUTDOWN_DRAIN_MS_MAX", default_value = "10000", value_parser = milliseconds)]
    pub shutdown_drain_ms_max: u64,
    /// OTLP/gRPC address to which spans of browsers go. Set from the telemetry configuration by the binary.
    #[arg(skip)]
    pub browser_spans_endpoint: Option<axum::http::Uri>,
    /// Who may make the calls that are not public.
    #[command(flatten)]
    pub auth: AuthConfig,
    /// Documents and page modules.
    #[command(flatten)]
    pub pages: PagesConfig,
}

impl Config {
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Program {
        #[command(flatten)]
        config: Config,
    }

    #[test]
    fn defaults_know_every_service_of_the_list() {
        let program = Program::try_parse_from(["gateway"]).unwrap();
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.toml");
        let listed = service_list::read(&manifest).unwrap();
        let found: Vec<_> = program
            .config
            .upstreams
            .iter()
            .map(|upstream| (upstream.package.clone(), upstream.address.to_string()))
            .collect();
        let expected: Vec<_> = listed
            .iter()
            .map(|service| {
                let address = format!("http://{}/", service.address());
                (service.package.clone(), address)
            })
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn refuses_values_out_of_range() {
        for flag in [
            "--trace-read-ratio=2",
            "--trusted-hops=11",
            "--body-bytes-max=0",
            "--upstream=nonsense",
            "--request-timeout-ms-max=never",
        ] {
            assert!(
                Program::try_parse_from(["gateway", flag]).is_err(),
                "{flag}"
            );
        }
    }
}
