//! Flags and environment of the process. A value that cannot work is refused before a port is bound.

use std::{net::SocketAddr, path::PathBuf};

use clap::{Parser, Subcommand};
use service_kit::{
    auth::AuthConfig, database::DatabaseUrl, server::ServerConfig, telemetry::TelemetryConfig,
};

use crate::values::Origin;

/// Serves what visitors read: the hospital itself, its doctors and departments, services, surgeries, events, news and posts.
#[derive(Debug, Clone, Parser)]
#[command(name = "svc-content", version = service_kit::version!(), mut_arg("operators_listen", |a| a.default_value(env!("SERVICE_OPERATORS_LISTEN"))))]
pub struct Config {
    /// Address for gRPC. Port 0 takes a free one.
    #[arg(long, env = "LISTEN", default_value = env!("SERVICE_LISTEN"))]
    pub listen: SocketAddr,

    /// Database of this service: `sqlite:` and a path, or a `postgres:` URL.
    #[arg(
        long,
        env = "DATABASE_URL",
        default_value = env!("SERVICE_DATABASE_URL"),
        global = true
    )]
    pub database_url: DatabaseUrl,

    /// Most connections to PostgreSQL at once, 1 to 100. SQLite has one writer and four readers.
    #[arg(long, env = "DATABASE_CONNECTIONS_MAX", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub database_connections_max: u32,

    /// Folder with all content files: site.toml, doctors.toml and so on. Without it, those that the program was built with.
    #[arg(long, env = "CONTENT_DIR")]
    pub content_dir: Option<PathBuf>,

    /// Where visitors reach the site, for canonical addresses: http:// or https://, a host and optionally a port, without
    /// a trailing slash. Without it, the origin of site.toml.
    #[arg(long, env = "SITE_ORIGIN")]
    pub site_origin: Option<Origin>,

    #[command(flatten)]
    pub auth: AuthConfig,

    #[command(flatten)]
    pub server: ServerConfig,

    #[command(flatten)]
    pub telemetry: TelemetryConfig,

    #[command(subcommand)]
    pub command: Option<Command>,
}

#[derive(Debug, Clone, Copy, Subcommand)]
pub enum Command {
    /// Brings the database's schema up to date and exits. On SQLite, serving does it too.
    Migrate,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_cannot_work_are_refused() {
        let parse =
            |arguments: &[&str]| Config::try_parse_from([&["svc-content"], arguments].concat());
        assert!(parse(&[]).is_ok());
        assert!(parse(&["--database-url", "sqlite:x.db", "migrate"]).is_ok());
        assert!(parse(&["--jwks-url", "https://issuer.example/jwks.json"]).is_ok());
        for bad in [
            ["--listen", "nowhere"],
            ["--site-origin", "https://sampige.example/"],
            ["--database-url", "mysql:x"],
            ["--database-connections-max", "0"],
            ["--database-connections-max", "101"],
            ["--jwt-audience", ""],
            ["--jwks-url", "http://issuer.example/jwks.json"],
        ] {
            assert!(parse(&bad).is_err(), "{bad:?}");
        }
    }
}
