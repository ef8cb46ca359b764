//! Flags and environment of the process. A value that cannot work is refused before a port is bound.

use std::net::SocketAddr;

use clap::{Parser, Subcommand};
use service_kit::{database::DatabaseUrl, server::ServerConfig, telemetry::TelemetryConfig};

/// Scores self-assessments of health risk and stores them without any identifier of a person.
#[derive(Debug, Clone, Parser)]
#[command(name = "svc-assessment", version = service_kit::version!(), mut_arg("operators_listen", |a| a.default_value(env!("SERVICE_OPERATORS_LISTEN"))))]
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
            |arguments: &[&str]| Config::try_parse_from([&["svc-assessment"], arguments].concat());
        assert!(parse(&[]).is_ok());
        assert!(parse(&["--database-url", "sqlite:x.db", "migrate"]).is_ok());
        for bad in [
            ["--listen", "nowhere"],
            ["--database-url", "mysql:x"],
            ["--database-connections-max", "0"],
            ["--database-connections-max", "101"],
        ] {
            assert!(parse(&bad).is_err(), "{bad:?}");
        }
    }
}
