//! Schema migrations. Migrations are append-only. A schema newer than the binary's is accepted, so a rolled-back binary
//! starts. An older schema makes the service not ready.
//!
//! A migration runs on its own connection without statement or lock timeouts, because building an index on a large
//! table may take arbitrarily long. A second migrator waits for the first.

use std::{fs::File, os::unix::fs::OpenOptionsExt as _, path::Path, sync::Arc, time::Duration};

use async_trait::async_trait;
use sqlx::{Connection as _, PgConnection, SqliteConnection, migrate::Migrator};

use crate::{
    connect::{make_sqlite_file, open_sqlite, postgres_options, sqlite_options},
    error::StoreError,
    keys::Keys,
    sealed::SealedTable,
    sql::{Connection, Sql, Transaction},
    url::{DatabaseKind, DatabaseUrl},
    values,
};

static KIT_SQLITE: Migrator = sqlx::migrate!("migrations/sqlite");
static KIT_POSTGRES: Migrator = sqlx::migrate!("migrations/postgres");
/// Table of this crate's own migrations; the service's migrations are in sqlx's usual table.
const KIT_TABLE: &str = "_store_kit_migrations";
const SERVICE_TABLE: &str = "_sqlx_migrations";
/// How often a PostgreSQL migrator retries the lock that another migrator holds.
const LOCK_INTERVAL: Duration = Duration::from_millis(200);
/// Maximum time an SQLite migration waits for another writer.
const SQLITE_BUSY_TIMEOUT: Duration = Duration::from_mins(1);

/// The schema that a build expects of its database.
#[derive(Clone, Copy, Debug)]
pub struct Schema {
    /// The service's migrations for SQLite.
    pub sqlite: &'static Migrator,
    /// The service's migrations for PostgreSQL.
    pub postgres: &'static Migrator,
    /// Changes to rows that SQL alone cannot make, in order; they run after the migrations.
    pub backfills: &'static [&'static dyn Backfill],
    /// Tables with sealed fields, for key rotation.
    pub sealed: &'static [SealedTable],
}

/// A change to existing rows that SQL alone cannot make, such as sealing values stored in clear text.
#[async_trait]
pub trait Backfill: std::fmt::Debug + Sync {
    /// Returns the name, which must never change.
    fn name(&self) -> &'static str;

    /// Processes a few hundred rows at most and returns their number. Called repeatedly, each time in its own
    /// transaction, until it returns 0.
    async fn step(
        &self,
        transaction: &mut Transaction<'_>,
        keys: &Keys,
    ) -> Result<usize, StoreError>;
}

/// Brings the schema up to date; does nothing if it already is.
///
/// # Errors
/// When the database cannot be reached or rejects a statement.
pub async fn migrate(url: &DatabaseUrl, schema: &Schema, keys: &Keys) -> Result<(), StoreError> {
    match url {
        DatabaseUrl::Sqlite(path) => {
            make_sqlite_file(path)?;
            let _lock = lock(path).await?;
            let options = sqlite_options(path).busy_timeout(SQLITE_BUSY_TIMEOUT);
            let mut connection = SqliteConnection::connect_with(&options).await?;
            of(&KIT_SQLITE, KIT_TABLE)
                .run_direct(None, &mut connection, false)
                .await?;
            of(schema.sqlite, SERVICE_TABLE)
                .run_direct(None, &mut connection, false)
                .await?;
            connection.close().await?;
            let mut connection = open_sqlite(path, SQLITE_BUSY_TIMEOUT)?;
            for backfill in schema.backfills {
                fill_sqlite(&mut connection, *backfill, keys).await?;
            }
        }
        DatabaseUrl::Postgres(options) => {
            let options = postgres_options(options)
                .options([("statement_timeout", "0"), ("lock_timeout", "0")]);
            let mut connection = PgConnection::connect_with(&options).await?;
            lock_postgres(&mut connection).await?;
            of(&KIT_POSTGRES, KIT_TABLE)
                .run_direct(None, &mut connection, false)
                .await?;
            of(schema.postgres, SERVICE_TABLE)
                .run_direct(None, &mut connection, false)
                .await?;
            for backfill in schema.backfills {
                fill_postgres(&mut connection, *backfill, keys).await?;
            }
            connection.close().await?;
        }
    }
    Ok(())
}

/// Returns the migrations with the setting that lets an older binary start on a newer schema.
fn of(migrator: &Migrator, table: &'static str) -> Migrator {
    let mut own = Migrator::with_migrations(migrator.iter().cloned().collect());
    own.set_ignore_missing(true);
    own.dangerous_set_table_name(table);
    own
}

/// Locks a file beside the database, because SQLite has no lock that outlives a transaction. Closing the file releases
/// the lock.
async fn lock(database: &Path) -> Result<File, StoreError> {
    let mut path = database.as_os_str().to_owned();
    path.push("-migration");
    let locked = tokio::task::spawn_blocking(move || {
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .mode(0o600)
            .open(&path)
            .and_then(|file| file.lock().map(|()| file));
        file.map_err(|source| StoreError::File {
            path: path.into(),
            source: Arc::new(source),
        })
    });
    locked.await.map_err(|_| StoreError::Panicked)?
}

/// Keeps other migrators out until the connection ends. Polls, because a migrator blocked in a statement would hold a
/// snapshot. The active migrator's `CREATE INDEX CONCURRENTLY` would wait for that snapshot: a deadlock.
async fn lock_postgres(connection: &mut PgConnection) -> Result<(), StoreError> {
    // Arbitrary number, unused by other advisory locks of this database.
    const LOCK: &str = "SELECT pg_try_advisory_lock(7310579611)";
    loop {
        let (is_locked,): (bool,) = sqlx::query_as(LOCK).fetch_one(&mut *connection).await?;
        if is_locked {
            return Ok(());
        }
        tokio::time::sleep(LOCK_INTERVAL).await;
    }
}

const BACKFILL_DONE: &str = "SELECT EXISTS (SELECT 1 FROM backfills WHERE name = $1)";
const NOTE_BACKFILL: &str = "INSERT INTO backfills (name) VALUES ($1) ON CONFLICT DO NOTHING";

async fn fill_sqlite(
    connection: &mut rusqlite::Connection,
    backfill: &dyn Backfill,
    keys: &Keys,
) -> Result<(), StoreError> {
    loop {
        connection.execute_batch("BEGIN IMMEDIATE")?;
        let mut transaction = Transaction(Connection::Sqlite(connection));
        let is_done = step(&mut transaction, backfill, keys).await?;
        connection.execute_batch("COMMIT")?;
        if is_done {
            return Ok(());
        }
    }
}

async fn fill_postgres(
    connection: &mut PgConnection,
    backfill: &dyn Backfill,
    keys: &Keys,
) -> Result<(), StoreError> {
    loop {
        // After an error, the end of the connection rolls back.
        let mut transaction = Transaction::postgres(connection);
        let is_done = step(&mut transaction, backfill, keys).await?;
        transaction.end("COMMIT").await?;
        if is_done {
            return Ok(());
        }
    }
}

async fn step(
    transaction: &mut Transaction<'_>,
    backfill: &dyn Backfill,
    keys: &Keys,
) -> Result<bool, StoreError> {
    let (is_done,): (bool,) = transaction
        .fetch_one(BACKFILL_DONE, values![backfill.name()])
        .await?;
    if is_done {
        return Ok(true);
    }
    let rows = backfill.step(transaction, keys).await?;
    if rows > 0 {
        tracing::info!(backfill = backfill.name(), rows, "migrated rows");
        return Ok(false);
    }
    transaction
        .execute(NOTE_BACKFILL, values![backfill.name()])
        .await?;
    Ok(true)
}

/// Returns the version of the newest migration of a set.
fn newest(migrator: &Migrator) -> i64 {
    migrator
        .iter()
        .map(|migration| migration.version)
        .max()
        .unwrap_or(0)
}

fn require(present: bool, missing: impl FnOnce() -> String) -> Result<(), StoreError> {
    if present {
        Ok(())
    } else {
        Err(StoreError::NotMigrated { missing: missing() })
    }
}

/// Checks that the schema is at least this build's and that every key that sealed a row is configured. Only reads, so
/// `connection` needs no transaction.
pub(crate) async fn check(
    connection: &mut Transaction<'_>,
    schema: &Schema,
    keys: &Keys,
) -> Result<(), StoreError> {
    const TABLE_EXISTS: Sql = Sql::differing(
        "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = $1)",
        "SELECT to_regclass($1) IS NOT NULL",
    );
    let (kit, service) = match connection.kind() {
        DatabaseKind::Sqlite => (&KIT_SQLITE, schema.sqlite),
        DatabaseKind::Postgres => (&KIT_POSTGRES, schema.postgres),
    };
    for (table, version, what) in [
        (KIT_TABLE, newest(kit), "store-kit migration"),
        (SERVICE_TABLE, newest(service), "migration"),
    ] {
        let (exists,): (bool,) = connection.fetch_one(TABLE_EXISTS, values![table]).await?;
        require(exists, || format!("{what} {version}"))?;
        let applied = format!("SELECT 1 FROM {table} WHERE version = $1 AND success");
        let applied: Vec<(i32,)> = connection.fetch_text(applied, values![version]).await?;
        require(!applied.is_empty(), || format!("{what} {version}"))?;
    }
    for backfill in schema.backfills {
        let (is_done,): (bool,) = connection
            .fetch_one(BACKFILL_DONE, values![backfill.name()])
            .await?;
        require(is_done, || format!("backfill {}", backfill.name()))?;
    }
    for table in schema.sealed {
        let mut known = String::new();
        loop {
            let mut next: Vec<(Option<String>,)> = connection
                .fetch_text(table.next_key(), values![known])
                .await?;
            let Some((Some(id),)) = next.pop() else { break };
            keys.require(&id)?;
            known = id;
        }
    }
    Ok(())
}
