//! What an operator can set of the services behind the gateway.

use clap::Args;

use super::addresses::Upstream;

/// Where each package is served on a laptop, from the list of services in the root manifest.
const UPSTREAMS_DEFAULT: &str = env!("UPSTREAMS_DEFAULT");

/// The services behind the gateway.
#[derive(Clone, Debug, Args)]
pub struct UpstreamConfig {
    /// Where a package of the contracts is served, as package=http://host:port. Repeatable or comma separated.
    #[arg(long = "upstream", env = "UPSTREAMS", value_delimiter = ',', default_value = UPSTREAMS_DEFAULT)]
    pub upstreams: Vec<Upstream>,
}
