//! Idempotent creates of the store, on both databases.

use std::collections::HashSet;

use store_kit::requests;
use svc_content::{domain::blog::NewBlog, store::CreateOutcome};
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::{
    blog_store::{EDITOR, WRITERS, draft, key, new, time},
    store::{Bench, on_both_databases},
};

on_both_databases!(
    one_request_makes_one_post,
    refuses_a_request_id_with_another_body,
    forgets_a_request_key_after_its_retention,
);

async fn one_request_makes_one_post(bench: Bench) -> Bench {
    let mut creates = JoinSet::new();
    for number in 0..WRITERS {
        let store = bench.store.clone();
        creates.spawn(async move {
            let draft = draft("Good sleep", "", None);
            let request = key(1, &draft);
            let id = Uuid::from_u128(number).to_string();
            let new = NewBlog::new(id, draft, time(1), Uuid::from_u128(number));
            store
                .create_blog(new, request, EDITOR)
                .await
                .expect("an answer")
        });
    }
    let mut firsts = 0;
    let mut ids = HashSet::new();
    for outcome in creates.join_all().await {
        match outcome {
            CreateOutcome::Created(row) => {
                firsts += 1;
                ids.insert(row.id);
            }
            CreateOutcome::Repeated(row) => {
                ids.insert(row.id);
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((firsts, ids.len()), (1, 1));
    assert_eq!(bench.database.scalar("SELECT count(*) FROM blogs").await, 1);
    assert_eq!(
        bench.store.sequence().await.expect("a number"),
        1,
        "what was not done is not counted"
    );
    bench
}

async fn refuses_a_request_id_with_another_body(bench: Bench) -> Bench {
    bench.put(1, "a", "Good sleep", "", 1).await;
    let other = key(1, &draft("Bad sleep", "", Some(1)));
    let outcome = bench
        .store
        .create_blog(new("b", "Bad sleep", "", 1), other, EDITOR)
        .await;
    assert_eq!(outcome.expect("an answer"), CreateOutcome::RequestIdReused);
    let same = key(1, &draft("Good sleep", "", Some(1)));
    bench
        .store
        .delete_blog("a", None, EDITOR, time(9))
        .await
        .expect("an answer");
    let outcome = bench
        .store
        .create_blog(new("c", "Good sleep", "", 1), same, EDITOR)
        .await;
    assert_eq!(outcome.expect("an answer"), CreateOutcome::RepeatedDeleted);
    assert_eq!(bench.database.scalar("SELECT count(*) FROM blogs").await, 0);
    bench
}

async fn forgets_a_request_key_after_its_retention(bench: Bench) -> Bench {
    const DAY: i64 = 86_400;
    let create = |id: &str, at: i64| {
        let new = NewBlog::new(
            id.to_owned(),
            draft("Good sleep", "", Some(1)),
            time(at),
            Uuid::nil(),
        );
        let request = key(1, &draft("Good sleep", "", Some(1)));
        bench.store.create_blog(new, request, EDITOR)
    };
    let first = create("a", 0).await.expect("an answer");
    assert!(matches!(first, CreateOutcome::Created(_)), "{first:?}");
    let again = create("b", 30 * DAY - 1).await.expect("an answer");
    assert!(
        matches!(&again, CreateOutcome::Repeated(row) if row.id == "a"),
        "{again:?}"
    );
    let purged = requests::purge(&bench.open, time(30 * DAY - 1)).await;
    assert_eq!(purged.expect("an answer"), 0);
    let purged = requests::purge(&bench.open, time(30 * DAY)).await;
    assert_eq!(purged.expect("an answer"), 1);
    let later = create("b", 30 * DAY).await.expect("an answer");
    assert!(
        matches!(&later, CreateOutcome::Created(row) if row.id == "b"),
        "{later:?}"
    );
    bench
}
