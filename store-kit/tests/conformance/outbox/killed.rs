//! A worker process that is repeatedly killed during its deliveries.

use std::{
    collections::BTreeMap,
    process::Stdio,
    sync::{Arc, Mutex},
    time::Duration,
};

use async_trait::async_trait;
use service_kit::source::{Clock as _, RandomIds, SystemClock};
use store_kit::{
    database::{Database, Limits},
    outbox::{self, DEFAULT_LANE, Deliver, DeliveryError, Lane, Message, Pace, Worker},
};
use test_kit::{database::TestDatabase, keys};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::{TcpListener, TcpStream},
    process::{Child, Command},
    sync::watch,
};
use uuid::Uuid;

use super::{
    super::fixture::{SCHEMA, on_both, open, until},
    message, run,
};

on_both!(every_message_arrives_although_workers_are_killed);

const MESSAGES: usize = 1000;
const KILLS: usize = 5;
const CONCURRENCY: usize = 8;
/// The test starts itself as the worker, with these variables naming the database and the receiver.
const WORKER: &str =
    "conformance::outbox::killed::every_message_arrives_although_workers_are_killed::sqlite";
const DATABASE: &str = "KILLED_WORKER_DATABASE";
const ADDRESS: &str = "KILLED_WORKER_ADDRESS";

/// Sends a line with the id and waits for a line that acknowledges it.
#[derive(Debug)]
struct Line(String);

#[async_trait]
impl Deliver for Line {
    async fn deliver(&self, message: &Message) -> Result<(), DeliveryError> {
        let deliver = async {
            let mut stream = TcpStream::connect(&self.0).await?;
            stream
                .write_all(format!("{}\n", message.id).as_bytes())
                .await?;
            let mut answer = String::new();
            stream.read_to_string(&mut answer).await?;
            Ok::<_, std::io::Error>(answer)
        };
        match deliver.await {
            Ok(answer) if answer == "kept\n" => Ok(()),
            Ok(answer) => Err(DeliveryError::Temporary(format!("answered {answer:?}"))),
            Err(error) => Err(DeliveryError::Temporary(error.to_string())),
        }
    }
}

/// Runs until killed.
async fn work(url: &str, address: String) {
    let url = url.parse().expect("a URL");
    let database = Database::open(&url, Limits::default(), SCHEMA, &keys::keys())
        .await
        .expect("a database");
    let worker = Worker {
        database,
        receiver: Arc::new(Line(address)),
        lane: Lane {
            name: DEFAULT_LANE,
            pace: Pace {
                poll_interval: Duration::from_millis(20),
                batch_max: 64,
                concurrency_max: CONCURRENCY,
                delivery_timeout: Duration::from_millis(300),
                ..Pace::default()
            },
        },
        clock: Arc::new(SystemClock),
        ids: Arc::new(RandomIds),
    };
    let (_never, stopping) = watch::channel(false);
    worker
        .start(stopping)
        .await
        .expect("it is killed before its end");
}

fn start(url: &str, address: &str) -> Child {
    Command::new(std::env::current_exe().expect("this program"))
        .args([WORKER, "--exact", "--nocapture"])
        .env(DATABASE, url)
        .env(ADDRESS, address)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .expect("a worker")
}

/// Number of arrivals of each message.
type Came = Arc<Mutex<BTreeMap<Uuid, usize>>>;

/// Records each message, then acknowledges it. Slow enough to be interrupted.
async fn receive(listener: TcpListener, came: Came) {
    loop {
        let (stream, _) = listener.accept().await.expect("a delivery");
        let came = Arc::clone(&came);
        tokio::spawn(async move {
            let mut stream = BufReader::new(stream);
            let mut line = String::new();
            // A worker killed between connecting and sending has sent nothing.
            if stream.read_line(&mut line).await.is_err() || !line.ends_with('\n') {
                return;
            }
            let id = line.trim_end().parse().expect("an id");
            *came.lock().expect("notes").entry(id).or_default() += 1;
            tokio::time::sleep(Duration::from_millis(5)).await;
            // An error means that the worker was killed; the message will be redelivered.
            drop(stream.write_all(b"kept\n").await);
        });
    }
}

async fn every_message_arrives_although_workers_are_killed(test: &TestDatabase) {
    const DELIVERED: &str = "SELECT count(*) FROM outbox_messages WHERE delivered_time IS NOT NULL";
    if let (Ok(url), Ok(address)) = (std::env::var(DATABASE), std::env::var(ADDRESS)) {
        return work(&url, address).await;
    }
    let database = open(test).await;
    let now = SystemClock.now();
    let messages = (1..=MESSAGES).map(|number| {
        let message = message(u128::try_from(number).expect("a number"), now);
        outbox::insert(&message, now).expect("a message")
    });
    for batch in messages.collect::<Vec<_>>().chunks(100) {
        run(&database, batch.to_vec()).await;
    }
    database.close().await;

    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let came = Came::default();
    let receiving = tokio::spawn(receive(listener, Arc::clone(&came)));
    let different = || came.lock().expect("notes").len();
    for kill in 1..=KILLS {
        let mut worker = start(&test.url, &address);
        until("some have arrived", async || different() >= kill * 150).await;
        worker.kill().await.expect("SIGKILL");
        let delivered = test.scalar(DELIVERED).await;
        assert!(
            usize::try_from(delivered).expect("a count") <= different(),
            "only what came is delivered"
        );
        assert!(different() < MESSAGES, "it was killed during the run");
    }
    let mut worker = start(&test.url, &address);
    until("all are delivered", async || {
        test.scalar(DELIVERED).await == i64::try_from(MESSAGES).expect("a count")
    })
    .await;
    worker.kill().await.expect("SIGKILL");
    receiving.abort();
    let came = came.lock().expect("notes");
    let expected: Vec<_> = (1..=MESSAGES)
        .map(|number| Uuid::from_u128(u128::try_from(number).expect("a number")))
        .collect();
    assert_eq!(came.keys().copied().collect::<Vec<_>>(), expected);
    let twice = came.values().sum::<usize>() - MESSAGES;
    assert!(
        twice <= KILLS * CONCURRENCY,
        "{twice} came again, more than were under way at the kills"
    );
}
