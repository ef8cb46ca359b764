//! What every promise is tried on: a database of its own, and the service on it.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use hospital_proto::messaging::v1::messaging_service_client::MessagingServiceClient;
use service_kit::source::{FixedClock, RandomIds};
use store_kit::{
    database::{Database, Limits},
    keys::Keys,
    migrate,
    process::{Context, Service},
};
use svc_messaging::{
    Messaging,
    store::{SCHEMA, Store},
};
use test_kit::database::TestDatabase;
use tokio::sync::watch;
use tonic::service::Routes;

/// Runs each promise on both databases. `$start` gives a [`TestDatabase`] for `true` (SQLite) and for `false`.
macro_rules! on_both_databases {
    ($start:path: $($promise:ident),+ $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $promise() {
                let database = $start(true).await;
                super::$promise($crate::bench::Bench::open(database).await).await;
            })+
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $promise() {
                let database = $start(false).await;
                super::$promise($crate::bench::Bench::open(database).await).await;
            })+
        }
    };
}
pub(crate) use on_both_databases;

/// An empty database.
pub(crate) async fn empty(is_sqlite: bool) -> TestDatabase {
    if is_sqlite {
        TestDatabase::sqlite()
    } else {
        TestDatabase::postgres().await
    }
}

pub(crate) struct Bench {
    pub(crate) test: TestDatabase,
    pub(crate) database: Database,
    pub(crate) keys: Keys,
}

impl Bench {
    /// Migrates and opens.
    pub(crate) async fn open(test: TestDatabase) -> Self {
        let keys = test_kit::keys::keys();
        let url = test.parsed_url();
        migrate::migrate(&url, &SCHEMA, &keys)
            .await
            .expect("a first migration");
        migrate::migrate(&url, &SCHEMA, &keys)
            .await
            .expect("a second one does nothing");
        let database = open(&test, &keys).await;
        Self {
            test,
            database,
            keys,
        }
    }

    pub(crate) fn is_sqlite(&self) -> bool {
        self.test.url.starts_with("sqlite:")
    }

    pub(crate) fn store(&self) -> Store {
        Store::new(self.database.clone(), self.keys.clone())
    }

    /// The RPCs, at a moment.
    pub(crate) async fn client(&self, now: DateTime<Utc>) -> MessagingServiceClient<Routes> {
        let (_, stopping) = watch::channel(false);
        let context = Context {
            database: self.database.clone(),
            keys: self.keys.clone(),
            clock: Arc::new(FixedClock::new(now)),
            ids: Arc::new(RandomIds),
            stopping,
        };
        let served = Messaging::start(&(), &context).await.expect("a service");
        MessagingServiceClient::new(served.routes)
    }

    pub(crate) async fn end(self) {
        self.database.close().await;
        self.test.drop_if_exists().await;
    }
}

pub(crate) async fn open(test: &TestDatabase, keys: &Keys) -> Database {
    Database::open(&test.parsed_url(), Limits::default(), SCHEMA, keys)
        .await
        .expect("a database")
}
