//! Operator settings, from flags or environment. Limits are checked before a port is bound.

use clap::Args;
use gateway_cache::StoreConfig;
use gateway_documents::PagesConfig;
use gateway_edge::EdgeConfig;
use gateway_listen::ListenConfig;
use gateway_session::SessionConfig;
use gateway_upstream::UpstreamConfig;
use service_kit::auth::AuthConfig;

/// Configuration of the gateway.
#[derive(Clone, Debug, Args)]
pub struct Config {
    /// Listeners and connections.
    #[command(flatten)]
    pub listen: ListenConfig,
    /// Request limits.
    #[command(flatten)]
    pub edge: EdgeConfig,
    /// Services behind the gateway.
    #[command(flatten)]
    pub upstream: UpstreamConfig,
    /// Cache of API responses.
    #[command(flatten)]
    pub store: StoreConfig,
    /// Serves the API only. No documents are served and no page modules are read. Off by default.
    #[arg(long, env = "API_ONLY")]
    pub api_only: bool,
    /// OTLP/gRPC address for spans from browsers. The binary sets it from the telemetry configuration.
    #[arg(skip)]
    pub browser_spans_endpoint: Option<axum::http::Uri>,
    /// Authentication of calls that are not public.
    #[command(flatten)]
    pub auth: AuthConfig,
    /// Sign-in of staff.
    #[command(flatten)]
    pub session: SessionConfig,
    /// Documents and page modules.
    #[command(flatten)]
    pub pages: PagesConfig,
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
    fn defaults_include_every_listed_service() {
        let program = Program::try_parse_from(["gateway"]).unwrap();
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.toml");
        let listed = service_list::read(&manifest).unwrap();
        let found: Vec<_> = program
            .config
            .upstream
            .upstreams
            .iter()
            .map(|upstream| {
                let addresses = upstream.addresses.iter().map(ToString::to_string);
                (upstream.package.clone(), addresses.collect::<Vec<_>>())
            })
            .collect();
        let expected: Vec<_> = listed
            .iter()
            .map(|service| {
                let address = format!("http://{}/", service.address());
                (service.package.clone(), vec![address])
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
