//! Audit entries that the store does and does not write, on both databases.

use store_kit::audit::{self, Verdict};
use svc_content::{
    domain::blog::Replacement,
    store::{CreateOutcome, WriteOutcome},
};
use test_kit::keys::keys;
use uuid::Uuid;

use crate::{
    blog_store::{EDITOR, draft, key, new, time},
    store::{Bench, on_both_databases},
};

on_both_databases!(audits_every_write_of_staff, does_not_audit_refused_writes,);

/// Asserts the number of audit entries that a query counts.
async fn entries(bench: &Bench, sql: &'static str, expected: i64) {
    assert_eq!(bench.database.scalar(sql).await, expected, "{sql}");
}

async fn intact(bench: &Bench) -> u64 {
    match audit::verify(&bench.open, &keys())
        .await
        .expect("an answer")
    {
        Verdict::Intact { entries, .. } => entries,
        broken @ Verdict::Broken { .. } => panic!("{broken:?}"),
    }
}

async fn audits_every_write_of_staff(bench: Bench) -> Bench {
    bench.put(1, "a", "Good sleep", "", 1).await;
    let replacement = Replacement::new(
        "a".to_owned(),
        None,
        draft("Better sleep", "", None),
        time(2),
        Uuid::nil(),
    );
    let outcome = bench.store.update_blog(replacement, "another").await;
    assert!(matches!(outcome, Ok(WriteOutcome::Done(_))), "{outcome:?}");
    let deleted = bench
        .store
        .delete_blog("a", None, EDITOR, time(3))
        .await
        .expect("an answer");
    assert_eq!(deleted, WriteOutcome::Done(()));
    for sql in [
        "SELECT count(*) FROM audit_entries WHERE seq = 1 AND action = 'blog.created' AND subject = 'a' \
         AND actor = 'editor@sampige' AND detail = '00000000000000000000000000000001'",
        "SELECT count(*) FROM audit_entries WHERE seq = 2 AND action = 'blog.updated' AND subject = 'a' \
         AND actor = 'another' AND detail = '00000000000000000000000000000000'",
        "SELECT count(*) FROM audit_entries WHERE seq = 3 AND action = 'blog.deleted' AND subject = 'a' \
         AND actor = 'editor@sampige'",
    ] {
        entries(&bench, sql, 1).await;
    }
    assert_eq!(intact(&bench).await, 3);
    bench
}

async fn does_not_audit_refused_writes(bench: Bench) -> Bench {
    let seeds = vec![new("s", "Seed", "", 1)];
    assert!(bench.store.seed_blogs(seeds).await.expect("an answer"));
    bench.put(1, "a", "Good sleep", "", 1).await;
    for (id, title) in [("b", "Good sleep"), ("c", "Bad sleep")] {
        let request = key(1, &draft(title, "", Some(1)));
        let outcome = bench
            .store
            .create_blog(new(id, title, "", 1), request, EDITOR);
        let outcome = outcome.await.expect("an answer");
        assert!(!matches!(outcome, CreateOutcome::Created(_)), "{outcome:?}");
    }
    for (id, precondition) in [("x", None), ("a", Some("stale"))] {
        let replacement = Replacement::new(
            id.to_owned(),
            precondition.map(str::to_owned),
            draft("T", "", None),
            time(2),
            Uuid::nil(),
        );
        let updated = bench.store.update_blog(replacement, EDITOR).await;
        assert!(!matches!(updated, Ok(WriteOutcome::Done(_))), "{updated:?}");
        let deleted = bench.store.delete_blog(id, precondition, EDITOR, time(2));
        assert_ne!(deleted.await.expect("an answer"), WriteOutcome::Done(()));
    }
    assert_eq!(intact(&bench).await, 1);
    entries(&bench, "SELECT count(*) FROM audit_entries", 1).await;
    bench
}
