//! Private databases for tests.

use std::{
    env::VarError,
    path::Path,
    sync::atomic::{AtomicU32, Ordering},
};

use sqlx::{AssertSqlSafe, Connection, PgConnection, SqliteConnection};
use store_kit::url::DatabaseUrl;
use tempfile::TempDir;

/// An empty database, removed at the end of a test.
#[derive(Debug)]
pub struct TestDatabase {
    /// Connection URL, in the form a program accepts.
    pub url: String,
    folder: Option<TempDir>,
    admin_url: String,
    name: String,
}

/// Guard of [`TestDatabase::disturb`].
#[derive(Debug)]
pub struct Disturbance(Option<SqliteConnection>);

/// Returns the URL of the administration database of the server on which tests create their databases. A Rust test
/// cannot report at run time that it was skipped. Without the variable the test therefore panics and explains how to
/// start a server.
pub fn postgres_server() -> String {
    server(std::env::var("TEST_POSTGRES_URL"))
}

fn server(variable: Result<String, VarError>) -> String {
    variable.unwrap_or_else(|error| {
        panic!(
            "no PostgreSQL to test on (TEST_POSTGRES_URL: {error}). \
             `cargo xtask postgres -- cargo test -p PACKAGE` starts one for a command, `cargo xtask test` for all tests"
        )
    })
}

/// Guard of [`TestDatabase::lock_table`]; dropping it releases the lock.
#[derive(Debug)]
pub struct TableLock(#[expect(dead_code, reason = "held for what its drop does")] PgConnection);

impl TestDatabase {
    pub fn sqlite() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        Self {
            url: format!("sqlite:{}", folder.path().join("test.db").display()),
            folder: Some(folder),
            admin_url: String::new(),
            name: String::new(),
        }
    }

    /// Copies a database file written by an older build.
    pub fn sqlite_of(file: &Path) -> Self {
        let database = Self::sqlite();
        let path = database.folder.as_ref().expect("a folder").path();
        std::fs::copy(file, path.join("test.db")).expect("the file of an older build");
        database
    }

    /// Creates a database from the data of an older build, a dump of `pg_dump --inserts`.
    pub async fn postgres_of(dump: &str) -> Self {
        let database = Self::postgres().await;
        let mut connection = PgConnection::connect(&database.url)
            .await
            .expect("the database");
        sqlx::raw_sql(AssertSqlSafe(dump.to_owned()))
            .execute(&mut connection)
            .await
            .expect("the dump of an older build");
        database
    }

    /// Creates a database on the server of `TEST_POSTGRES_URL`. Panics without that variable, see [`postgres_server`].
    pub async fn postgres() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let admin_url = postgres_server();
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("test_{}_{number}", std::process::id());
        let (server, _) = admin_url.rsplit_once('/').expect("a database in the URL");
        let database = Self {
            url: format!("{server}/{name}"),
            folder: None,
            admin_url,
            name,
        };
        database.drop_if_exists().await;
        database.create().await;
        database
    }

    pub fn is_sqlite(&self) -> bool {
        self.folder.is_some()
    }

    pub fn parsed_url(&self) -> DatabaseUrl {
        self.url.parse().expect("a database URL")
    }

    /// Does nothing for SQLite: the program creates the file.
    pub async fn create(&self) {
        if self.folder.is_none() {
            self.administrate(format!("CREATE DATABASE {}", self.name))
                .await;
        }
    }

    pub async fn drop_if_exists(&self) {
        if self.folder.is_none() {
            self.administrate(format!(
                "DROP DATABASE IF EXISTS {} WITH (FORCE)",
                self.name
            ))
            .await;
        }
    }

    /// Makes the database unusable for open clients. PostgreSQL refuses all connections; for SQLite another connection
    /// holds the write lock. Lasts until [`Self::repair`] receives the guard.
    pub async fn disturb(&self) -> Disturbance {
        if self.folder.is_none() {
            self.administrate(format!(
                "ALTER DATABASE {} ALLOW_CONNECTIONS false",
                self.name
            ))
            .await;
            self.administrate(format!(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{}'",
                self.name
            ))
            .await;
            return Disturbance(None);
        }
        let mut holder = SqliteConnection::connect(&self.url)
            .await
            .expect("the database");
        sqlx::query("BEGIN IMMEDIATE")
            .execute(&mut holder)
            .await
            .expect("the lock");
        Disturbance(Some(holder))
    }

    pub async fn repair(&self, Disturbance(holder): Disturbance) {
        match holder {
            Some(holder) => holder.close().await.expect("the lock is given back"),
            None => {
                self.administrate(format!(
                    "ALTER DATABASE {} ALLOW_CONNECTIONS true",
                    self.name
                ))
                .await;
            }
        }
    }

    /// Locks a PostgreSQL table exclusively until the guard is dropped.
    pub async fn lock_table(&self, table: &'static str) -> TableLock {
        let mut holder = PgConnection::connect(&self.url)
            .await
            .expect("the database");
        let sql = format!("BEGIN; LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE");
        sqlx::raw_sql(AssertSqlSafe(sql))
            .execute(&mut holder)
            .await
            .expect("the lock");
        TableLock(holder)
    }

    async fn administrate(&self, sql: String) {
        let mut server = PgConnection::connect(&self.admin_url)
            .await
            .expect("the server");
        sqlx::query(AssertSqlSafe(sql))
            .execute(&mut server)
            .await
            .expect("an administrator");
    }

    /// Runs one statement, bypassing the product's code. Returns the number of rows written.
    pub async fn execute(&self, sql: &'static str) -> u64 {
        if self.folder.is_none() {
            let mut connection = PgConnection::connect(&self.url)
                .await
                .expect("the database");
            let done = sqlx::raw_sql(sql).execute(&mut connection).await;
            return done.expect("a statement").rows_affected();
        }
        let mut connection = SqliteConnection::connect(&self.url)
            .await
            .expect("the database");
        let done = sqlx::raw_sql(sql).execute(&mut connection).await;
        done.expect("a statement").rows_affected()
    }

    /// Reads the single value of a query, bypassing the product's code.
    pub async fn scalar(&self, sql: &'static str) -> i64 {
        if self.folder.is_none() {
            let mut connection = PgConnection::connect(&self.url)
                .await
                .expect("the database");
            return sqlx::query_scalar(sql)
                .fetch_one(&mut connection)
                .await
                .expect("a value");
        }
        let mut connection = SqliteConnection::connect(&self.url)
            .await
            .expect("the database");
        sqlx::query_scalar(sql)
            .fetch_one(&mut connection)
            .await
            .expect("a value")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "cargo xtask postgres -- cargo test -p PACKAGE")]
    fn a_test_without_a_server_fails_with_instructions() {
        server(Err(VarError::NotPresent));
    }
}
