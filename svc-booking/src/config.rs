//! Configuration: flags and environment variables. A bad value ends the process before a port is bound.

use std::{net::SocketAddr, path::PathBuf};

use clap::{Parser, Subcommand};
use service_kit::{
    clap_values::count, database::DatabaseUrl, server::ServerConfig, telemetry::TelemetryConfig,
};

use crate::store::StoreLimits;

/// Departments, free times and appointments, over gRPC.
///
/// Without a command it serves. `/metrics`, `/healthz` and `/readyz` answer on the same port.
#[derive(Debug, Clone, Parser)]
#[command(version = service_kit::version!())]
pub struct Config {
    /// Address to listen on; port 0 takes a free one, which the first line of standard output tells.
    #[arg(long, env = "LISTEN", default_value = env!("SERVICE_LISTEN"))]
    pub listen: SocketAddr,
    /// Where appointments are kept: `sqlite:` and a file, or a `postgres:` URL.
    #[arg(
        long,
        env = "DATABASE_URL",
        default_value = env!("SERVICE_DATABASE_URL"),
        global = true
    )]
    pub database_url: DatabaseUrl,
    /// TOML file of departments, doctors and holidays, instead of the one that is part of the program.
    #[arg(long, env = "RESOURCES", value_name = "PATH")]
    pub resources: Option<PathBuf>,
    /// Connections to PostgreSQL, 1 to 1000. SQLite has one writer and a few readers.
    #[arg(long, env = "DATABASE_CONNECTIONS_MAX", default_value_t = 16,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub database_connections_max: u32,
    /// Bookings that may wait for SQLite's writer; more are refused with UNAVAILABLE.
    #[arg(long, env = "WRITE_QUEUE_MAX", default_value = "1024", value_parser = count)]
    pub write_queue_max: usize,
    /// Bookings that SQLite's writer commits together.
    #[arg(long, env = "WRITE_BATCH_MAX", default_value = "64", value_parser = count)]
    pub write_batch_max: usize,
    #[command(flatten)]
    pub server: ServerConfig,
    #[command(flatten)]
    pub telemetry: TelemetryConfig,
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What to do instead of serving.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Subcommand)]
pub enum Command {
    /// Bring the database's schema up to date and exit. SQLite does this at start by itself.
    Migrate,
}

impl Config {
    /// The bounds of the store.
    pub fn store_limits(&self) -> StoreLimits {
        StoreLimits {
            connections_max: self.database_connections_max,
            write_queue_max: self.write_queue_max,
            write_batch_max: self.write_batch_max,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory as _;
        Config::command().debug_assert();
    }

    #[test]
    fn bad_values_are_refused_by_name() {
        for (flag, value) in [
            ("--listen", "here"),
            ("--database-url", "mysql:x"),
            ("--database-connections-max", "0"),
            ("--write-queue-max", "0"),
            ("--write-batch-max", "many"),
        ] {
            let error = Config::try_parse_from(["svc-booking", flag, value]).expect_err(flag);
            assert!(error.to_string().contains(flag), "{error}");
        }
    }
}
