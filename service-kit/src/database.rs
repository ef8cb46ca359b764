//! Opening databases the one way that was found to keep what it acknowledges.

use std::{fmt, path::PathBuf, str::FromStr, time::Duration};

use sqlx::{
    ConnectOptions, PgPool, SqlitePool,
    postgres::{PgConnectOptions, PgPoolOptions},
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};
use tracing::Span;

/// A connection is waited for this long at most.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(3);
/// PostgreSQL ends a statement after this long, so that a request cannot hold a connection beyond its own deadline.
const STATEMENT_TIMEOUT_MS: &str = "4000";
/// PostgreSQL waits for a lock this long at most.
const LOCK_TIMEOUT_MS: &str = "3000";
/// Connections that read an SQLite file at once.
const SQLITE_READERS: u32 = 4;

/// Which database, and where.
#[derive(Clone)]
pub enum DatabaseUrl {
    /// `sqlite:` and a file's path.
    Sqlite(PathBuf),
    /// `postgres:` with everything a libpq URL may have.
    Postgres(Box<PgConnectOptions>),
}

/// `db.system.name` of OpenTelemetry's conventions.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum DatabaseKind {
    /// SQLite.
    Sqlite,
    /// PostgreSQL.
    Postgres,
}

impl DatabaseKind {
    /// The name that traces use.
    pub fn system_name(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgresql",
        }
    }
}

impl DatabaseUrl {
    /// Which database it is.
    pub fn kind(&self) -> DatabaseKind {
        match self {
            Self::Sqlite(_) => DatabaseKind::Sqlite,
            Self::Postgres(_) => DatabaseKind::Postgres,
        }
    }
}

impl FromStr for DatabaseUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some(path) = text.strip_prefix("sqlite:") {
            let path = path.strip_prefix("//").unwrap_or(path);
            if path.is_empty() || path.starts_with(':') || path.contains('?') {
                return Err("expected sqlite: and the path of a file, without parameters".into());
            }
            return Ok(Self::Sqlite(path.into()));
        }
        if text.starts_with("postgres:") || text.starts_with("postgresql:") {
            return PgConnectOptions::from_str(text)
                .map(|options| Self::Postgres(Box::new(options)))
                // The text may hold a password, so it is not repeated.
                .map_err(|_| "not a valid postgres: URL".into());
        }
        Err("expected a URL that starts with sqlite: or postgres:".into())
    }
}

impl fmt::Display for DatabaseUrl {
    /// Without user and password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => write!(f, "sqlite:{}", path.display()),
            Self::Postgres(options) => write!(
                f,
                "postgres://{}:{}/{}",
                options.get_host(),
                options.get_port(),
                options.get_database().unwrap_or_default()
            ),
        }
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Why a database could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The folder of the file cannot be made.
    #[error("cannot make the folder of {path}: {source}")]
    Folder {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The database refused.
    #[error("cannot open {url}: {source}")]
    Connect {
        /// The address without password.
        url: String,
        /// What the driver said.
        source: sqlx::Error,
    },
    /// The other kind was expected.
    #[error("{0} is not a database of the expected kind")]
    Kind(String),
}

/// SQLite takes one writer; with a pool of more, writers fail instead of waiting.
#[derive(Clone, Debug)]
pub struct SqlitePools {
    /// One connection. Transactions on it begin with `BEGIN IMMEDIATE`.
    pub write: SqlitePool,
    /// Four connections that cannot write.
    pub read: SqlitePool,
}

/// Opens an SQLite file (WAL, `synchronous=FULL`: what is acknowledged survives power loss), making it when absent.
///
/// # Errors
/// When the folder cannot be made, the file is not a database, or it cannot be opened.
pub async fn open_sqlite(url: &DatabaseUrl) -> Result<SqlitePools, OpenError> {
    let DatabaseUrl::Sqlite(path) = url else {
        return Err(OpenError::Kind(url.to_string()));
    };
    if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(|source| OpenError::Folder {
            path: path.clone(),
            source,
        })?;
    }
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(ACQUIRE_TIMEOUT)
        .disable_statement_logging();
    let connect = |source| OpenError::Connect {
        url: url.to_string(),
        source,
    };
    let write = SqlitePoolOptions::new()
        .max_connections(1)
        .min_connections(1)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .idle_timeout(None)
        .max_lifetime(None)
        .connect_with(options.clone())
        .await
        .map_err(connect)?;
    let read = SqlitePoolOptions::new()
        .max_connections(SQLITE_READERS)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .idle_timeout(None)
        .max_lifetime(None)
        .connect_with(options.read_only(true))
        .await
        .map_err(connect)?;
    Ok(SqlitePools { write, read })
}

/// Opens a PostgreSQL database with at most `connections_max` connections.
///
/// # Errors
/// When no connection can be made within 3 s.
pub async fn open_postgres(url: &DatabaseUrl, connections_max: u32) -> Result<PgPool, OpenError> {
    let DatabaseUrl::Postgres(options) = url else {
        return Err(OpenError::Kind(url.to_string()));
    };
    let options = options
        .as_ref()
        .clone()
        .options([
            ("statement_timeout", STATEMENT_TIMEOUT_MS),
            ("lock_timeout", LOCK_TIMEOUT_MS),
        ])
        .disable_statement_logging();
    PgPoolOptions::new()
        .max_connections(connections_max)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .connect_with(options)
        .await
        .map_err(|source| OpenError::Connect {
            url: url.to_string(),
            source,
        })
}

/// The client span of a database call, named by `summary` (`INSERT appointments`); never the statement's values.
/// Nothing when the request at hand is not traced.
pub fn span(summary: &'static str, kind: DatabaseKind) -> Span {
    if Span::current().is_none() {
        return Span::none();
    }
    tracing::info_span!(
        "db",
        otel.name = summary,
        otel.kind = "client",
        db.system.name = kind.system_name(),
        db.query.summary = summary,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read_or_refused() {
        assert_eq!(
            "sqlite:data/x.db".parse::<DatabaseUrl>().unwrap().kind(),
            DatabaseKind::Sqlite
        );
        assert!("sqlite::memory:".parse::<DatabaseUrl>().is_err());
        assert!("mysql://x".parse::<DatabaseUrl>().is_err());
    }

    #[test]
    fn the_password_is_never_printed() {
        let url: DatabaseUrl = "postgres://me:secret@127.0.0.1:5432/db".parse().unwrap();
        assert_eq!(url.to_string(), "postgres://127.0.0.1:5432/db");
        assert!(!format!("{url:?}").contains("secret"));
    }

    #[tokio::test]
    async fn sqlite_is_opened_so_that_it_keeps_what_it_acknowledges() {
        let folder = tempfile::tempdir().unwrap();
        let url = DatabaseUrl::Sqlite(folder.path().join("new/x.db"));
        let pools = open_sqlite(&url).await.unwrap();
        let (mode,): (String,) = sqlx::query_as("PRAGMA journal_mode")
            .fetch_one(&pools.write)
            .await
            .unwrap();
        let (sync,): (i64,) = sqlx::query_as("PRAGMA synchronous")
            .fetch_one(&pools.write)
            .await
            .unwrap();
        assert_eq!((mode.as_str(), sync), ("wal", 2));
        assert!(
            sqlx::query("CREATE TABLE t (x)")
                .execute(&pools.read)
                .await
                .is_err()
        );
    }
}
