//! Single flight, fallbacks after failures, and the bounds of the store.

use std::sync::atomic::{AtomicUsize, Ordering};

use axum::http::{HeaderMap, HeaderValue, header};
use futures::future::join_all;

use super::*;
use crate::CacheControl;

const LIMITS: StoreLimits = StoreLimits {
    entries_max: 1000,
    bytes_max: 4 * 1024 * 1024,
    stale: Duration::ZERO,
    stale_on_error: Duration::from_mins(10),
};

fn store() -> Arc<Store> {
    let changes = Arc::new(Changes::default());
    Arc::new(Store::new(LIMITS, changes, Counters::default()))
}

fn wanted(key: &str, patience: Duration) -> Wanted<'_> {
    Wanted {
        key: key.as_bytes(),
        fresh: Duration::from_mins(1),
        edition: Edition::default(),
        deadline: Instant::now() + patience,
        budget: Duration::from_secs(20),
        work: None,
    }
}

fn draft(body: &str) -> Made {
    Made::Draft(Draft {
        status: StatusCode::OK,
        body: body.to_owned().into(),
        headers: vec![(header::CONTENT_TYPE, HeaderValue::from_static("text/plain"))],
        version: None,
        cache_control: CacheControl::Remaining,
        is_complete: true,
        is_negative: false,
        basis: Basis::default(),
    })
}

fn body(outcome: Outcome) -> Result<String, u16> {
    let response = outcome
        .map_err(|problem| problem.status().as_u16())?
        .response(&HeaderMap::new());
    Ok(String::from_utf8(response.into_body().to_vec()).unwrap())
}

const LONG: Duration = Duration::from_secs(20);

#[tokio::test]
async fn short_deadline_ends_only_its_own_wait() {
    let (store, begun) = (store(), Arc::new(AtomicUsize::new(0)));
    let make = || {
        let begun = Arc::clone(&begun);
        async move {
            begun.fetch_add(1, Ordering::SeqCst);
            tokio::time::sleep(Duration::from_millis(300)).await;
            draft("made")
        }
    };
    let impatient = wanted("key", Duration::from_millis(20));
    let patient = wanted("key", LONG);
    let first = store.get(&impatient, make);
    let others = join_all((0..10).map(|_| store.get(&patient, make)));
    let (first, others) = tokio::join!(first, others);
    assert_eq!(body(first), Err(504));
    for other in others {
        assert_eq!(body(other).as_deref(), Ok("made"));
    }
    assert_eq!(begun.load(Ordering::SeqCst), 1);
    assert_eq!(store.flights.len(), 0);
}

#[tokio::test]
async fn an_answer_without_fresh_time_is_never_sent_stale() {
    let limits = StoreLimits {
        stale: Duration::from_mins(1),
        ..LIMITS
    };
    let store = Arc::new(Store::new(limits, Arc::default(), Counters::default()));
    let unfresh = Wanted {
        fresh: Duration::ZERO,
        ..wanted("key", LONG)
    };
    for text in ["first", "second"] {
        let outcome = store.get(&unfresh, || async move { draft(text) }).await;
        assert_eq!(body(outcome).as_deref(), Ok(text));
    }
}

#[tokio::test]
async fn finishes_a_flight_without_waiting_callers() {
    let store = store();
    let make = async || {
        tokio::time::sleep(Duration::from_millis(100)).await;
        draft("made")
    };
    let impatient = wanted("key", LONG);
    let left = tokio::time::timeout(Duration::from_millis(10), store.get(&impatient, make));
    assert!(left.await.is_err());
    let never = || async { panic!("it is under way or made") };
    assert_eq!(
        body(store.get(&impatient, never).await).as_deref(),
        Ok("made")
    );
}

#[tokio::test]
async fn ends_a_panicked_or_late_flight_for_all_callers() {
    let store = store();
    let patient = wanted("key", LONG);
    let panics = || async { panic!("of this test") };
    let all = join_all((0..10).map(|_| store.get(&patient, panics))).await;
    assert!(all.into_iter().all(|one| body(one) == Err(500)));
    let hurried = Wanted {
        budget: Duration::from_millis(20),
        work: None,
        ..patient
    };
    let all = join_all((0..10).map(|_| store.get(&hurried, std::future::pending))).await;
    assert!(all.into_iter().all(|one| body(one) == Err(504)));
    assert_eq!(store.flights.len(), 0);
    let made = store.get(&patient, async || draft("made")).await;
    assert_eq!(body(made).as_deref(), Ok("made"));
}

#[tokio::test]
async fn refusal_replaces_the_cached_answer_but_failure_does_not() {
    let store = store();
    let none = Wanted {
        fresh: Duration::ZERO,
        ..wanted("key", LONG)
    };
    let refuse = |problem: fn() -> Problem| move || async move { Made::Refused(problem()) };
    for failure in [
        Problem::internal,
        Problem::unavailable,
        Problem::deadline_exceeded,
        Problem::overloaded,
    ] {
        let made = store.get(&none, async || draft("made")).await;
        assert_eq!(body(made).as_deref(), Ok("made"));
        let stale = store.get(&none, refuse(failure)).await;
        assert_eq!(body(stale).as_deref(), Ok("made"));
        store.cached.invalidate_all();
    }
    assert!(store.get(&none, async || draft("made")).await.is_ok());
    let gone = store.get(&none, refuse(Problem::not_found)).await;
    assert_eq!(body(gone), Err(404));
    let failed = store.get(&none, refuse(Problem::internal)).await;
    assert_eq!(body(failed), Err(500), "nothing is left of it");
}

#[tokio::test]
async fn bounds_a_million_negative_answers_to_their_share() {
    let store = store();
    let made = store
        .get(&wanted("page", LONG), async || draft("made"))
        .await;
    assert!(made.is_ok());
    let rest = "x".repeat(2000);
    for n in 0..5000 {
        let key = format!("{n}{rest}");
        let absent = async || Made::Absent(Problem::not_found(), Basis::default());
        assert_eq!(body(store.get(&wanted(&key, LONG), absent).await), Err(404));
    }
    store.negative.run_pending_tasks();
    assert!(store.negative.weighted_size() <= LIMITS.bytes_max / NEGATIVE_SHARE);
    let page = wanted("page", LONG);
    let again = store.get(&page, || async { panic!("it is cached") });
    assert!(again.await.is_ok(), "and push nothing else out");
}

#[tokio::test]
async fn counts_the_bytes_of_long_keys() {
    let store = store();
    let rest = "x".repeat(14 * 1024);
    for n in 0..1000 {
        let key = format!("{n}{rest}");
        let small = wanted(&key, LONG);
        assert!(store.get(&small, async || draft("small")).await.is_ok());
    }
    store.cached.run_pending_tasks();
    let (entries, bytes) = (store.cached.entry_count(), store.cached.weighted_size());
    assert!(bytes <= LIMITS.bytes_max, "{bytes}");
    assert!(entries <= LIMITS.bytes_max / (14 * 1024), "{entries}");
}

#[tokio::test]
async fn remakes_own_editions_and_refreshes_mentions_in_the_background() {
    let store = store();
    let of = |own, around| Wanted {
        edition: Edition { own, around },
        ..wanted("key", LONG)
    };
    let get = async |own, around, text: &'static str| {
        body(
            store
                .get(&of(own, around), move || async move { draft(text) })
                .await,
        )
        .unwrap()
    };
    assert_eq!(get(1, 1, "one").await, "one");
    assert_eq!(get(2, 1, "two").await, "two");
    assert_eq!(get(2, 2, "three").await, "two", "it only mentions others");
    let shown = async {
        while get(2, 2, "three").await != "three" {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(LONG, shown)
        .await
        .expect("made behind");
}

#[tokio::test]
async fn full_store_caches_a_short_lived_answer_at_its_second_miss() {
    fn short(key: &str) -> Wanted<'_> {
        Wanted {
            fresh: Duration::from_secs(1),
            ..wanted(key, LONG)
        }
    }
    let (store, rest) = (store(), "x".repeat(8 * 1024));
    for n in 0..1000 {
        let key = format!("{n}{rest}");
        assert!(store.get(&short(&key), async || draft("a")).await.is_ok());
    }
    store.cached.run_pending_tasks();
    let share = LIMITS.bytes_max / DOORKEEPER_SHARE;
    let size = store.cached.weighted_size();
    assert!((share..share * 2).contains(&size), "{size}");
    for text in ["first", "second", "third"] {
        let made = store
            .get(&short("key"), || async move { draft(text) })
            .await;
        let expected = if text == "third" { "second" } else { text };
        assert_eq!(body(made).as_deref(), Ok(expected));
    }
}
