//! Schemas. Migrations are append-only: a newer schema than the binary's is fine, so a rollback starts; an older one makes the
//! service not ready.
//!
//! A migration runs on a connection of its own without statement or lock time-out, since building an index on a large table takes
//! as long as it takes. A second migrator waits for the first.

use std::{fs::File, os::unix::fs::OpenOptionsExt as _, path::Path, sync::Arc, time::Duration};

use async_trait::async_trait;
use sqlx::{
    Connection as _, PgConnection, PgPool, SqliteConnection, SqlitePool, migrate::Migrator,
};

use crate::{
    database::{make_sqlite_file, postgres_options, sqlite_options},
    error::StoreError,
    keys::Keys,
    sealed::SealedTable,
    sql::{Connection, Transaction},
    url::DatabaseUrl,
    values,
};

static KIT_SQLITE: Migrator = sqlx::migrate!("migrations/sqlite");
static KIT_POSTGRES: Migrator = sqlx::migrate!("migrations/postgres");
/// Where this crate notes its own migrations; a service's own are in sqlx's usual table.
const KIT_TABLE: &str = "_store_kit_migrations";
const SERVICE_TABLE: &str = "_sqlx_migrations";
/// How often a migrator of PostgreSQL asks whether the one before it has ended.
const LOCK_INTERVAL: Duration = Duration::from_millis(200);
/// How long a migration of SQLite waits for somebody else who writes.
const SQLITE_BUSY_TIMEOUT: Duration = Duration::from_mins(1);

/// What a build expects of its database.
#[derive(Clone, Copy, Debug)]
pub struct Schema {
    /// The service's migrations of SQLite.
    pub sqlite: &'static Migrator,
    /// The service's migrations of PostgreSQL.
    pub postgres: &'static Migrator,
    /// Changes of rows that SQL alone cannot make, in their order, after the migrations.
    pub backfills: &'static [&'static dyn Backfill],
    /// Where sealed fields are, for the rotation of their keys.
    pub sealed: &'static [SealedTable],
}

/// A change of existing rows that SQL alone cannot make, such as sealing what was stored in clear.
#[async_trait]
pub trait Backfill: std::fmt::Debug + Sync {
    /// Never changes.
    fn name(&self) -> &'static str;

    /// Changes some rows, at most a few hundred; gives how many there were. It is called, each time in a transaction of its own,
    /// until there are none.
    async fn step(
        &self,
        transaction: &mut Transaction<'_>,
        keys: &Keys,
    ) -> Result<usize, StoreError>;
}

/// Brings the schema up to date; harmless when it is.
///
/// # Errors
/// When the database cannot be reached or refuses.
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
            for backfill in schema.backfills {
                fill_sqlite(&mut connection, *backfill, keys).await?;
            }
            connection.close().await?;
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

/// The migrations with the setting that lets an older binary start on a newer schema.
fn of(migrator: &Migrator, table: &'static str) -> Migrator {
    let mut own = Migrator::with_migrations(migrator.iter().cloned().collect());
    own.set_ignore_missing(true);
    own.dangerous_set_table_name(table);
    own
}

/// SQLite has no lock that outlives a transaction, so a file beside the database is locked. The lock ends with the file.
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

/// Keeps other migrators away until the connection ends. Asks again and again: one who waits within a statement holds a snapshot, and
/// `CREATE INDEX CONCURRENTLY` of the one who migrates would wait for it in turn.
async fn lock_postgres(connection: &mut PgConnection) -> Result<(), StoreError> {
    // Any number that nobody else uses for an advisory lock of this database.
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
    connection: &mut SqliteConnection,
    backfill: &dyn Backfill,
    keys: &Keys,
) -> Result<(), StoreError> {
    loop {
        let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
        let is_done = step(
            &mut Transaction(Connection::Sqlite(&mut transaction)),
            backfill,
            keys,
        )
        .await?;
        transaction.commit().await?;
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
        let mut transaction = connection.begin().await?;
        let is_done = step(
            &mut Transaction(Connection::Postgres(&mut transaction)),
            backfill,
            keys,
        )
        .await?;
        transaction.commit().await?;
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
        tracing::info!(backfill = backfill.name(), rows, "rows brought up to date");
        return Ok(false);
    }
    transaction
        .execute(NOTE_BACKFILL, values![backfill.name()])
        .await?;
    Ok(true)
}

/// The newest migration of a set.
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

macro_rules! check {
    ($name:ident, $pool:ty, $kit:expr, $service:ident, $table_exists:literal) => {
        /// Whether the schema is at least that of this build, and nothing is sealed with a key that is not configured.
        pub(crate) async fn $name(
            pool: &$pool,
            schema: &Schema,
            keys: &Keys,
        ) -> Result<(), StoreError> {
            let sets = [
                (KIT_TABLE, newest(&$kit), "store-kit migration"),
                (SERVICE_TABLE, newest(schema.$service), "migration"),
            ];
            for (table, version, what) in sets {
                let (exists,): (bool,) = sqlx::query_as($table_exists)
                    .bind(table)
                    .fetch_one(pool)
                    .await?;
                require(exists, || format!("{what} {version}"))?;
                let statement =
                    format!("SELECT EXISTS (SELECT 1 FROM {table} WHERE version = $1 AND success)");
                let (present,): (bool,) = sqlx::query_as(sqlx::AssertSqlSafe(statement))
                    .bind(version)
                    .fetch_one(pool)
                    .await?;
                require(present, || format!("{what} {version}"))?;
            }
            for backfill in schema.backfills {
                let (is_done,): (bool,) = sqlx::query_as(BACKFILL_DONE)
                    .bind(backfill.name())
                    .fetch_one(pool)
                    .await?;
                require(is_done, || format!("backfill {}", backfill.name()))?;
            }
            for table in schema.sealed {
                let mut known = String::new();
                loop {
                    let next: (Option<String>,) =
                        sqlx::query_as(sqlx::AssertSqlSafe(table.next_key()))
                            .bind(&known)
                            .fetch_one(pool)
                            .await?;
                    let Some(id) = next.0 else { break };
                    keys.require(&id)?;
                    known = id;
                }
            }
            Ok(())
        }
    };
}

check!(
    check_sqlite,
    SqlitePool,
    KIT_SQLITE,
    sqlite,
    "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = $1)"
);
check!(
    check_postgres,
    PgPool,
    KIT_POSTGRES,
    postgres,
    "SELECT to_regclass($1) IS NOT NULL"
);
