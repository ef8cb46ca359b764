//! Receivers that fail, hang, panic or are unavailable, and workers that crash, are slow or stop.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use chrono::TimeDelta;
use service_kit::source::{Clock as _, RandomIds, SystemClock};
use store_kit::outbox::{self, Deliver, DeliveryError, Depth, Lane, Pace, Worker};
use test_kit::{database::TestDatabase, process::PATIENCE};
use tokio::sync::{Semaphore, watch};

use super::{
    super::fixture::{at, on_both, open, until},
    LANE, PACE, Receiver, depth, message, noon, run, send, worker,
};

on_both!(
    failures_are_retried_with_backoff,
    a_permanent_failure_is_dead_at_once,
    two_workers_deliver_nothing_twice,
    an_expired_lease_is_delivered_again,
    nothing_is_delivered_after_its_lease,
    a_hanging_or_panicking_delivery_blocks_no_other,
    a_returning_receiver_gets_every_message,
    shutdown_releases_messages_not_started,
    a_late_success_is_not_dead,
);

async fn failures_are_retried_with_backoff(database: &TestDatabase) {
    let database = open(database).await;
    let receiver = Receiver::failing(DeliveryError::Temporary("away".into()));
    let clock = noon();
    let worker = worker(&database, &receiver, &clock);
    send(&database, [message(1, at(0))]).await;
    // Backoff of 100 and 200 seconds, plus or minus a quarter.
    let mut second = 0;
    for (tries, pause) in [(1, 100), (2, 200)] {
        assert_eq!(worker.round().await.expect("a round"), 1);
        clock.set(at(second + pause * 3 / 4 - 1));
        assert_eq!(worker.round().await.expect("a round"), 0);
        assert_eq!(receiver.numbers().len(), tries);
        second += pause * 5 / 4 + 1;
        clock.set(at(second));
    }
    assert_eq!(depth(&database, second).await.dead, 0);
    assert_eq!(worker.round().await.expect("a round"), 1);
    let dead = outbox::dead(&database, 10).await.expect("dead ones");
    assert_eq!((dead.len(), dead[0].attempts), (1, 3));
    assert_eq!(dead[0].last_error, "away");
    clock.set(at(1_000_000));
    assert_eq!(worker.round().await.expect("a round"), 0);
    let expected = Depth {
        waiting: 0,
        due: 0,
        dead: 1,
        oldest_due: None,
    };
    assert_eq!(depth(&database, 1_000_000).await, expected);
}

async fn a_permanent_failure_is_dead_at_once(database: &TestDatabase) {
    let database = open(database).await;
    let receiver = Receiver::new(|message| {
        Box::pin(async move {
            if message.id.as_u128() == 1 {
                return Err(DeliveryError::Permanent("no such visit".into()));
            }
            Ok(())
        })
    });
    let worker = worker(&database, &receiver, &noon());
    send(&database, [message(1, at(0)), message(2, at(0))]).await;
    assert_eq!(worker.round().await.expect("a round"), 2);
    let dead = outbox::dead(&database, 10).await.expect("dead ones");
    assert_eq!(dead.len(), 1);
    assert_eq!((dead[0].id.as_u128(), dead[0].attempts), (1, 1));
    assert_eq!(dead[0].last_error, "no such visit");
}

async fn two_workers_deliver_nothing_twice(database: &TestDatabase) {
    let database = open(database).await;
    let receiver = Receiver::new(|_| {
        Box::pin(async {
            tokio::time::sleep(Duration::from_millis(2)).await;
            Ok(())
        })
    });
    let clock = noon();
    send(&database, (1..=300).map(|number| message(number, at(0)))).await;
    let workers = (0..3).map(|_| {
        let mut worker = worker(&database, &receiver, &clock);
        worker.lane.pace.batch_max = 10;
        async move { while worker.round().await.expect("a round") > 0 {} }
    });
    futures::future::join_all(workers).await;
    let mut numbers = receiver.numbers();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=300).collect::<Vec<u128>>());
    assert_eq!(depth(&database, 0).await, Depth::default());
}

async fn an_expired_lease_is_delivered_again(database: &TestDatabase) {
    let database = open(database).await;
    let clock = noon();
    let dying = Receiver::new(|_| Box::pin(std::future::pending()));
    send(&database, [message(1, at(0))]).await;
    let first = worker(&database, &dying, &clock);
    let round = tokio::spawn(async move { first.round().await });
    until("it is under way", async || !dying.numbers().is_empty()).await;
    round.abort();
    assert!(round.await.is_err());
    let receiver = Receiver::willing();
    let second = worker(&database, &receiver, &clock);
    // 64 messages, 8 at once, 10 s each, plus 10 s.
    clock.set(at(89));
    assert_eq!(second.round().await.expect("a round"), 0);
    clock.set(at(90));
    assert_eq!(second.round().await.expect("a round"), 1);
    assert_eq!(receiver.numbers(), [1]);
    assert_eq!(receiver.given.lock().expect("notes")[0].attempts, 2);
}

async fn nothing_is_delivered_after_its_lease(database: &TestDatabase) {
    let database = open(database).await;
    let clock = noon();
    let slow = Arc::clone(&clock);
    let receiver = Receiver::new(move |_| {
        // The machine slept or the database was slow: the lease of the other messages ends meanwhile.
        slow.set(at(85));
        Box::pin(async { Ok(()) })
    });
    let mut first = worker(&database, &receiver, &clock);
    first.lane.pace.concurrency_max = 1;
    first.lane.pace.batch_max = 8;
    send(&database, (1..=3).map(|number| message(number, at(0)))).await;
    first.round().await.expect("a round");
    assert_eq!(receiver.numbers().len(), 1);
    clock.set(at(90));
    first.round().await.expect("a round");
    let mut numbers = receiver.numbers();
    numbers.sort_unstable();
    assert_eq!(numbers, [1, 2, 3], "each exactly once");
}

async fn a_hanging_or_panicking_delivery_blocks_no_other(database: &TestDatabase) {
    let database = open(database).await;
    let clock = noon();
    let receiver = Receiver::new(|message| {
        Box::pin(async move {
            match (message.id.as_u128(), message.attempts) {
                (1, 1) => std::future::pending().await,
                (2, 1) => panic!("injected"),
                _ => Ok(()),
            }
        })
    });
    let mut worker = worker(&database, &receiver, &clock);
    worker.lane.pace.delivery_timeout = Duration::from_millis(50);
    worker.lane.pace.concurrency_max = 1;
    send(&database, (1..=4).map(|number| message(number, at(0)))).await;
    assert_eq!(worker.round().await.expect("a round"), 4);
    assert_eq!(depth(&database, 0).await.waiting, 2);
    clock.set(at(130));
    assert_eq!(worker.round().await.expect("a round"), 2);
    let given = receiver.given.lock().expect("notes");
    let errors: BTreeMap<_, _> = given[4..]
        .iter()
        .map(|message| (message.id.as_u128(), message.last_error.as_str()))
        .collect();
    let expected = [(1, "no answer within 50 ms"), (2, "the delivery panicked")];
    assert_eq!(errors, BTreeMap::from(expected));
}

async fn a_returning_receiver_gets_every_message(database: &TestDatabase) {
    let database = open(database).await;
    let (is_back, back) = watch::channel(false);
    let receiver = Receiver::new(move |_| {
        let is_back = *back.borrow();
        Box::pin(async move {
            if is_back {
                return Ok(());
            }
            Err(DeliveryError::Temporary("away".into()))
        })
    });
    let (stopper, stopping) = watch::channel(false);
    let now = SystemClock.now();
    let messages =
        (1..=100).map(|number| outbox::insert(&message(number, now), now).expect("a message"));
    run(&database, messages.collect()).await;
    let worker = Worker {
        database: database.clone(),
        receiver: Arc::clone(&receiver) as Arc<dyn Deliver>,
        lane: Lane {
            pace: Pace {
                attempts_max: 1000,
                backoff_first: Duration::from_millis(20),
                backoff_max: Duration::from_millis(200),
                ..PACE
            },
            ..LANE
        },
        clock: Arc::new(SystemClock),
        ids: Arc::new(RandomIds),
    };
    let running = worker.start(stopping);
    until("it was tried", async || receiver.numbers().len() > 300).await;
    assert_eq!(depth(&database, 0).await.waiting, 100);
    is_back.send_replace(true);
    until("all have arrived", async || {
        depth(&database, 0).await.waiting == 0
    })
    .await;
    assert_eq!(depth(&database, 0).await.dead, 0);
    stopper.send_replace(true);
    tokio::time::timeout(PATIENCE, running)
        .await
        .expect("it stops")
        .expect("its end");
}

async fn shutdown_releases_messages_not_started(database: &TestDatabase) {
    let database = open(database).await;
    let (clock, may_end) = (noon(), Arc::new(Semaphore::new(0)));
    let gate = Arc::clone(&may_end);
    let receiver = Receiver::new(move |_| {
        let gate = Arc::clone(&gate);
        Box::pin(async move {
            gate.acquire().await.expect("it may end").forget();
            Ok(())
        })
    });
    let mut first = worker(&database, &receiver, &clock);
    first.lane.pace.concurrency_max = 2;
    send(&database, (1..=10).map(|number| message(number, at(0)))).await;
    let (stopper, stopping) = watch::channel(false);
    let running = first.start(stopping);
    until("two are under way", async || receiver.numbers().len() == 2).await;
    stopper.send_replace(true);
    may_end.add_permits(2);
    tokio::time::timeout(PATIENCE, running)
        .await
        .expect("it stops")
        .expect("its end");
    assert_eq!(
        receiver.numbers().len(),
        2,
        "what is under way ends, and nothing begins"
    );
    // The messages are due without waiting for a lease to end.
    may_end.add_permits(8);
    worker(&database, &receiver, &clock)
        .round()
        .await
        .expect("a round");
    let given = receiver.given.lock().expect("notes");
    let mut numbers: Vec<_> = given.iter().map(|message| message.id.as_u128()).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=10).collect::<Vec<u128>>());
    assert!(
        given.iter().all(|message| message.attempts == 1),
        "no try is lost"
    );
}

async fn a_late_success_is_not_dead(database: &TestDatabase) {
    let database = open(database).await;
    let clock = noon();
    let other = database.clone();
    let later = Arc::clone(&clock);
    let receiver = Receiver::new(move |_| {
        let (other, later) = (other.clone(), Arc::clone(&later));
        Box::pin(async move {
            // The lease ends during this delivery, and another worker is refused permanently.
            later.set(at(1000));
            let refusing = Receiver::failing(DeliveryError::Permanent("no".into()));
            worker(&other, &refusing, &later)
                .round()
                .await
                .expect("a round");
            Ok(())
        })
    });
    send(&database, [message(1, at(0))]).await;
    worker(&database, &receiver, &clock)
        .round()
        .await
        .expect("a round");
    assert_eq!(depth(&database, 1000).await, Depth::default());
    assert_eq!(
        outbox::resend(&database, None, at(1000))
            .await
            .expect("none"),
        0
    );
}

/// A worker whose stop sender was dropped stops too, instead of polling the database without a pause.
#[tokio::test]
async fn a_worker_stops_once_its_stop_sender_is_dropped() {
    let test = TestDatabase::sqlite();
    let database = open(&test).await;
    let (stopper, stopping) = watch::channel(false);
    drop(stopper);
    let running = worker(&database, &Receiver::willing(), &noon()).start(stopping);
    tokio::time::timeout(PATIENCE, running)
        .await
        .expect("it stops")
        .expect("its end");
    let later = at(0) + TimeDelta::days(1);
    assert_eq!(
        outbox::depth(&database, LANE.name, later)
            .await
            .expect("a depth"),
        Depth::default()
    );
}
