//! Databases written by other builds: the previous one and the next one.

use std::{path::Path, sync::Arc};

use chrono::{DateTime, Utc};
use hospital_proto::content::v1::{
    Blog, BlogSection, CreateBlogRequest, GetBlogRequest,
    content_service_client::ContentServiceClient,
};
use prost_types::Timestamp;
use serde_json::Value;
use service_kit::{
    auth::Verifier,
    server::ServerConfig,
    source::{FixedClock, RandomIds},
};
use sqlx::{Connection as _, PgConnection, SqliteConnection};
use store_kit::process::{self, Context};
use svc_content::{
    Parts,
    domain::Content,
    files::Sources,
    media::files::{Files, MediaUrl},
};
use test_kit::{database::TestDatabase, issuer::Issuer, keys::keys, process::PATIENCE};
use tokio::{
    net::TcpListener,
    sync::{oneshot, watch},
    task::JoinHandle,
};
use tonic::{Code, Status, transport::Channel};

use crate::{
    blogs::{SCOPE, Site, on_both_databases, titled},
    store::Bench,
};

/// Just after the fixtures were written, because request keys are kept for 30 days.
const WRITTEN: &str = "2026-11-22T10:50:00Z";
/// Posts in the fixture: 15 from the seed and 4 of the 5 created.
const POSTS: i64 = 19;

fn fixture(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    std::fs::read_to_string(path.join(name)).expect(name)
}

#[tokio::test(flavor = "multi_thread")]
async fn migrates_an_sqlite_file_of_an_older_build() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/v1.db");
    whole(TestDatabase::sqlite_of(&path), &fixture("v1.sqlite.json")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn migrates_a_postgres_database_of_an_older_build() {
    let database = TestDatabase::postgres_of(&fixture("v1.sql")).await;
    crate::PROGRAM.migrate(&database).await;
    whole(database, &fixture("v1.postgres.json")).await;
}

/// This build on a database, with a fixed clock.
struct Server {
    client: ContentServiceClient<Channel>,
    issuer: Issuer,
    stop: oneshot::Sender<()>,
    served: JoinHandle<()>,
}

impl Server {
    async fn start(bench: &Bench) -> Self {
        let issuer = Issuer::new();
        let auth = issuer.config();
        let loaded = Content::load(&Sources::embedded(), None).expect("the content");
        let parts = Parts {
            content: Arc::new(loaded),
            verifier: Verifier::from_config(&auth).expect("a verifier"),
            // Nothing is uploaded here.
            files: Files::open(&MediaUrl::Folder("/nonexistent".into())).expect("a store"),
        };
        let now: DateTime<Utc> = WRITTEN.parse().expect("a moment");
        let (stopper, stopping) = watch::channel(false);
        let context = Context {
            database: bench.open.clone(),
            keys: keys(),
            clock: Arc::new(FixedClock::new(now)),
            ids: Arc::new(RandomIds),
            stopping,
            is_development: true,
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let (stop, end) = oneshot::channel();
        let served = tokio::spawn(async move {
            let served = svc_content::served(parts, &context);
            let shutdown = async move { drop(end.await) };
            let config = ServerConfig::default();
            process::serve(served, &context, stopper, &config, listener, shutdown)
                .await
                .expect("served");
        });
        let client = ContentServiceClient::connect(format!("http://{address}"))
            .await
            .expect("a channel");
        Self {
            client,
            issuer,
            stop,
            served,
        }
    }

    async fn get(&mut self, name: &str) -> Result<Blog, Status> {
        let request = GetBlogRequest {
            blog: name.to_owned(),
        };
        let reply = self.client.get_blog(request).await?;
        Ok(reply.into_inner().blog.expect("a post"))
    }

    async fn create(&mut self, request_id: &str, blog: Blog) -> Result<Blog, Status> {
        let message = CreateBlogRequest {
            blog: Some(blog),
            request_id: request_id.to_owned(),
        };
        let request = self.issuer.request(SCOPE, message);
        let reply = self.client.create_blog(request).await?;
        Ok(reply.into_inner().blog.expect("a post"))
    }

    /// Waits until the posts are loaded.
    async fn ready(&mut self, name: &str) {
        let known = async {
            while self.get(name).await.is_err() {
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(PATIENCE, known).await.expect("ready");
    }

    async fn stop(self) {
        drop(self.client);
        self.stop.send(()).expect("the server runs");
        self.served.await.expect("stopped");
    }
}

/// Asserts that every post equals its recorded response and is sanitised, and that every recorded create is replayed
/// without a new post.
async fn whole(database: TestDatabase, told: &str) {
    let told: Value = serde_json::from_str(told).expect("JSON");
    let bench = Bench::of(database).await;
    let mut server = Server::start(&bench).await;
    let posts = told["posts"].as_array().expect("posts");
    assert_eq!(posts.len(), 19);
    server.ready(&text(&posts[0]["id"])).await;
    for expected in posts {
        let read = server.get(&text(&expected["id"])).await.expect("a post");
        same(&read, expected);
        let by_slug = server.get(&read.slug).await.expect("a post");
        assert_eq!(by_slug.id, read.id);
    }
    let deleted = server.get(&text(&told["deleted"])).await;
    assert_eq!(deleted.expect_err("gone").code(), Code::NotFound);
    repeated(&mut server, &told).await;
    server.stop().await;
    let database = bench.database;
    for (sql, expected) in [
        ("SELECT count(*) FROM blogs", POSTS),
        ("SELECT count(*) FROM request_keys", 5),
        (
            "SELECT count(*) FROM records JOIN record_versions ON record_versions.id = records.id \
             WHERE records.kind = 'post' AND record_versions.kind = 'post' AND state = 'live' AND live_version = 1",
            POSTS,
        ),
        // Kept for a rollback.
        ("SELECT count(*) FROM blog_requests WHERE moved = TRUE", 5),
        // All HTML was sanitised under today's rules, none by the previous build.
        ("SELECT count(*) FROM blogs WHERE html_of LIKE '3:%'", POSTS),
        ("SELECT count(*) FROM audit_entries", 0),
    ] {
        assert_eq!(database.scalar(sql).await, expected, "{sql}");
    }
    // Migrating again has no effect.
    crate::PROGRAM.migrate(&database).await;
    let keys = "SELECT count(*) FROM request_keys";
    assert_eq!(database.scalar(keys).await, 5);
    database.drop_if_exists().await;
}

async fn repeated(server: &mut Server, told: &Value) {
    let creates = told["creates"].as_array().expect("creates");
    assert_eq!(creates.len(), 5);
    for create in creates {
        let request_id = text(&create["requestId"]);
        let answer = server.create(&request_id, asked(&create["request"])).await;
        if create["id"] == told["deleted"] {
            assert_eq!(answer.expect_err("gone").code(), Code::NotFound);
        } else {
            assert_eq!(answer.expect("the same post").id, text(&create["id"]));
        }
        let other = server.create(&request_id, titled("Another")).await;
        assert_eq!(other.expect_err("reused").code(), Code::InvalidArgument);
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn texts(value: &Value) -> Vec<String> {
    let values = value.as_array().into_iter().flatten();
    values.map(text).collect()
}

fn time(value: &Value) -> Option<Timestamp> {
    let time: DateTime<Utc> = value.as_str()?.parse().expect("a time");
    Some(Timestamp {
        seconds: time.timestamp(),
        nanos: time.timestamp_subsec_nanos().cast_signed(),
    })
}

fn asked(body: &Value) -> Blog {
    let sections = body["sections"].as_array().into_iter().flatten();
    Blog {
        title: text(&body["title"]),
        content: text(&body["content"]),
        summary: text(&body["summary"]),
        excerpt: text(&body["excerpt"]),
        author: text(&body["author"]),
        category: text(&body["category"]),
        read_time: text(&body["readTime"]),
        tags: texts(&body["tags"]),
        sections: sections
            .map(|section| BlogSection {
                heading: text(&section["heading"]),
                text: text(&section["text"]),
                image: text(&section["image"]),
                alignment: text(&section["alignment"]),
                picture: None,
            })
            .collect(),
        published_at: time(&body["publishedAt"]),
        ..Blog::default()
    }
}

fn same(read: &Blog, expected: &Value) {
    for (field, value) in [
        ("id", &read.id),
        ("slug", &read.slug),
        ("title", &read.title),
        ("etag", &read.etag),
        ("category", &read.category),
        ("author", &read.author),
        ("summary", &read.summary),
    ] {
        assert_eq!(*value, text(&expected[field]), "{field}");
    }
    // S5: the tag with which the home page selected posts is now a field.
    let mut tags = texts(&expected["tags"]);
    let is_featured = tags.iter().any(|tag| tag == "featured");
    assert_eq!(read.featured, is_featured);
    tags.retain(|tag| tag != "featured");
    assert_eq!(read.tags, tags);
    assert_eq!(read.published_at, time(&expected["publishedAt"]));
    assert_eq!(read.created_at, time(&expected["createdAt"]));
    assert_eq!(read.updated_at, time(&expected["updatedAt"]));
    // Long texts are recorded only by length, in UTF-16 units as in a browser.
    let length = read.content.encode_utf16().count();
    assert_eq!(Some(length as u64), expected["contentLength"].as_u64());
    assert_eq!(
        Some(read.sections.len() as u64),
        expected["sections"].as_u64()
    );
    for (field, value) in [
        ("content", &read.content),
        ("contentHtml", &read.content_html),
    ] {
        if let Some(expected) = expected[field].as_str() {
            // M9: that build kept an image whose source it had removed.
            let expected = expected.replace("<img>", "");
            assert_eq!(*value, expected, "{field} of {}", read.id);
        }
    }
    for unsafe_part in ["onerror", "onclick", "<script", "<iframe", "javascript:"] {
        assert!(
            !read.content_html.contains(unsafe_part),
            "{}",
            read.content_html
        );
    }
}

on_both_databases!(a_newer_schema_is_served,);

/// Executes a statement without the store.
pub(crate) async fn execute(database: &TestDatabase, sql: &'static str) {
    if database.url.starts_with("sqlite:") {
        let mut connection = SqliteConnection::connect(&database.url).await.expect("it");
        sqlx::query(sql).execute(&mut connection).await.expect(sql);
    } else {
        let mut connection = PgConnection::connect(&database.url).await.expect("it");
        sqlx::query(sql).execute(&mut connection).await.expect(sql);
    }
}

/// Start after a rollback: this build on the next build's schema, which has an additional column.
async fn a_newer_schema_is_served(database: TestDatabase) {
    crate::PROGRAM.migrate(&database).await;
    for sql in [
        "ALTER TABLE blogs ADD COLUMN later text",
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
         VALUES (9999, 'later', TRUE, '', 0)",
        "INSERT INTO _store_kit_migrations (version, description, success, checksum, execution_time) \
         VALUES (9999, 'later', TRUE, '', 0)",
    ] {
        execute(&database, sql).await;
    }
    let mut site = Site::start(database).await;
    site.create("0123456789abcdef", titled("Written before"))
        .await
        .expect("a post");
    assert_eq!(site.list(100, "").await.len(), 16);
    site.end().await;
}
