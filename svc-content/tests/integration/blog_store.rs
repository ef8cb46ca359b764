//! Contract tests of the store for blog posts, on both databases.

use chrono::{DateTime, Utc};
use store_kit::requests::RequestKey;
use svc_content::{
    domain::blog::{BlogForm, Draft, NewBlog, Replacement},
    store::{CREATE, CreateOutcome, ListPosition, WriteOutcome},
    wire,
};
use test_kit::{keys::keys, process::PATIENCE};
use tokio::{task::JoinSet, time::timeout};
use uuid::Uuid;

use crate::store::{Bench, on_both_databases};

pub(crate) const WRITERS: u128 = 20;
pub(crate) const EDITOR: &str = "editor@sampige";

on_both_databases!(
    reads_posts_back_as_written,
    pages_list_every_post_once,
    lists_one_category,
    the_newest_post_gets_a_shared_slug,
    a_slug_never_equals_an_id,
    one_of_concurrent_updates_succeeds,
    updates_and_deletes_of_missing_posts_are_absent,
    changes_are_ordered_without_gaps,
    seeds_once,
);

pub(crate) fn time(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(1_763_700_000 + seconds, 123_456_000).expect("a time")
}

pub(crate) fn draft(title: &str, category: &str, at: Option<i64>) -> Draft {
    let at = at.map(time);
    let form = BlogForm {
        title: title.to_owned(),
        category: category.to_owned(),
        content: format!("Words about {title}. ").repeat(30),
        tags: vec!["one".to_owned(), "two".to_owned()],
        published_at: at,
        ..BlogForm::default()
    };
    Draft::parse(&form, time(1_000_000)).expect("a draft")
}

pub(crate) fn new(id: &str, title: &str, category: &str, at: i64) -> NewBlog {
    let etag = Uuid::from_u128(at.unsigned_abs().into());
    NewBlog::new(
        id.to_owned(),
        draft(title, category, Some(at)),
        time(at),
        etag,
    )
}

pub(crate) fn key(number: u128, draft: &Draft) -> RequestKey {
    let id = format!("request-{number:024}");
    RequestKey::new(&keys(), CREATE, &id, &wire::fingerprinted(draft.form()))
}

impl Bench {
    pub(crate) async fn put(&self, number: u128, id: &str, title: &str, category: &str, at: i64) {
        let request = key(number, &draft(title, category, Some(at)));
        let outcome = self
            .store
            .create_blog(new(id, title, category, at), request, EDITOR)
            .await;
        assert!(
            matches!(outcome, Ok(CreateOutcome::Created(_))),
            "{outcome:?}"
        );
    }

    async fn ids(&self, category: Option<&str>, size: usize) -> Vec<String> {
        let mut ids = Vec::new();
        let mut after: Option<ListPosition> = None;
        loop {
            let page = self
                .store
                .blogs(category, after.as_ref(), size)
                .await
                .expect("a page");
            after = page.last().map(|card| ListPosition {
                published_at: card.published_at,
                id: card.id.clone(),
            });
            let is_last = page.len() < size;
            ids.extend(page.into_iter().map(|card| card.id));
            if is_last {
                return ids;
            }
        }
    }

    async fn slug(&self, id: &str) -> Option<String> {
        let row = self
            .store
            .blog(id)
            .await
            .expect("an answer")
            .expect("a post");
        row.has_slug.then_some(row.slug_key)
    }
}

async fn reads_posts_back_as_written(bench: Bench) -> Bench {
    bench.put(1, "a", "Heart & Lungs", "", 5).await;
    for name in ["a", "heart-lungs"] {
        let row = bench
            .store
            .blog(name)
            .await
            .expect("an answer")
            .expect("a post");
        assert_eq!(row.id, "a");
        assert_eq!(row.title, "Heart & Lungs");
        assert_eq!(
            (row.published_at, row.create_time, row.update_time),
            (time(5), time(5), time(5))
        );
        assert_eq!(row.tags, r#"["one","two"]"#);
        assert!(row.content.len() > 500 && row.has_slug);
    }
    let card = &bench.store.blogs(None, None, 1).await.expect("a page")[0];
    assert_eq!(card.teaser.chars().count(), 200);
    assert_eq!(
        (card.slug_key.as_str(), card.has_slug),
        ("heart-lungs", true)
    );
    for unknown in ["b", "", "heart", "Heart-Lungs"] {
        assert_eq!(
            bench.store.blog(unknown).await.expect("an answer"),
            None,
            "{unknown}"
        );
    }
    bench
}

async fn pages_list_every_post_once(bench: Bench) -> Bench {
    // Several posts with equal times, ordered only by id.
    for number in 0..25_u8 {
        let at = i64::from(number / 4);
        bench
            .put(
                number.into(),
                &format!("p{number:02}"),
                &format!("Post {number}"),
                "",
                at,
            )
            .await;
    }
    let all = bench.ids(None, 100).await;
    assert_eq!(all.len(), 25);
    assert_eq!(all.first().map(String::as_str), Some("p24"));
    assert_eq!(all[1..5], ["p23", "p22", "p21", "p20"]);
    for size in [1, 2, 3, 4, 7] {
        assert_eq!(bench.ids(None, size).await, all, "{size}");
    }
    bench
}

async fn lists_one_category(bench: Bench) -> Bench {
    bench.put(1, "a", "A", "Heart", 1).await;
    bench.put(2, "b", "B", "", 2).await;
    bench.put(3, "c", "C", "HEART", 3).await;
    assert_eq!(bench.ids(Some("heart"), 1).await, ["c", "a"]);
    assert_eq!(bench.ids(Some("health tips"), 5).await, ["b"]);
    assert_eq!(bench.ids(Some("skin"), 5).await, Vec::<String>::new());
    bench
}

async fn the_newest_post_gets_a_shared_slug(bench: Bench) -> Bench {
    bench.put(1, "a", "Good sleep", "", 1).await;
    bench.put(2, "b", "Good sleep!", "", 3).await;
    bench.put(3, "c", "Good Sleep", "", 2).await;
    let found = bench.store.blog("good-sleep").await.expect("an answer");
    assert_eq!(found.map(|row| row.id).as_deref(), Some("b"));
    assert_eq!(bench.slug("b").await.as_deref(), Some("good-sleep"));
    assert_eq!((bench.slug("a").await, bench.slug("c").await), (None, None));
    let deleted = bench
        .store
        .delete_blog("b", None, EDITOR, time(9))
        .await
        .expect("an answer");
    assert_eq!(deleted, WriteOutcome::Done(()));
    assert_eq!(bench.slug("c").await.as_deref(), Some("good-sleep"));
    let cards = bench.store.blogs(None, None, 10).await.expect("a page");
    let with_slug: Vec<_> = cards
        .iter()
        .filter(|card| card.has_slug)
        .map(|card| card.id.as_str())
        .collect();
    assert_eq!(with_slug, ["c"]);
    bench
}

async fn a_slug_never_equals_an_id(bench: Bench) -> Bench {
    bench.put(1, "good-sleep", "About sleep", "", 1).await;
    bench.put(2, "b", "Good sleep", "", 2).await;
    let found = bench.store.blog("good-sleep").await.expect("an answer");
    assert_eq!(found.map(|row| row.title).as_deref(), Some("About sleep"));
    assert_eq!(bench.slug("b").await, None);
    // A post's own id does not count as another post's.
    let renamed = Replacement::new(
        "good-sleep".to_owned(),
        None,
        draft("Good sleep", "", None),
        time(9),
        Uuid::nil(),
    );
    let row = match bench
        .store
        .update_blog(renamed, EDITOR)
        .await
        .expect("an answer")
    {
        WriteOutcome::Done(row) => row,
        other => panic!("{other:?}"),
    };
    assert_eq!((row.slug_key.as_str(), row.has_slug), ("good-sleep", true));
    assert_eq!(
        (row.published_at, row.update_time),
        (time(1), time(9)),
        "no new time was given"
    );
    bench
}

async fn one_of_concurrent_updates_succeeds(bench: Bench) -> Bench {
    bench.put(1, "a", "Good sleep", "", 1).await;
    let etag = bench
        .store
        .blog("a")
        .await
        .expect("an answer")
        .expect("a post")
        .etag;
    let mut updates = JoinSet::new();
    for number in 100..100 + WRITERS {
        let (store, etag) = (bench.store.clone(), etag.clone());
        updates.spawn(async move {
            let draft = draft(&format!("Writer {number}"), "", None);
            let replacement = Replacement::new(
                "a".to_owned(),
                Some(etag),
                draft,
                time(2),
                Uuid::from_u128(number),
            );
            store
                .update_blog(replacement, EDITOR)
                .await
                .expect("an answer")
        });
    }
    let outcomes = updates.join_all().await;
    let done: Vec<_> = outcomes
        .iter()
        .filter_map(|outcome| match outcome {
            WriteOutcome::Done(row) => Some(row.as_ref()),
            _ => None,
        })
        .collect();
    let refused = outcomes
        .iter()
        .filter(|outcome| **outcome == WriteOutcome::EtagMismatch);
    assert_eq!(refused.count(), outcomes.len() - 1);
    let stored = bench
        .store
        .blog("a")
        .await
        .expect("an answer")
        .expect("a post");
    assert_eq!(done, [&stored]);
    let stale = bench
        .store
        .delete_blog("a", Some(&etag), EDITOR, time(9))
        .await
        .expect("an answer");
    assert_eq!(stale, WriteOutcome::EtagMismatch);
    let deleted = bench
        .store
        .delete_blog("a", Some(&stored.etag), EDITOR, time(9))
        .await
        .expect("an answer");
    assert_eq!(deleted, WriteOutcome::Done(()));
    bench
}

async fn updates_and_deletes_of_missing_posts_are_absent(bench: Bench) -> Bench {
    let replacement = Replacement::new(
        "a".to_owned(),
        None,
        draft("T", "", None),
        time(1),
        Uuid::nil(),
    );
    let updated = bench
        .store
        .update_blog(replacement, EDITOR)
        .await
        .expect("an answer");
    assert_eq!(updated, WriteOutcome::Absent);
    for precondition in [None, Some("x")] {
        let deleted = bench
            .store
            .delete_blog("a", precondition, EDITOR, time(9))
            .await
            .expect("an answer");
        assert_eq!(deleted, WriteOutcome::Absent);
    }
    assert_eq!(bench.store.sequence().await.expect("a number"), 0);
    bench
}

async fn changes_are_ordered_without_gaps(bench: Bench) -> Bench {
    let mut creates = JoinSet::new();
    for number in 0..WRITERS {
        let store = bench.store.clone();
        creates.spawn(async move {
            let title = format!("Post {number}");
            let request = key(number, &draft(&title, "", Some(1)));
            store
                .create_blog(new(&format!("p{number}"), &title, "", 1), request, EDITOR)
                .await
        });
    }
    // A concurrent reader must never see a later change before an earlier one.
    let mut seen: Vec<i64> = Vec::new();
    let read = async {
        while seen.len() < 20 {
            let last = seen.last().copied().unwrap_or(0);
            let changes = bench.store.changes(last, 7).await.expect("changes");
            assert!(changes.len() <= 7);
            seen.extend(changes.iter().map(|change| change.seq));
        }
    };
    timeout(PATIENCE, read).await.expect("all creates succeed");
    assert_eq!(seen, (1..=20).collect::<Vec<_>>());
    for outcome in creates.join_all().await {
        outcome.expect("a create");
    }
    bench
        .store
        .delete_blog("p3", None, EDITOR, time(9))
        .await
        .expect("an answer");
    let change = &bench.store.changes(20, 7).await.expect("changes")[0];
    assert_eq!(
        (
            change.blog_id.as_str(),
            change.slug_before.as_str(),
            change.slug_after.as_str()
        ),
        ("p3", "post-3", "")
    );
    bench
}

async fn seeds_once(bench: Bench) -> Bench {
    let seeds = || vec![new("a", "One", "", 1), new("b", "Two", "", 2)];
    let mut starts = JoinSet::new();
    for _ in 0..5 {
        let (store, seeds) = (bench.store.clone(), seeds());
        starts.spawn(async move { store.seed_blogs(seeds).await.expect("an answer") });
    }
    let seeded = starts.join_all().await.into_iter().filter(|seeded| *seeded);
    assert_eq!(seeded.count(), 1);
    assert_eq!(bench.ids(None, 10).await, ["b", "a"]);
    let change = &bench.store.changes(0, 7).await.expect("changes")[0];
    assert_eq!((change.seq, change.blog_id.as_str()), (1, ""));
    for id in ["a", "b"] {
        bench
            .store
            .delete_blog(id, None, EDITOR, time(9))
            .await
            .expect("an answer");
    }
    assert!(!bench.store.seed_blogs(seeds()).await.expect("an answer"));
    assert_eq!(
        bench.ids(None, 10).await,
        Vec::<String>::new(),
        "what was deleted stays deleted"
    );
    bench
}
