//! A service's own database, opened only with settings that were found to keep acknowledged commits.
//!
//! SQLite: WAL, `synchronous=FULL`, `secure_delete`, a file that only its owner may read, one writer and four readers.
//! PostgreSQL: one pool that connects on first use, so a service starts while its database is unavailable.

use std::{sync::Arc, time::Duration};

use service_kit::deadline;
use sqlx::{PgPool, SqlitePool, postgres::PgPoolOptions, sqlite::SqlitePoolOptions};
use tracing::{Instrument as _, Span};

use crate::{
    connect::{CALL_TIMEOUT, postgres_options, sqlite_options},
    error::StoreError,
    keys::Keys,
    lease::{CONNECTION_CHECK_INTERVAL_MS, Lease, Liveness},
    metrics::{Connections, Timer, span},
    migrate::{self, Schema},
    sql::{Row, Sql, Transaction, Value, all, bind, first},
    url::{DatabaseKind, DatabaseUrl},
    work::{Decision, UnitOfWork, catch_panic},
    writer::{Bounds, Writer},
};

/// Maximum wait for a connection.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(3);
/// Time after which PostgreSQL cancels a statement, so a request cannot hold a connection beyond its own deadline.
const STATEMENT_TIMEOUT_MS: &str = "4000";
/// Maximum time PostgreSQL waits for a lock.
const LOCK_TIMEOUT_MS: &str = "3000";
/// Concurrent read connections to an SQLite file.
const SQLITE_READERS: u32 = 4;
/// Maximum attempts of a unit of work that conflicts with other transactions.
const ATTEMPTS_MAX: u32 = 5;

/// Limits of a database.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Maximum connections to PostgreSQL.
    pub connections_max: u32,
    /// Maximum units of work waiting for SQLite's writer; further ones are refused as busy.
    pub write_queue_max: usize,
    /// Maximum units of work that SQLite's writer commits together.
    pub write_batch_max: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections_max: 16,
            write_queue_max: 1024,
            write_batch_max: 64,
        }
    }
}

/// An open database. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Database(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    pools: Pools,
    schema: Schema,
    keys: Keys,
}

#[derive(Debug)]
enum Pools {
    Sqlite { writer: Writer, readers: SqlitePool },
    Postgres(PgPool),
}

impl Pools {
    /// Returns how many connections are open. Excludes SQLite's writer, which always has one.
    fn connections(&self) -> Connections {
        let (open, idle, max) = match self {
            Self::Sqlite { readers, .. } => {
                let max = readers.options().get_max_connections();
                (readers.size(), readers.num_idle(), max)
            }
            Self::Postgres(pool) => {
                let max = pool.options().get_max_connections();
                (pool.size(), pool.num_idle(), max)
            }
        };
        Connections::new(open, idle, max)
    }
}

/// Checks the schema; writes nothing. On SQLite this also shows that the writer can write.
struct Check {
    schema: Schema,
    keys: Keys,
}

#[async_trait::async_trait]
impl UnitOfWork for Check {
    type Outcome = ();

    async fn run(&self, transaction: &mut Transaction<'_>) -> Result<Decision<()>, StoreError> {
        migrate::check(transaction, &self.schema, &self.keys).await?;
        Ok(Decision::Rollback(()))
    }
}

impl Database {
    /// Opens a database. An SQLite file is created if absent and migrated to `schema`. PostgreSQL is connected on first
    /// use and must have been migrated already: see [`Self::ready`].
    ///
    /// # Errors
    /// When the file cannot be created, is not a database, cannot be migrated, or holds rows sealed with a key that is
    /// not configured.
    pub async fn open(
        url: &DatabaseUrl,
        limits: Limits,
        schema: Schema,
        keys: &Keys,
    ) -> Result<Self, StoreError> {
        let pools = match url {
            DatabaseUrl::Sqlite(path) => {
                migrate::migrate(url, &schema, keys).await?;
                let readers = SqlitePoolOptions::new()
                    .max_connections(SQLITE_READERS)
                    .acquire_timeout(ACQUIRE_TIMEOUT)
                    .idle_timeout(None)
                    .max_lifetime(None)
                    .connect_with(sqlite_options(path).read_only(true))
                    .await?;
                let bounds = Bounds {
                    queue_max: limits.write_queue_max,
                    batch_max: limits.write_batch_max,
                };
                Pools::Sqlite {
                    writer: Writer::start(path, bounds)?,
                    readers,
                }
            }
            DatabaseUrl::Postgres(options) => {
                let options = postgres_options(options).options([
                    ("statement_timeout", STATEMENT_TIMEOUT_MS),
                    ("lock_timeout", LOCK_TIMEOUT_MS),
                    (
                        "client_connection_check_interval",
                        CONNECTION_CHECK_INTERVAL_MS,
                    ),
                ]);
                let liveness = Arc::new(Liveness::default());
                let pool = PgPoolOptions::new()
                    .max_connections(limits.connections_max)
                    .acquire_timeout(ACQUIRE_TIMEOUT)
                    // The pool's own test waits for the answer until the call has no time left.
                    .test_before_acquire(false)
                    .before_acquire(move |connection, meta| {
                        let liveness = Arc::clone(&liveness);
                        Box::pin(async move { Ok(liveness.of(connection, meta.idle_for).await) })
                    })
                    .connect_lazy_with(options);
                Pools::Postgres(pool)
            }
        };
        let database = Self(Arc::new(Inner {
            pools,
            schema,
            keys: keys.clone(),
        }));
        if database.kind() == DatabaseKind::Sqlite {
            database.ready().await?;
        }
        let inner = Arc::downgrade(&database.0);
        Connections::watch(move || inner.upgrade().map(|inner| inner.pools.connections()));
        Ok(database)
    }

    /// Returns which database this is.
    pub fn kind(&self) -> DatabaseKind {
        match self.0.pools {
            Pools::Sqlite { .. } => DatabaseKind::Sqlite,
            Pools::Postgres(_) => DatabaseKind::Postgres,
        }
    }

    /// Returns the schema that this build expects.
    pub fn schema(&self) -> &Schema {
        &self.0.schema
    }

    /// Runs a unit of work atomically, within the request's remaining time. `summary` names its span
    /// (`INSERT appointments`) and never contains a value.
    pub async fn write<W: UnitOfWork>(
        &self,
        summary: &'static str,
        work: W,
    ) -> Result<W::Outcome, StoreError> {
        let write = Box::pin(async {
            match &self.0.pools {
                Pools::Sqlite { writer, .. } => writer.write(work, Span::current()).await,
                Pools::Postgres(pool) => write_postgres(pool, &work).await,
            }
        });
        self.observed(summary, write).await
    }

    /// Returns all rows of a query. The query must limit their number.
    pub async fn fetch_all<T: Row>(
        &self,
        summary: &'static str,
        sql: impl Into<Sql>,
        values: Vec<Value>,
    ) -> Result<Vec<T>, StoreError> {
        let sql = sql.into().on(self.kind());
        let fetch = Box::pin(async {
            Ok(match &self.0.pools {
                Pools::Sqlite { readers, .. } => {
                    let query = bind!(sqlx::query(sql), values);
                    all(&query.fetch_all(readers).await?)?
                }
                Pools::Postgres(pool) => {
                    let mut lease = Lease::of(pool).await?;
                    let query = bind!(sqlx::query(sql), values);
                    let rows = query.fetch_all(lease.connection()).await;
                    all(&lease.over(rows)?)?
                }
            })
        });
        self.observed(summary, fetch).await
    }

    /// Returns the first row of a query, if any.
    pub async fn fetch_optional<T: Row>(
        &self,
        summary: &'static str,
        sql: impl Into<Sql>,
        values: Vec<Value>,
    ) -> Result<Option<T>, StoreError> {
        let sql = sql.into().on(self.kind());
        let fetch = Box::pin(async {
            Ok(match &self.0.pools {
                Pools::Sqlite { readers, .. } => {
                    let query = bind!(sqlx::query(sql), values);
                    first(query.fetch_optional(readers).await?.as_ref())?
                }
                Pools::Postgres(pool) => {
                    let mut lease = Lease::of(pool).await?;
                    let query = bind!(sqlx::query(sql), values);
                    let row = query.fetch_optional(lease.connection()).await;
                    first(lease.over(row)?.as_ref())?
                }
            })
        });
        self.observed(summary, fetch).await
    }

    /// Returns the only row of a query that always has one.
    pub async fn fetch_one<T: Row>(
        &self,
        summary: &'static str,
        sql: impl Into<Sql>,
        values: Vec<Value>,
    ) -> Result<T, StoreError> {
        self.fetch_optional(summary, sql, values)
            .await?
            .ok_or_else(|| sqlx::Error::RowNotFound.into())
    }

    /// Runs a call within the request's remaining time, with a span and a duration metric.
    async fn observed<T>(
        &self,
        summary: &'static str,
        call: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        let timer = Timer::start(summary, self.kind());
        let outcome = in_time(call.instrument(span(summary, self.kind()))).await;
        timer.end(&outcome);
        outcome
    }

    /// Checks that a change could be written now. The schema must be at least this build's, and every key that sealed a
    /// row must be configured. A newer schema is accepted: migrations must keep older code working.
    pub async fn ready(&self) -> Result<(), StoreError> {
        let check = Check {
            schema: self.0.schema,
            keys: self.0.keys.clone(),
        };
        match &self.0.pools {
            Pools::Sqlite { writer, .. } => writer.write(check, Span::none()).await,
            Pools::Postgres(pool) => try_postgres(pool, &check).await,
        }
    }

    /// Finishes accepted work and closes the connections.
    pub async fn close(&self) {
        match &self.0.pools {
            Pools::Sqlite { writer, readers } => {
                writer.close().await;
                readers.close().await;
            }
            Pools::Postgres(pool) => pool.close().await,
        }
    }
}

/// Limits a call to the request's remaining time, or to [`CALL_TIMEOUT`] without a deadline. Callers box `call`: sqlx's
/// futures take about 17 KB, which each caller's future would otherwise include.
async fn in_time<T>(call: impl Future<Output = Result<T, StoreError>>) -> Result<T, StoreError> {
    let limit = deadline::remaining().unwrap_or(CALL_TIMEOUT);
    tokio::time::timeout(limit, call)
        .await
        .unwrap_or(Err(StoreError::Deadline))
}

async fn write_postgres<W: UnitOfWork>(pool: &PgPool, work: &W) -> Result<W::Outcome, StoreError> {
    let mut attempt = 1;
    loop {
        match try_postgres(pool, work).await {
            Err(error) if error.is_conflict() && attempt < ATTEMPTS_MAX => attempt += 1,
            outcome => return outcome,
        }
    }
}

async fn try_postgres<W: UnitOfWork>(pool: &PgPool, work: &W) -> Result<W::Outcome, StoreError> {
    // The connection is closed, which rolls back, if the call is dropped early or the transaction cannot be ended.
    let mut lease = Lease::of(pool).await?;
    let mut transaction = Transaction::postgres(lease.connection());
    let outcome = match catch_panic(work.run(&mut transaction)).await {
        Ok(Decision::Commit(outcome)) => transaction.end("COMMIT").await.map(|()| Ok(outcome)),
        Ok(Decision::Rollback(outcome)) => transaction.end("ROLLBACK").await.map(|()| Ok(outcome)),
        Err(error) => match transaction.end("ROLLBACK").await {
            Ok(()) => Ok(Err(error)),
            Err(_) => Err(error),
        },
    };
    lease.over(outcome?)
}
