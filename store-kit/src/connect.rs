//! Connection settings of both databases, and the file of an SQLite database.

use std::{fs, os::unix::fs::PermissionsExt as _, path::Path, sync::Arc, time::Duration};

use sqlx::{
    ConnectOptions as _,
    postgres::PgConnectOptions,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous},
};

use crate::error::StoreError;

/// Time limit of a call whose request has no deadline.
pub(crate) const CALL_TIMEOUT: Duration = Duration::from_secs(4);
/// Maximum time SQLite waits for a lock held by another process. Two such waits fit into [`CALL_TIMEOUT`]: a call that
/// arrives during one wait may need a second. It still gets the busy error before its own deadline.
pub(crate) const BUSY_TIMEOUT: Duration = Duration::from_millis(1500);

/// Returns the options for opening an SQLite file.
pub(crate) fn sqlite_options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        // Rows with random keys touch many pages; with fewer checkpoints each page is written less often. 4000 pages
        // are 16 MiB.
        .pragma("wal_autocheckpoint", "4000")
        // 8 MiB, allocated on use: four times the default. With less, the indexes' upper pages would be re-read
        // constantly.
        .pragma("cache_size", "-8192")
        // Rollback data of a unit of work stays in memory. Otherwise it would spill to a temporary file, page by page,
        // beyond 64 KiB. No commit depends on it.
        .pragma("temp_store", "MEMORY")
        // Deleted content is overwritten: no data of an erased person remains in the file's free pages.
        .pragma("secure_delete", "ON")
        .foreign_keys(true)
        .busy_timeout(BUSY_TIMEOUT)
        .disable_statement_logging()
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
    use sqlx::{Connection as _, SqliteConnection};

    use super::*;

    /// Stands in for a power-cut test, which cannot run here: an acknowledged commit must be on the disk.
    #[tokio::test]
    async fn sqlite_options_make_commits_durable() {
        let folder = tempfile::tempdir().unwrap();
        let options = sqlite_options(&folder.path().join("x.db"));
        let mut connection = SqliteConnection::connect_with(&options).await.unwrap();
        let mut pragma = async |name: &str| -> String {
            let text = format!("SELECT CAST({name} AS TEXT) FROM pragma_{name}");
            let query = sqlx::query_as(sqlx::AssertSqlSafe(text));
            let (value,): (String,) = query.fetch_one(&mut connection).await.unwrap();
            value
        };
        assert_eq!(pragma("journal_mode").await, "wal");
        assert_eq!(pragma("synchronous").await, "2", "FULL");
        assert_eq!(pragma("secure_delete").await, "1");
        assert_eq!(pragma("foreign_keys").await, "1");
    }
}
