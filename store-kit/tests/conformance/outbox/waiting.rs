//! When a message is due, what may happen to it before, and what remains afterwards.

use store_kit::{
    error::StoreError,
    outbox::{self, DEFAULT_LANE, DeliveryError, Depth, Message, NewMessage, PAYLOAD_BYTES_MAX},
    sql::{Sql, Statement},
    values,
};
use test_kit::{database::TestDatabase, process::PATIENCE};
use tokio::sync::watch;
use uuid::Uuid;

use super::{
    super::fixture::{at, execute, on_both, open, postgres, until},
    Receiver, depth, message, noon, run, send, worker,
};

on_both!(
    a_message_is_delivered_once_and_not_before_its_time,
    dead_messages_are_resent,
    waiting_messages_are_withdrawn_or_postponed,
    erasure_deletes_undelivered_messages,
    a_message_postponed_during_delivery_waits_for_its_new_time,
    rows_are_deleted_after_their_retention,
    payloads_and_errors_are_limited,
);

async fn a_message_is_delivered_once_and_not_before_its_time(database: &TestDatabase) {
    let database = open(database).await;
    let (receiver, clock) = (Receiver::willing(), noon());
    let worker = worker(&database, &receiver, &clock);
    send(
        &database,
        [message(1, at(0)), message(2, at(60)), message(3, at(-60))],
    )
    .await;
    let expected = Depth {
        waiting: 3,
        due: 2,
        dead: 0,
        oldest_due: Some(at(-60)),
    };
    assert_eq!(depth(&database, 0).await, expected);
    assert_eq!(worker.round().await.expect("a round"), 2);
    assert_eq!(worker.round().await.expect("a round"), 0);
    assert_eq!(receiver.numbers(), [3, 1], "oldest first");
    clock.set(at(59));
    assert_eq!(worker.round().await.expect("a round"), 0);
    assert_eq!(depth(&database, 59).await.oldest_due, None);
    clock.set(at(60));
    assert_eq!(worker.round().await.expect("a round"), 1);
    clock.set(at(100_000));
    assert_eq!(worker.round().await.expect("a round"), 0);
    let given = receiver
        .given
        .lock()
        .expect("notes")
        .pop()
        .expect("a message");
    let expected = Message {
        id: Uuid::from_u128(2),
        kind: "appointment.booked".into(),
        subject: "appointment 2".into(),
        payload: "{\"appointment\":2}".into(),
        not_before: at(60),
        attempts: 1,
        last_error: String::new(),
        traceparent: None,
    };
    assert_eq!(given, expected);
    assert_eq!(depth(&database, 100_000).await, Depth::default());
}

async fn dead_messages_are_resent(database: &TestDatabase) {
    let database = open(database).await;
    let clock = noon();
    let refusing = Receiver::failing(DeliveryError::Permanent("no".into()));
    send(&database, (1..=3).map(|number| message(number, at(0)))).await;
    worker(&database, &refusing, &clock)
        .round()
        .await
        .expect("a round");
    assert_eq!(
        outbox::dead(&database, 2).await.expect("dead ones").len(),
        2
    );
    let resend = async |id: Option<u128>| {
        outbox::resend(&database, id.map(Uuid::from_u128), at(5))
            .await
            .expect("sent again")
    };
    assert_eq!(resend(Some(9)).await, 0);
    assert_eq!(resend(Some(2)).await, 1);
    clock.set(at(5));
    let receiver = Receiver::willing();
    let worker = worker(&database, &receiver, &clock);
    worker.round().await.expect("a round");
    assert_eq!(receiver.numbers(), [2]);
    assert_eq!(resend(None).await, 2);
    assert_eq!(resend(None).await, 0);
    worker.round().await.expect("a round");
    let mut numbers = receiver.numbers();
    numbers.sort_unstable();
    assert_eq!(numbers, [1, 2, 3]);
    let attempts: Vec<_> = receiver
        .given
        .lock()
        .expect("notes")
        .iter()
        .map(|message| message.attempts)
        .collect();
    assert_eq!(attempts, [1, 1, 1], "the tries are reset");
    assert_eq!(depth(&database, 5).await, Depth::default());
}

async fn waiting_messages_are_withdrawn_or_postponed(database: &TestDatabase) {
    const KIND: &str = "appointment.booked";
    let database = open(database).await;
    let (receiver, clock) = (Receiver::willing(), noon());
    let worker = worker(&database, &receiver, &clock);
    let of_another_kind = NewMessage {
        kind: "appointment.reminder",
        subject: "appointment 1".into(),
        ..message(4, at(60))
    };
    let waiting = (1..=3).map(|number| message(number, at(60)));
    send(&database, waiting.chain([of_another_kind])).await;
    run(
        &database,
        vec![
            outbox::withdraw(KIND, "appointment 1"),
            outbox::postpone(KIND, "appointment 2", at(120)),
            outbox::postpone(KIND, "appointment 3", at(30)),
        ],
    )
    .await;
    for (second, numbers) in [
        (29, &[][..]),
        (30, &[3]),
        (60, &[3, 4]),
        (119, &[3, 4]),
        (120, &[3, 4, 2]),
    ] {
        clock.set(at(second));
        worker.round().await.expect("a round");
        assert_eq!(receiver.numbers(), numbers, "at second {second}");
    }
    assert_eq!(receiver.given.lock().expect("notes")[2].not_before, at(120));
    // A delivered message stays delivered.
    run(
        &database,
        vec![outbox::postpone(KIND, "appointment 3", at(200))],
    )
    .await;
    clock.set(at(200));
    assert_eq!(worker.round().await.expect("a round"), 0);
}

async fn erasure_deletes_undelivered_messages(database: &TestDatabase) {
    let test = database;
    let database = open(database).await;
    let (receiver, clock) = (Receiver::willing(), noon());
    let worker = worker(&database, &receiver, &clock);
    // Of the first subject: one delivered, one dead and one waiting message.
    let of_the_first = |number, not_before| NewMessage {
        subject: "appointment 1".into(),
        ..message(number, not_before)
    };
    send(&database, [of_the_first(1, at(0))]).await;
    assert_eq!(worker.round().await.expect("a round"), 1);
    let waiting = [of_the_first(2, at(60)), message(3, at(60))];
    send(&database, waiting).await;
    execute(
        &database,
        &["UPDATE outbox_messages SET dead_time = create_time WHERE delivered_time IS NULL"],
    )
    .await
    .expect("dead ones");
    let waiting = [of_the_first(4, at(60)), message(5, at(60))];
    send(&database, waiting).await;
    run(&database, outbox::forget("appointment 1").into()).await;
    for (sql, rows) in [
        ("SELECT count(*) FROM outbox_messages", 3),
        (
            "SELECT count(*) FROM outbox_messages WHERE subject = 'appointment 1' AND delivered_time IS NOT NULL",
            1,
        ),
        (
            "SELECT count(*) FROM outbox_messages WHERE subject = 'appointment 3' AND dead_time IS NOT NULL",
            1,
        ),
    ] {
        assert_eq!(test.scalar(sql).await, rows, "{sql}");
    }
}

async fn a_message_postponed_during_delivery_waits_for_its_new_time(database: &TestDatabase) {
    let database = open(database).await;
    let clock = noon();
    let moved = database.clone();
    let receiver = Receiver::new(move |message| {
        let moved = moved.clone();
        Box::pin(async move {
            if message.not_before < at(5000) {
                let postponed = outbox::postpone("appointment.booked", &message.subject, at(5000));
                run(&moved, vec![postponed]).await;
                return Err(DeliveryError::Temporary("away".into()));
            }
            Ok(())
        })
    });
    let worker = worker(&database, &receiver, &clock);
    send(&database, [message(1, at(0))]).await;
    worker.round().await.expect("a round");
    clock.set(at(4999));
    assert_eq!(worker.round().await.expect("a round"), 0);
    clock.set(at(5000));
    assert_eq!(worker.round().await.expect("a round"), 1);
    assert_eq!(depth(&database, 5000).await, Depth::default());
}

async fn rows_are_deleted_after_their_retention(test: &TestDatabase) {
    const DAY: i64 = 24 * 3600;
    let database = open(test).await;
    let clock = noon();
    let refusing = Receiver::failing(DeliveryError::Permanent("no".into()));
    send(&database, [message(1, at(0))]).await;
    worker(&database, &refusing, &clock)
        .round()
        .await
        .expect("a round");
    send(&database, [message(2, at(0))]).await;
    worker(&database, &Receiver::willing(), &clock)
        .round()
        .await
        .expect("a round");
    send(&database, [message(3, at(200 * DAY))]).await;
    for (second, removed, left) in [
        (7 * DAY - 1, 0, 3),
        (7 * DAY, 1, 2),
        (90 * DAY - 1, 0, 2),
        (90 * DAY, 1, 1),
        (1000 * DAY, 0, 1),
    ] {
        let purged = outbox::purge(&database, at(second)).await.expect("removed");
        assert_eq!(purged, removed, "after {second} s");
        assert_eq!(
            test.scalar("SELECT count(*) FROM outbox_messages").await,
            left
        );
    }
    // Enough rows for several steps.
    let (sqlite, postgres) = (
        "INSERT INTO outbox_messages (id, kind, subject, payload, not_before, due_time, create_time, delivered_time) \
WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 2500) \
SELECT randomblob(16), 'k', 's', '{}', $1, $1, $1, $1 FROM numbers",
        "INSERT INTO outbox_messages (id, kind, subject, payload, not_before, due_time, create_time, delivered_time) \
SELECT gen_random_uuid(), 'k', 's', '{}', $1, $1, $1, $1 FROM generate_series(1, 2500)",
    );
    let sql = Sql::differing(sqlite, postgres);
    run(&database, vec![Statement::new(sql, values![at(0)])]).await;
    assert_eq!(
        outbox::purge(&database, at(7 * DAY))
            .await
            .expect("removed"),
        2500
    );
}

async fn payloads_and_errors_are_limited(database: &TestDatabase) {
    let database = open(database).await;
    let large = NewMessage {
        payload: "x".repeat(PAYLOAD_BYTES_MAX + 1),
        ..message(1, at(0))
    };
    let error = outbox::insert(&large, at(0)).expect_err("too large");
    assert!(matches!(
        error,
        StoreError::TooLarge {
            bytes_max: PAYLOAD_BYTES_MAX,
            ..
        }
    ));
    assert!(error.to_string().contains("outbox payload"), "{error}");
    let talkative = Receiver::failing(DeliveryError::Permanent("ಅ".repeat(5000)));
    send(&database, [message(2, at(0))]).await;
    worker(&database, &talkative, &noon())
        .round()
        .await
        .expect("a round");
    let dead = outbox::dead(&database, 10).await.expect("dead ones");
    assert_eq!(dead[0].last_error.chars().count(), 300);
}

/// Metrics are per process, so one test covers both databases in turn.
#[tokio::test]
async fn metrics_count_waiting_and_dead_messages_and_their_age() {
    fn metric(name: &str) -> Option<f64> {
        let text = service_kit::metrics::encode();
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(' '))?;
        line.parse().ok()
    }
    for test in [TestDatabase::sqlite(), postgres().await] {
        let database = open(&test).await;
        let clock = noon();
        send(
            &database,
            [
                message(1, at(-90)),
                message(2, at(3600)),
                message(3, at(-90)),
            ],
        )
        .await;
        execute(
            &database,
            &["UPDATE outbox_messages SET dead_time = create_time WHERE subject = 'appointment 3'"],
        )
        .await
        .expect("a dead one");
        let (stopper, stopping) = watch::channel(false);
        let observing = tokio::spawn(outbox::observe(
            database.clone(),
            vec![DEFAULT_LANE],
            clock,
            stopping,
        ));
        until("the metrics are true", async || {
            metric("outbox_waiting{lane=\"default\"}") == Some(2.0)
                && metric("outbox_dead") == Some(1.0)
                && metric("outbox_oldest_age_seconds{lane=\"default\"}") == Some(90.0)
        })
        .await;
        stopper.send_replace(true);
        tokio::time::timeout(PATIENCE, observing)
            .await
            .expect("it stops")
            .expect("its end");
        let empty = TestDatabase::sqlite();
        let (_keep, stopping) = watch::channel(false);
        let observing = tokio::spawn(outbox::observe(
            open(&empty).await,
            vec![DEFAULT_LANE],
            noon(),
            stopping,
        ));
        until("nothing waits", async || {
            metric("outbox_oldest_age_seconds{lane=\"default\"}") == Some(0.0)
        })
        .await;
        observing.abort();
        test.drop_if_exists().await;
    }
    let receiver = Receiver::willing();
    let test = TestDatabase::sqlite();
    let database = open(&test).await;
    send(&database, [message(1, at(0))]).await;
    worker(&database, &receiver, &noon())
        .round()
        .await
        .expect("a round");
    assert!(
        metric("outbox_deliveries_total{lane=\"default\",outcome=\"delivered\"}")
            .is_some_and(|count| count >= 1.0)
    );
}
