//! Databases of a test's own.

use std::{
    env::VarError,
    path::Path,
    sync::atomic::{AtomicU32, Ordering},
};

use sqlx::{AssertSqlSafe, Connection, PgConnection, SqliteConnection};
use store_kit::url::DatabaseUrl;
use tempfile::TempDir;

/// An empty database that goes away at the end of a test.
#[derive(Debug)]
pub struct TestDatabase {
    /// As a process gets it.
    pub url: String,
    folder: Option<TempDir>,
    admin_url: String,
    name: String,
}

/// See [`TestDatabase::disturb`].
#[derive(Debug)]
pub struct Disturbance(Option<SqliteConnection>);

/// The administration database of the server on which tests make databases of their own. A test cannot say at run time
/// that it was skipped, so without the variable it fails, and says how to get a server.
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

/// Held for what its drop does.
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

    /// A copy of a database file that an older build wrote.
    pub fn sqlite_of(file: &Path) -> Self {
        let database = Self::sqlite();
        let path = database.folder.as_ref().expect("a folder").path();
        std::fs::copy(file, path.join("test.db")).expect("the file of an older build");
        database
    }

    /// A new database with what an older build wrote, as `pg_dump --inserts` gives it.
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

    /// A new database on the server of TEST_POSTGRES_URL; panics without that variable, see [`postgres_server`].
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

    /// Does nothing for SQLite, whose file the process makes itself.
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

    /// Makes the database unusable for those who have it open: PostgreSQL lets nobody in, and of SQLite's file somebody
    /// else holds the write lock. Lasts until the guard is given to [`Self::repair`].
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

    /// Keeps everybody else away from a table of PostgreSQL until the guard is dropped.
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

    /// Runs one statement past the product's own code; gives how many rows it wrote.
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

    /// The only value of a query, read past the product's own code.
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
    fn a_test_without_a_server_fails_and_says_how_to_get_one() {
        server(Err(VarError::NotPresent));
    }
}
