//! PostgreSQL connections of finished and of abandoned calls, and of servers that are gone.

use std::{future, net::SocketAddr, time::Duration};

use futures::future::try_join_all;
use service_kit::deadline;
use store_kit::{
    database::{Database, Limits},
    error::StoreError,
    migrate::migrate,
    values,
};
use test_kit::{database::TestDatabase, keys::keys};
use tokio::{
    io,
    net::{TcpListener, TcpStream},
    sync::{mpsc, watch},
};

use super::fixture;

/// Opens a pool of one connection.
async fn open(test: &TestDatabase) -> Database {
    let limits = Limits {
        connections_max: 1,
        ..Limits::default()
    };
    fixture::open_with(test, limits, &keys()).await
}

/// Returns the process of the server that serves the connection.
async fn backend(database: &Database) -> i64 {
    fixture::value(database, "SELECT pg_backend_pid()::bigint").await
}

#[tokio::test]
async fn a_finished_call_returns_its_connection_to_the_pool() {
    let test = fixture::postgres().await;
    let database = open(&test).await;
    let before = backend(&database).await;
    fixture::execute(&database, &["SELECT 1"])
        .await
        .expect("a change");
    fixture::execute(&database, &["SELECT nothing"])
        .await
        .expect_err("no such column");
    assert_eq!(backend(&database).await, before);
    database.close().await;
    test.drop_if_exists().await;
}

#[tokio::test]
async fn an_abandoned_call_closes_its_connection() {
    let test = fixture::postgres().await;
    let database = open(&test).await;
    let before = backend(&database).await;
    let sleep =
        database.fetch_one::<(i64,)>("SELECT", "SELECT 1::bigint FROM pg_sleep(60)", values![]);
    let outcome = deadline::scope(Duration::from_millis(50), sleep).await;
    assert!(matches!(outcome, Err(StoreError::Deadline)), "{outcome:?}");
    assert_ne!(backend(&database).await, before);
    database.close().await;
    test.drop_if_exists().await;
}

/// A relay in front of PostgreSQL.
struct Relay {
    address: SocketAddr,
    lose: watch::Sender<()>,
    ended: mpsc::UnboundedReceiver<()>,
}

impl Relay {
    async fn start(server: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("its address");
        let (lose, losing) = watch::channel(());
        let (say, ended) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Ok((mut client, _)) = listener.accept().await {
                let mut server = TcpStream::connect(&server).await.expect("the server");
                let (mut losing, say) = (losing.clone(), say.clone());
                losing.mark_unchanged();
                tokio::spawn(async move {
                    tokio::select! {
                        _ = io::copy_bidirectional(&mut client, &mut server) => return,
                        _ = losing.changed() => {}
                    }
                    say.send(()).expect("the test");
                    // The client's connection stays open, and nothing more arrives on it.
                    future::pending::<()>().await;
                });
            }
        });
        Self {
            address,
            lose,
            ended,
        }
    }

    /// Loses all connections; there are `count`.
    async fn lose(&mut self, count: usize) {
        self.lose.send_replace(());
        for _ in 0..count {
            self.ended.recv().await.expect("a connection");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_after_the_silent_loss_of_all_connections_gets_a_new_one() {
    const CONNECTIONS: usize = 8;
    let test = fixture::postgres().await;
    let server = test.url.split(['@', '/']).nth(3).expect("host and port");
    let mut relay = Relay::start(server.to_owned()).await;
    let url = test.url.replace(server, &relay.address.to_string());
    migrate(&test.parsed_url(), &fixture::SCHEMA, &keys())
        .await
        .expect("a schema");
    let url = url.parse().expect("a database URL");
    let database = Database::open(&url, Limits::default(), fixture::SCHEMA, &keys())
        .await
        .expect("a database");
    let busy = "SELECT 1::bigint FROM pg_sleep(0.2)";
    let calls = (0..CONNECTIONS).map(|_| database.fetch_one::<(i64,)>("SELECT", busy, values![]));
    try_join_all(calls).await.expect("connections");
    relay.lose(CONNECTIONS).await;
    for _ in 0..CONNECTIONS {
        let answer = database.fetch_one::<(i64,)>("SELECT", "SELECT 1::bigint", values![]);
        assert_eq!(answer.await.expect("an answer"), (1,));
    }
    database.close().await;
    test.drop_if_exists().await;
}
