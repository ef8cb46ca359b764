//! Lanes: each has its own queue and pace.

use std::{num::NonZeroU32, time::Duration};

use store_kit::outbox::{self, Lane, Pace};
use test_kit::database::TestDatabase;
use tokio::time::Instant;

use super::{
    super::fixture::{at, on_both, open},
    LANE, PACE, Receiver, message, noon, run, send, worker,
};

on_both!(
    a_full_lane_delays_no_other,
    deliveries_of_a_paced_lane_are_spaced,
);

const BULK: Lane = Lane {
    name: "bulk",
    pace: Pace {
        batch_max: 4,
        ..PACE
    },
};

/// M1: 10,000 messages of one lane are due before those of another lane.
async fn a_full_lane_delays_no_other(database: &TestDatabase) {
    let database = open(database).await;
    let (clock, receiver) = (noon(), Receiver::willing());
    let bulk: Vec<_> = (100..10_100)
        .map(|number| {
            let mail = message(number, at(-3600));
            outbox::insert_once_in("bulk", &mail, at(0)).expect("a message")
        })
        .collect();
    for some in bulk.chunks(1000) {
        run(&database, some.to_vec()).await;
    }
    send(&database, [message(1, at(-60)), message(2, at(0))]).await;
    let patients = worker(&database, &receiver, &clock);
    assert_eq!(patients.round().await.expect("a round"), 2);
    assert_eq!(receiver.numbers(), [1, 2]);
    let mut bulk = worker(&database, &receiver, &clock);
    bulk.lane = BULK;
    assert_eq!(bulk.round().await.expect("a round"), 4);
    assert_eq!(receiver.numbers().len(), 6);
    assert!(receiver.numbers()[2..].iter().all(|number| *number >= 100));
    assert_eq!(patients.round().await.expect("a round"), 0);
}

async fn deliveries_of_a_paced_lane_are_spaced(database: &TestDatabase) {
    let database = open(database).await;
    let (clock, receiver) = (noon(), Receiver::willing());
    send(&database, (1..=4).map(|number| message(number, at(0)))).await;
    let mut paced = worker(&database, &receiver, &clock);
    paced.lane = Lane {
        pace: Pace {
            // One per 50 ms.
            per_minute_max: NonZeroU32::new(1200),
            ..PACE
        },
        ..LANE
    };
    let start = Instant::now();
    assert_eq!(paced.round().await.expect("a round"), 4);
    assert!(
        start.elapsed() >= Duration::from_millis(150),
        "{:?}",
        start.elapsed()
    );
    let mut numbers = receiver.numbers();
    numbers.sort_unstable();
    assert_eq!(numbers, [1, 2, 3, 4]);
}
