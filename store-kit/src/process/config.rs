//! Flags and environment variables shared by all services. An invalid value ends the process before a port is bound.

use std::{net::SocketAddr, path::PathBuf};

use clap::Parser;
use service_kit::{
    clap_values::count,
    server::ServerConfig,
    telemetry::{Identity, TelemetryConfig},
};

use super::Command;
use crate::{
    database::{Database, Limits},
    error::StoreError,
    keys::{Keys, KeysError},
    migrate::Schema,
    url::DatabaseUrl,
};

/// Configuration of a service; `A` holds the service's own flags.
#[derive(Clone, Debug, Parser)]
pub struct Config<A: clap::Args> {
    /// Address of the RPC listener. Port 0 picks a free port, which the first line of standard output reports.
    #[arg(long, env = "LISTEN")]
    pub listen: SocketAddr,

    /// Database and keys.
    #[command(flatten)]
    pub store: StoreConfig,

    /// Run on one machine without a mail server or public address; settings that production requires may be missing.
    #[arg(long, env = "DEVELOPMENT", global = true)]
    pub development: bool,

    /// Limits and listeners.
    #[command(flatten)]
    pub server: ServerConfig,

    /// Logs and traces.
    #[command(flatten)]
    pub telemetry: TelemetryConfig,

    /// The service's own flags.
    #[command(flatten)]
    pub own: A,

    /// Command to run instead of serving.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// Database and keys.
#[derive(Clone, Debug, clap::Args)]
pub struct StoreConfig {
    /// Database of this service: `sqlite:` and a file, or a `postgres:` URL.
    #[arg(long, env = "DATABASE_URL", global = true)]
    pub database_url: Option<DatabaseUrl>,

    /// TOML file with the keys of this service's database: `active`, `index_key` and a table `keys`, each key 32 random
    /// bytes in base64. Without these keys, sealed data is lost.
    #[arg(long, env = "SEAL_KEYS_FILE", global = true, value_name = "PATH")]
    pub seal_keys_file: Option<PathBuf>,

    /// Maximum connections to PostgreSQL, 1 to 1000. SQLite always has one writer and four readers.
    #[arg(long, env = "DATABASE_CONNECTIONS_MAX", default_value_t = 16,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub database_connections_max: u32,

    /// Maximum changes waiting for SQLite's writer; further ones are refused with UNAVAILABLE.
    #[arg(long, env = "WRITE_QUEUE_MAX", default_value = "1024", value_parser = count)]
    pub write_queue_max: usize,

    /// Maximum changes that SQLite's writer commits together.
    #[arg(long, env = "WRITE_BATCH_MAX", default_value = "64", value_parser = count)]
    pub write_batch_max: usize,
}

impl StoreConfig {
    /// Reads the keys of the database.
    ///
    /// # Errors
    /// When no key file is configured, or it cannot be used.
    pub fn keys(&self) -> Result<Keys, KeysError> {
        match &self.seal_keys_file {
            Some(path) => Keys::read(path),
            None => Err(KeysError::Invalid(
                "SEAL_KEYS_FILE (--seal-keys-file) must name the file of the database's keys"
                    .into(),
            )),
        }
    }

    /// Returns the address of the database.
    ///
    /// # Panics
    /// When the command was not built by [`Defaults::on`], which sets a default.
    pub fn url(&self) -> &DatabaseUrl {
        self.database_url
            .as_ref()
            .expect("the command has a default")
    }

    /// Opens the database.
    ///
    /// # Errors
    /// As [`Database::open`].
    pub async fn open(&self, schema: Schema, keys: &Keys) -> Result<Database, StoreError> {
        let limits = Limits {
            connections_max: self.database_connections_max,
            write_queue_max: self.write_queue_max,
            write_batch_max: self.write_batch_max,
        };
        Database::open(self.url(), limits, schema, keys).await
    }
}

/// Per-service values of the flags that all services have.
#[derive(Clone, Copy, Debug)]
pub struct Defaults {
    /// Name of the program in traces and in `--help`.
    pub name: &'static str,
    /// `service_kit::version!()`.
    pub version: &'static str,
    /// Owning team, in traces and metrics.
    pub team: &'static str,
    /// One sentence for `--help`.
    pub about: &'static str,
    /// Default of `--listen`.
    pub listen: &'static str,
    /// Default of `--operators-listen`.
    pub operators_listen: &'static str,
    /// Default of `--database-url`.
    pub database_url: &'static str,
}

impl Defaults {
    /// Returns the process's identity in traces and metrics.
    pub fn identity(self) -> Identity {
        Identity {
            name: self.name,
            version: self.version,
            team: self.team,
        }
    }

    /// Applies the defaults to a command.
    pub fn on(self, command: clap::Command) -> clap::Command {
        let mut command = command
            .name(self.name)
            .version(self.version)
            .about(self.about);
        for (flag, default) in [
            ("listen", self.listen),
            ("operators_listen", self.operators_listen),
            ("database_url", self.database_url),
        ] {
            if command.get_arguments().any(|known| known.get_id() == flag) {
                command =
                    command.mut_arg(flag, |known| known.default_value(default).required(false));
            }
        }
        command
    }
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory as _, FromArgMatches as _};

    use super::*;

    const DEFAULTS: Defaults = Defaults {
        name: "svc-test",
        version: "1",
        team: "test",
        about: "A test.",
        listen: "127.0.0.1:7",
        operators_listen: "127.0.0.1:8",
        database_url: "sqlite:data/test.db",
    };

    #[test]
    fn flags_have_the_service_defaults_with_and_without_a_command() {
        for arguments in [&[][..], &["migrate"], &["outbox", "dead"]] {
            let command = DEFAULTS.on(Config::<()>::command());
            let matches = command.try_get_matches_from([&["svc-test"], arguments].concat());
            let config = Config::<()>::from_arg_matches(&matches.expect("valid")).expect("valid");
            assert_eq!(config.listen.to_string(), "127.0.0.1:7");
            assert_eq!(config.store.url().to_string(), "sqlite:data/test.db");
            let operators = config.server.operators_listen.expect("an address");
            assert_eq!(operators.to_string(), "127.0.0.1:8");
        }
        DEFAULTS.on(Config::<()>::command()).debug_assert();
    }
}
