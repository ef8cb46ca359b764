//! Posts: written through the API, at the desk, and by programs before post records.

use std::time::Duration;

use hospital_proto::content::v1::{Blog, ContentRecord as Record, ListPublicationsRequest};
use serde_json::{Value, json};
use svc_content::wire::records::to_body;
use test_kit::database::TestDatabase;
use tonic::{Code, Status};

use super::desk::{Desk, reason, until, violation};
use crate::{
    blogs::{Site, on_both_databases, titled},
    old::execute,
    store::Bench,
};

on_both_databases!(
    the_api_writes_records,
    the_desk_publishes_posts,
    former_pages_of_posts_lead_on,
    refuses_what_the_api_refuses,
    takes_in_what_older_programs_write,
    takes_in_once,
);

const KEY: &str = "0123456789abcdef-1";

fn fields(record: &Record) -> Value {
    let body = record.body.clone().expect("a body");
    Value::Object(to_body(body).expect("fields"))
}

fn versions(record: &Record) -> (&str, i32, i32) {
    (&record.state, record.version, record.live_version)
}

impl Desk {
    /// Waits until visitors read this of a post.
    async fn shows(&self, name: &str, is_so: impl Fn(&Result<Blog, Status>) -> bool) {
        let read = async || is_so(&self.blog(name).await);
        until(name, read).await;
    }

    async fn blog(&self, name: &str) -> Result<Blog, Status> {
        let request = hospital_proto::content::v1::GetBlogRequest {
            blog: name.to_owned(),
        };
        let reply = self.site.client.clone().get_blog(request).await?;
        Ok(reply.into_inner().blog.expect("a post"))
    }

    async fn draft_of(&mut self, id: &str, title: &str) -> Record {
        let body = json!({"id": id, "title": title, "content": "<p>Rest.</p>", "tags": ["rest"]});
        let key = format!("{KEY}-{id}");
        self.create(&key, "post", body).await.expect("a draft").0
    }
}

async fn the_api_writes_records(database: TestDatabase) {
    let mut desk = Desk::start(database).await;
    let seeds = desk.site.list(100, "").await;
    for seed in &seeds {
        let record = desk.get("post", &seed.id).await;
        assert_eq!(versions(&record), ("live", 1, 1), "{}", seed.id);
        assert_eq!(
            (&record.title, &record.author_name),
            (&seed.title, &seed.author)
        );
        assert_eq!(record.path, format!("/blogs/{}", seed.slug));
    }
    let blog = Blog {
        content: "<p>Go to bed.</p>".to_owned(),
        featured: true,
        ..titled("Good sleep")
    };
    let post = desk.site.create(KEY, blog.clone()).await.expect("a post");
    let same = desk.site.create(KEY, blog).await.expect("the same");
    assert_eq!(same.id, post.id);
    let record = desk.get("post", &post.id).await;
    assert_eq!(versions(&record), ("live", 1, 1));
    assert!(!record.author_name.is_empty());
    assert_eq!(fields(&record)["content"], "<p>Go to bed.</p>");
    assert_eq!(fields(&record)["featured"], true);

    // A draft of the desk is older than the next version of the API.
    let draft = desk
        .save(&record, json!({"summary": "Rest"}))
        .await
        .expect("a draft");
    let changed = desk
        .site
        .update(&post.id, &post.etag, titled("Better sleep"))
        .await;
    let changed = changed.expect("changed");
    let refused = desk.publish(&draft).await.expect_err("a lost update");
    assert_eq!(refused.code(), Code::Aborted);
    let record = desk.get("post", &post.id).await;
    assert_eq!(versions(&record), ("live", 3, 3));
    assert_eq!(record.path, "/blogs/better-sleep");
    // And the other way round.
    let draft = desk
        .save(&record, json!({"summary": "Sleep"}))
        .await
        .expect("a draft");
    let live = desk.publish(&draft).await.expect("published");
    desk.shows(&post.id, |read| {
        read.as_ref().is_ok_and(|read| read.summary == "Sleep")
    })
    .await;
    let read = desk.blog(&post.id).await.expect("a post");
    assert_eq!(
        (read.published_at, read.created_at),
        (post.published_at, post.created_at)
    );
    for etag in [&post.etag, &changed.etag] {
        let refused = desk.site.update(&post.id, etag, titled("Lost")).await;
        assert_eq!(refused.expect_err("a lost update").code(), Code::Aborted);
    }
    desk.site
        .delete(&post.id, &read.etag)
        .await
        .expect("deleted");
    let gone = desk.get("post", &post.id).await;
    assert_eq!(
        (versions(&gone), gone.redirect.as_str()),
        (("archived", 4, 0), "")
    );
    for name in [&post.id, "better-sleep", "good-sleep"] {
        let missing = desk.blog(name).await.expect_err("deleted");
        assert_eq!(reason(&missing).0, "NOT_FOUND", "{name}");
    }
    let repeated = desk.site.create(KEY, titled("Good sleep")).await;
    assert!(repeated.is_err(), "the post is deleted");
    let refused = desk.publish(&live).await.expect_err("it is archived");
    assert_eq!(refused.code(), Code::Aborted);
    desk.publish(&gone).await.expect("published again");
    desk.shows(&post.id, Result::is_ok).await;
    let back = desk.blog(&post.id).await.expect("a post");
    assert_eq!(back.created_at, post.created_at);

    let wanted = [(0, 4), (4, 0), (3, 4), (1, 3), (0, 1)];
    let name = format!("post/{}", post.id);
    let wanted = wanted.map(|(before, after)| (before, after, name.clone()));
    assert_eq!(publications(&mut desk).await, wanted);
    desk.end().await;
}

/// Returns the versions before and after each publication, and its record, newest first.
async fn publications(desk: &mut Desk) -> Vec<(i32, i32, String)> {
    let request = desk.signed(ListPublicationsRequest::default());
    let list = desk
        .records
        .list_publications(request)
        .await
        .expect("a list");
    list.into_inner()
        .publications
        .into_iter()
        .map(|one| {
            (
                one.version_before,
                one.version_after,
                one.kind + "/" + &one.record_id,
            )
        })
        .collect()
}

async fn the_desk_publishes_posts(database: TestDatabase) {
    let mut desk = Desk::start(database).await;
    let count = desk.site.list(100, "").await.len();
    let draft = desk.draft_of("sleep", "Good sleep").await;
    assert_eq!(
        desk.draft_of("sleep", "Good sleep").await.etag,
        draft.etag,
        "a repeated request"
    );
    assert_eq!(versions(&draft), ("draft", 1, 0));
    assert_eq!(
        desk.blog("sleep").await.expect_err("a draft").code(),
        Code::NotFound
    );
    let (from, until) = (Duration::from_secs(1), Duration::from_secs(4));
    let planned = desk
        .publish_at(&draft, Some(from), Some(until))
        .await
        .expect("planned");
    // A version that is stored later does not take its place.
    desk.save(&planned, json!({"content": "Not yet."}))
        .await
        .expect("a draft");
    desk.shows("good-sleep", Result::is_ok).await;
    let read = desk.blog("good-sleep").await.expect("a post");
    assert_eq!(
        (read.id.as_str(), read.content_html.as_str()),
        ("sleep", "<p>Rest.</p>")
    );
    assert_eq!(
        desk.site.list(100, "").await[0].id,
        "sleep",
        "it is the newest"
    );
    desk.shows("good-sleep", Result::is_err).await;
    assert_eq!(desk.site.list(100, "").await.len(), count);
    let archived = desk.get("post", "sleep").await;
    assert_eq!(
        (versions(&archived), archived.redirect.as_str()),
        (("archived", 2, 0), "/blogs")
    );
    let back = desk
        .revert(&archived, 1, true)
        .await
        .expect("published again");
    assert_eq!(versions(&back), ("live", 3, 3));
    desk.shows("good-sleep", Result::is_ok).await;
    let again = desk.blog("good-sleep").await.expect("a post");
    assert_eq!(
        (again.content, again.created_at),
        (read.content, read.created_at)
    );
    assert!(
        again.published_at.is_some(),
        "the time of the first publication"
    );

    // A time that the desk gives is kept; one without it keeps the one before.
    let dated = json!({"published_at": "2026-01-05T09:30:00+05:30"});
    let dated = desk.save(&back, dated).await.expect("a draft");
    let live = desk.publish(&dated).await.expect("published");
    let undated = desk
        .save(&live, json!({"published_at": "", "summary": "x"}))
        .await;
    desk.publish(&undated.expect("a draft"))
        .await
        .expect("published");
    desk.shows("sleep", |read| {
        read.as_ref().is_ok_and(|read| read.summary == "x")
    })
    .await;
    let read = desk.blog("sleep").await.expect("a post");
    assert_eq!(read.published_at.expect("a time").seconds, 1_767_585_600);
    desk.end().await;
}

async fn former_pages_of_posts_lead_on(database: TestDatabase) {
    let mut desk = Desk::start(database).await;
    let draft = desk.draft_of("sleep", "Good sleep").await;
    let live = desk.publish(&draft).await.expect("published");
    assert_eq!(live.path, "/blogs/good-sleep");
    let renamed = desk
        .save(&live, json!({"title": "Better sleep"}))
        .await
        .expect("a draft");
    let renamed = desk.publish(&renamed).await.expect("published");
    desk.shows("better-sleep", Result::is_ok).await;
    let leads = |moved: Result<Blog, Status>| {
        let moved = moved.expect_err("moved");
        assert_eq!(moved.code(), Code::NotFound);
        reason(&moved).1.unwrap_or_default()
    };
    assert_eq!(leads(desk.blog("good-sleep").await), "/blogs/better-sleep");
    let other = desk.draft_of("rest", "Rest").await;
    let other = desk.publish(&other).await.expect("published");
    let archived = desk
        .archive(&renamed, "/blogs/rest")
        .await
        .expect("archived");
    desk.shows("sleep", Result::is_err).await;
    for name in ["good-sleep", "better-sleep", "sleep"] {
        assert_eq!(leads(desk.blog(name).await), "/blogs/rest");
    }
    // Addresses that lead in a circle lead home.
    let other = desk
        .archive(&other, "/blogs/good-sleep")
        .await
        .expect("archived");
    desk.shows("rest", Result::is_err).await;
    for name in ["good-sleep", "rest"] {
        assert_eq!(leads(desk.blog(name).await), "/");
    }
    desk.publish(&archived).await.expect("published again");
    desk.shows("better-sleep", Result::is_ok).await;
    assert_eq!(leads(desk.blog("rest").await), "/blogs/better-sleep");
    // A newer post may take the address.
    let third = desk.draft_of("rest-2", "Rest").await;
    desk.publish(&third).await.expect("published");
    desk.shows("rest", Result::is_ok).await;
    assert_eq!(desk.blog("rest").await.expect("a post").id, "rest-2");
    drop(other);
    desk.end().await;
}

async fn refuses_what_the_api_refuses(database: TestDatabase) {
    let mut desk = Desk::start(database).await;
    let mut draft = desk.draft_of("sleep", "Good sleep").await;
    for (changes, field) in [
        (json!({"title": ""}), "title"),
        (json!({"title": "a".repeat(201)}), "title"),
        (
            json!({"title": "Good sleep", "read_time": "a".repeat(41)}),
            "read_time",
        ),
        (json!({"read_time": "", "tags": [""]}), "tags[0]"),
        (json!({"tags": [], "likes": 5}), "likes"),
        (
            json!({"likes": null, "image": format!("/media/{}", "0".repeat(40))}),
            "image",
        ),
    ] {
        draft = desk.save(&draft, changes).await.expect("kept as a draft");
        assert_eq!(draft.problems[0].field, field, "{:?}", draft.problems);
        let refused = desk.publish(&draft).await.expect_err("broken");
        assert_eq!(violation(&refused).0, format!("body.{field}"));
    }
    // A time ahead is possible in a draft, but not on the site.
    let ahead = json!({"image": "", "published_at": "2026-12-31T09:00:00+05:30"});
    let draft = desk.save(&draft, ahead).await.expect("a draft");
    let at = desk.publish(&draft).await;
    assert!(at.is_ok() || violation(&at.expect_err("ahead")).0 == "body.published_at");

    // The id of one post is not the address of another.
    let first = desk.draft_of("first", "Heart day").await;
    desk.publish(&first).await.expect("published");
    let second = desk.draft_of("heart-day", "Another").await;
    let refused = desk
        .publish(&second)
        .await
        .expect_err("an address of another");
    let (field, words) = violation(&refused);
    assert_eq!(field, "body.id");
    assert!(words.contains("first"), "{words}");
    desk.end().await;
}

/// What programs before post records do, statement by statement.
const OLDER: [&str; 8] = [
    "UPDATE blog_sequence SET value = value + 1",
    "UPDATE blogs SET title = 'Worse sleep', slug_key = 'worse-sleep', etag = 'older' WHERE title = 'Good sleep'",
    "INSERT INTO blog_changes (seq, blog_id, slug_before, slug_after) \
     SELECT value, 'x', '', '' FROM blog_sequence",
    "UPDATE blog_sequence SET value = value + 1",
    "INSERT INTO blogs (id, slug_key, title, content, teaser, summary, excerpt, author, category, category_key, image, \
       read_time, tags, sections, published_at, created_at, updated_at, etag) \
     SELECT 'older-post', '', 'Older', 'Text', 'Text', '', '', 'Dr. Old', '', 'health tips', '', '', '[\"featured\"]', \
       '[]', published_at, created_at, updated_at, 'older-2' FROM blogs WHERE title = 'Worse sleep'",
    "INSERT INTO blog_changes (seq, blog_id, slug_before, slug_after) \
     SELECT value, 'older-post', '', '' FROM blog_sequence",
    "DELETE FROM blogs WHERE title = 'Bad sleep'",
    "UPDATE blog_changes SET slug_before = 'bad-sleep' WHERE blog_id = 'x'",
];

async fn takes_in_what_older_programs_write(database: TestDatabase) {
    let mut desk = Desk::start(database).await;
    let good = desk
        .site
        .create(KEY, titled("Good sleep"))
        .await
        .expect("a post");
    let bad = desk
        .site
        .create("0123456789abcdef-2", titled("Bad sleep"))
        .await
        .expect("a post");
    let read = desk.get("post", &good.id).await;
    for sql in OLDER {
        execute(&desk.site.database, sql).await;
    }
    // What the desk publishes meanwhile is refused or comes after it; nothing is lost.
    let refused = desk.save(&read, json!({"summary": "Rest"})).await;
    assert_eq!(refused.expect_err("a lost update").code(), Code::Aborted);
    let state = async |id: &str, state: &str, version: i32| {
        let mut records = desk.records.clone();
        let request = desk.signed(hospital_proto::content::v1::GetRecordRequest {
            kind: "post".to_owned(),
            record_id: id.to_owned(),
        });
        let record = records.get_record(request).await;
        let record = record.ok().and_then(|reply| reply.into_inner().record);
        record.is_some_and(|record| record.state == state && record.version == version)
    };
    until("the change", async || state(&good.id, "live", 2).await).await;
    until("the new post", async || {
        state("older-post", "live", 1).await
    })
    .await;
    until("the deletion", async || state(&bad.id, "archived", 1).await).await;
    let changed = desk.get("post", &good.id).await;
    assert_eq!(
        (changed.title.as_str(), changed.path.as_str()),
        ("Worse sleep", "/blogs/worse-sleep")
    );
    let new = desk.get("post", "older-post").await;
    assert_eq!(
        (new.author_name.as_str(), new.path.as_str()),
        ("Dr. Old", "/blog/older-post")
    );
    assert_eq!(fields(&new)["featured"], true);
    let moved = desk.blog("good-sleep").await.expect_err("renamed");
    assert_eq!(reason(&moved).1.as_deref(), Some("/blogs/worse-sleep"));
    // Its earlier text can be restored.
    let back = desk.revert(&changed, 1, true).await.expect("undone");
    assert_eq!(versions(&back), ("live", 3, 3));
    desk.shows("good-sleep", Result::is_ok).await;
    desk.end().await;
}

/// Two processes that start at once on the rows of an older build.
async fn takes_in_once(database: TestDatabase) {
    let site = Site::start(database).await;
    let Site {
        database,
        issuer,
        process,
        client,
    } = site;
    drop((client, issuer));
    process.stop().await;
    for sql in [
        "DELETE FROM records WHERE kind = 'post'",
        "DELETE FROM record_versions WHERE kind = 'post'",
        "UPDATE blogs SET recorded_etag = ''",
    ] {
        execute(&database, sql).await;
    }
    let bench = Bench::of(database).await;
    let now = chrono::DateTime::UNIX_EPOCH;
    let (one, other) = tokio::join!(bench.store.take_posts(now), bench.store.take_posts(now));
    let count = bench.database.scalar("SELECT count(*) FROM blogs").await;
    let taken = one.expect("taken") + other.expect("taken");
    assert_eq!(i64::try_from(taken).expect("small"), count);
    for sql in [
        "SELECT count(*) FROM records WHERE kind = 'post' AND state = 'live' AND version = 1",
        "SELECT count(*) FROM record_versions WHERE kind = 'post'",
        "SELECT count(*) FROM records JOIN blogs ON blogs.id = records.id \
         WHERE blogs.updated_at = records.updated_at AND blogs.etag = records.etag",
    ] {
        assert_eq!(bench.database.scalar(sql).await, count, "{sql}");
    }
    bench.open.close().await;
    bench.database.drop_if_exists().await;
}
