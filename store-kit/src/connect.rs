//! Connection settings of both databases, and the file of an SQLite database.

use std::{fs, os::unix::fs::PermissionsExt as _, path::Path, sync::Arc, time::Duration};

use rusqlite::{Connection, config::DbConfig};
use sqlx::{ConnectOptions as _, postgres::PgConnectOptions, sqlite::SqliteConnectOptions};

use crate::error::StoreError;

/// Time limit of a call whose request has no deadline.
pub(crate) const CALL_TIMEOUT: Duration = Duration::from_secs(4);
/// Maximum time SQLite waits for a lock held by another process. Two such waits fit into [`CALL_TIMEOUT`]: a call that
/// arrives during one wait may need a second. It still gets the busy error before its own deadline.
pub(crate) const BUSY_TIMEOUT: Duration = Duration::from_millis(1500);

/// Settings of every connection to an SQLite file.
const SQLITE_PRAGMAS: [(&str, &str); 6] = [
    ("journal_mode", "WAL"),
    ("synchronous", "FULL"),
    // 8 MiB, allocated on use: four times the default. With less, the indexes' upper pages would be re-read constantly.
    ("cache_size", "-8192"),
    // Rollback data of a unit of work stays in memory. Otherwise it would spill to a temporary file, page by page,
    // beyond 64 KiB. No commit depends on it.
    ("temp_store", "MEMORY"),
    // Deleted content is overwritten: no data of an erased person remains in the file's free pages.
    ("secure_delete", "ON"),
    ("foreign_keys", "ON"),
];
/// Prepared statements that the writer keeps; a service has fewer.
const STATEMENTS_KEPT: usize = 256;

/// Returns the options for migrating and reading an SQLite file.
pub(crate) fn sqlite_options(path: &Path) -> SqliteConnectOptions {
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .busy_timeout(BUSY_TIMEOUT)
        .disable_statement_logging();
    SQLITE_PRAGMAS
        .into_iter()
        .fold(options, |options, (name, value)| {
            options.pragma(name, value)
        })
}

/// Opens an SQLite file for writing in the calling thread.
pub(crate) fn open_sqlite(path: &Path, busy_timeout: Duration) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(busy_timeout)?;
    for (name, value) in SQLITE_PRAGMAS {
        connection.pragma_update(None, name, value)?;
    }
    // Otherwise a statement that a partial index might serve is parsed and planned again for each new value.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_KEPT);
    Ok(connection)
}

pub(crate) fn postgres_options(options: &PgConnectOptions) -> PgConnectOptions {
    options.clone().disable_statement_logging()
}

/// Creates the file and its folder when absent, readable by the owner only. SQLite gives its other files the same mode.
pub(crate) fn make_sqlite_file(path: &Path) -> Result<(), StoreError> {
    use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
    let failed = |path: &Path| {
        let path = path.to_path_buf();
        move |source: std::io::Error| StoreError::File {
            path,
            source: Arc::new(source),
        }
    };
    if let Some(folder) = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
    {
        fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(folder)
            .map_err(failed(folder))?;
    }
    let file = fs::OpenOptions::new()
        .create(true)
        .append(true)
        .mode(0o600)
        .open(path)
        .map_err(failed(path))?;
    // A file created by an older build may be readable by others.
    file.set_permissions(fs::Permissions::from_mode(0o600))
        .map_err(failed(path))?;
    for suffix in ["-wal", "-shm"] {
        let mut beside = path.as_os_str().to_owned();
        beside.push(suffix);
        let beside = Path::new(&beside);
        if beside.exists() {
            fs::set_permissions(beside, fs::Permissions::from_mode(0o600))
                .map_err(failed(beside))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use rusqlite::StatementStatus;

    use super::*;

    /// Stands in for a power-cut test, which cannot run here: an acknowledged commit must be on the disk.
    #[test]
    fn the_writers_commits_are_durable() {
        let folder = tempfile::tempdir().unwrap();
        let connection = open_sqlite(&folder.path().join("x.db"), BUSY_TIMEOUT).unwrap();
        let pragma = |name: &str| -> String {
            let text = format!("SELECT CAST({name} AS TEXT) FROM pragma_{name}");
            connection.query_row(&text, [], |row| row.get(0)).unwrap()
        };
        assert_eq!(pragma("journal_mode"), "wal");
        assert_eq!(pragma("synchronous"), "2", "FULL");
        assert_eq!(pragma("secure_delete"), "1");
        assert_eq!(pragma("foreign_keys"), "1");
    }

    #[test]
    fn the_writers_statements_are_planned_once() {
        let folder = tempfile::tempdir().unwrap();
        let connection = open_sqlite(&folder.path().join("x.db"), BUSY_TIMEOUT).unwrap();
        connection
            .execute_batch(
                "CREATE TABLE rows (a INTEGER, b TEXT); CREATE INDEX some ON rows (a) WHERE b = 'x'",
            )
            .unwrap();
        let text = "SELECT count(*) FROM rows WHERE a = 1 AND b = ?1";
        for value in ["x", "y", "x"] {
            let mut statement = connection.prepare_cached(text).unwrap();
            let count: i64 = statement.query_row([value], |row| row.get(0)).unwrap();
            assert_eq!(count, 0);
            assert_eq!(statement.get_status(StatementStatus::RePrepare), 0);
        }
    }
}
