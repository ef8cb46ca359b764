//! Settings of the services behind the gateway.

use std::path::PathBuf;

use clap::Args;
use service_kit::{
    clap_values::count,
    client_tls::ClientTlsFiles,
    server::tls::{certificates, private_key},
};

use super::addresses::UpstreamAddresses;

/// Local default addresses of each package, from the list of services in the root manifest.
const UPSTREAMS_DEFAULT: &str = env!("UPSTREAMS_DEFAULT");

/// The services behind the gateway.
#[derive(Clone, Debug, Args)]
pub struct UpstreamConfig {
    /// Address of a package of the contracts, as package=http://host:port, with further addresses after semicolons.
    /// Packages with the same addresses are one service. Names are resolved again every few seconds; https needs
    /// UPSTREAM_CA. Repeatable or comma separated.
    #[arg(long = "upstream", env = "UPSTREAMS", value_delimiter = ',', default_value = UPSTREAMS_DEFAULT)]
    pub upstreams: Vec<UpstreamAddresses>,
    /// Maximum concurrent calls to one service; more are refused at once with 503 (1 to 1000000).
    #[arg(long, env = "UPSTREAM_CALLS_MAX", default_value = "128", value_parser = count)]
    pub upstream_calls_max: usize,
    /// Number of these calls that are reserved for writes (0 to 1000000). At least one is open to reads.
    #[arg(long, env = "UPSTREAM_WRITES_RESERVED", default_value_t = 32, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub upstream_writes_reserved: u32,
    /// TLS to services.
    #[command(flatten)]
    pub tls: UpstreamTlsConfig,
}

/// TLS to services whose address begins with https. The files are read again for each new connection, so they can be
/// replaced. While the new files are unusable, the last good ones are used.
#[derive(Clone, Debug, Default, Args)]
pub struct UpstreamTlsConfig {
    /// PEM file, at most 1 MiB, with the CA certificates that sign the certificates of services.
    #[arg(long, env = "UPSTREAM_CA", value_name = "PATH", value_parser = certificates)]
    pub upstream_ca: Option<PathBuf>,
    /// PEM file, at most 1 MiB, with the client certificate chain that the gateway presents to services (mutual TLS),
    /// its own certificate first.
    #[arg(long, env = "UPSTREAM_CERTIFICATE", value_name = "PATH", requires = "upstream_key", value_parser = certificates)]
    pub upstream_certificate: Option<PathBuf>,
    /// PEM file, at most 1 MiB, with the private key of the client certificate.
    #[arg(long, env = "UPSTREAM_KEY", value_name = "PATH", requires = "upstream_certificate", value_parser = private_key)]
    pub upstream_key: Option<PathBuf>,
    /// Server name in the certificates of all services, if it differs from the host of the address.
    #[arg(long, env = "UPSTREAM_SERVER_NAME", value_name = "NAME")]
    pub upstream_server_name: Option<String>,
}

impl UpstreamTlsConfig {
    pub(super) fn files(&self) -> ClientTlsFiles {
        ClientTlsFiles {
            variables: "UPSTREAM",
            authorities: self.upstream_ca.clone(),
            certificate: self.upstream_certificate.clone(),
            key: self.upstream_key.clone(),
            server_name: self.upstream_server_name.clone(),
        }
    }
}
