use chrono::DateTime;
use store_kit::{
    database::{Database, Limits},
    migrate::migrate,
    requests::RequestKey,
};
use test_kit::{database::TestDatabase, keys::keys};
use uuid::Uuid;

use super::*;
use crate::{
    domain::blog::{BlogForm, Draft, NewBlog},
    files::Sources,
    store::{CREATE, CreateOutcome, SCHEMA},
};

/// A waiting writer is answered after one `catch_up`, which must apply more changes than one query reads.
#[tokio::test]
async fn one_catch_up_applies_every_pending_change() {
    let test = TestDatabase::sqlite();
    let url = test.parsed_url();
    migrate(&url, &SCHEMA, &keys()).await.expect("a schema");
    let database = Database::open(&url, Limits::default(), SCHEMA, &keys())
        .await
        .expect("a database");
    let store = Store::new(database, keys());
    let content = Content::load(&Sources::embedded(), None).expect("the embedded content");
    let posts = Posts::new(Arc::new(content));
    let early = posts.revision().expect_err("not before the first load");
    assert_eq!(early.code(), tonic::Code::Unavailable);
    posts.catch_up(&store).await.expect("a first load");
    assert!(posts.revision().is_ok_and(|known| known.ends_with("-0")));
    let now = DateTime::from_timestamp(1_763_700_000, 0).expect("a time");
    for number in 0..=CHANGES_AT_ONCE {
        let form = BlogForm {
            title: format!("Post {number}"),
            content: "Words about quokkas. ".repeat(30),
            ..BlogForm::default()
        };
        let draft = Draft::parse(&form, now).expect("a draft");
        let new = NewBlog::new(format!("post-{number}"), draft, now, Uuid::nil());
        let request = RequestKey::new(&keys(), CREATE, &format!("request-{number:08}"), b"");
        let created = store.create_blog(new, request, "editor").await;
        assert!(
            matches!(created, Ok(CreateOutcome::Created(_))),
            "{created:?}"
        );
    }
    posts.catch_up(&store).await.expect("the changes");
    let last = store.sequence().await.expect("a sequence number");
    assert_eq!(posts.state.read().seq, Some(last));
}
