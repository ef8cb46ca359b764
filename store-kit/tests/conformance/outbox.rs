//! Messages arrive: normally once, and twice rather than never.

mod delivery;
mod depth;
mod killed;
mod lanes;
mod waiting;

use std::{
    fmt,
    sync::{Arc, Mutex},
    time::Duration,
};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use futures::future::BoxFuture;
use service_kit::{
    deadline,
    source::{Clock, FixedClock, RandomIds},
};
use store_kit::{
    database::Database,
    outbox::{
        self, DEFAULT_LANE, Deliver, DeliveryError, Depth, Lane, Message, NewMessage, Pace, Worker,
    },
    sql::{Script, Statement},
    work::Decision,
};
use uuid::Uuid;

use super::fixture::{at, unit};

fn message(number: u128, not_before: DateTime<Utc>) -> NewMessage {
    NewMessage {
        id: Uuid::from_u128(number),
        kind: "appointment.booked",
        subject: format!("appointment {number}"),
        payload: format!("{{\"appointment\":{number}}}"),
        not_before,
    }
}

async fn run(database: &Database, statements: Vec<Statement>) {
    let run = unit(move |transaction| {
        let script: Script = statements.iter().cloned().collect();
        Box::pin(async move {
            transaction.run(script).await?;
            Ok(Decision::Commit(()))
        })
    });
    let written = database.write("script", run);
    deadline::scope(Duration::from_secs(25), written)
        .await
        .expect("written");
}

async fn send(database: &Database, messages: impl IntoIterator<Item = NewMessage>) {
    let statements = messages
        .into_iter()
        .map(|message| outbox::insert(&message, at(0)).expect("a message"));
    run(database, statements.collect()).await;
}

type Behave = dyn Fn(Message) -> BoxFuture<'static, Result<(), DeliveryError>> + Send + Sync;

/// Records each message, then behaves as configured.
struct Receiver {
    given: Mutex<Vec<Message>>,
    behave: Box<Behave>,
}

impl fmt::Debug for Receiver {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Receiver")
    }
}

#[async_trait]
impl Deliver for Receiver {
    async fn deliver(&self, message: &Message) -> Result<(), DeliveryError> {
        self.given.lock().expect("notes").push(message.clone());
        (self.behave)(message.clone()).await
    }
}

impl Receiver {
    fn new(
        behave: impl Fn(Message) -> BoxFuture<'static, Result<(), DeliveryError>>
        + Send
        + Sync
        + 'static,
    ) -> Arc<Self> {
        Arc::new(Self {
            given: Mutex::default(),
            behave: Box::new(behave),
        })
    }

    fn willing() -> Arc<Self> {
        Self::new(|_| Box::pin(async { Ok(()) }))
    }

    fn failing(error: DeliveryError) -> Arc<Self> {
        Self::new(move |_| {
            let error = error.clone();
            Box::pin(async move { Err(error) })
        })
    }

    /// Returns the numbers of the messages, in order of arrival.
    fn numbers(&self) -> Vec<u128> {
        let given = self.given.lock().expect("notes");
        given.iter().map(|message| message.id.as_u128()).collect()
    }
}

const PACE: Pace = Pace {
    poll_interval: Duration::from_millis(10),
    batch_max: 64,
    concurrency_max: 8,
    per_minute_max: None,
    delivery_timeout: Duration::from_secs(10),
    attempts_max: 3,
    backoff_first: Duration::from_secs(100),
    backoff_max: Duration::from_hours(1),
};

const LANE: Lane = Lane {
    name: DEFAULT_LANE,
    pace: PACE,
};

fn worker(database: &Database, receiver: &Arc<Receiver>, clock: &Arc<FixedClock>) -> Worker {
    Worker {
        database: database.clone(),
        receiver: Arc::clone(receiver) as Arc<dyn Deliver>,
        lane: LANE,
        clock: Arc::clone(clock) as Arc<dyn Clock>,
        ids: Arc::new(RandomIds),
    }
}

fn noon() -> Arc<FixedClock> {
    Arc::new(FixedClock::new(at(0)))
}

async fn depth(database: &Database, seconds: i64) -> Depth {
    outbox::depth(database, DEFAULT_LANE, at(seconds))
        .await
        .expect("a depth")
}
