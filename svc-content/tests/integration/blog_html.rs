//! HTML of posts: sanitised once regardless of the writing build, and refused if it is too large.

use std::time::{Duration, Instant};

use hospital_proto::content::v1::Blog;
use test_kit::{database::TestDatabase, process::PATIENCE};
use tonic::Code;

use crate::{
    blogs::{Site, on_both_databases, titled},
    service::violated_fields,
};

on_both_databases!(
    sanitises_html_of_an_older_program_once,
    refuses_html_beyond_the_limits,
);

/// Updates a seed post like a build before `content_html`: with a new etag, leaving the columns that it does not know
/// unchanged.
const WRITTEN_BEFORE: &str = "UPDATE blogs SET etag = 'before', sections = '[]', \
    content = '<p onclick=\"x()\">Quokkas</p><script>alert(1)</script>' \
    WHERE id = 'measure-blood-pressure' RETURNING CAST(1 AS BIGINT)";
const KEPT_SAFE: &str = "SELECT count(*) FROM blogs \
    WHERE id = 'measure-blood-pressure' AND etag = 'before' AND content_html = '<p>Quokkas</p>'";
/// Replaces the stored HTML, to prove that it is served without being sanitised again.
const KEEP_OTHER: &str = "UPDATE blogs SET content_html = '<p>Kept</p>' \
    WHERE id = 'measure-blood-pressure' RETURNING CAST(1 AS BIGINT)";

async fn sanitises_html_of_an_older_program_once(database: TestDatabase) {
    let mut site = Site::start(database).await;
    // This process is not notified of the write, so it sanitises the post when it is requested.
    assert_eq!(site.database.scalar(WRITTEN_BEFORE).await, 1);
    let read = site.get("measure-blood-pressure").await.expect("a post");
    assert_eq!(read.content_html, "<p>Quokkas</p>");
    assert_eq!(site.database.scalar(KEPT_SAFE).await, 1);
    assert_eq!(site.database.scalar(KEEP_OTHER).await, 1);
    let read = site.get("measure-blood-pressure").await.expect("a post");
    assert_eq!(read.content_html, "<p>Kept</p>");

    // At start, outdated HTML is sanitised before any request.
    assert_eq!(site.database.scalar(WRITTEN_BEFORE).await, 1);
    assert_eq!(site.database.scalar(KEEP_OTHER).await, 1);
    let stale = "UPDATE blogs SET html_of = '0:before' \
        WHERE id = 'measure-blood-pressure' RETURNING CAST(1 AS BIGINT)";
    assert_eq!(site.database.scalar(stale).await, 1);
    let other = Site::process(&site.database, &site.issuer).await;
    assert_eq!(site.database.scalar(KEPT_SAFE).await, 1);
    other.stop().await;
    site.end().await;
}

/// Far below the gateway's call deadline of 5 s.
const ANSWERED_WITHIN: Duration = Duration::from_secs(2);

async fn refuses_html_beyond_the_limits(database: TestDatabase) {
    let mut site = Site::start(database).await;
    let before = site.list(100, "").await.len();
    for (number, content) in [
        "<b><i></b></i>".repeat(3_571),
        "<b><p>x</b>".repeat(4_545),
        "<table><tr><td><b>".repeat(2_777),
    ]
    .into_iter()
    .enumerate()
    {
        let blog = Blog {
            content,
            ..titled("Too much")
        };
        let began = Instant::now();
        let id = format!("0123456789abcde{number}");
        let answer = tokio::time::timeout(PATIENCE, site.create(&id, blog)).await;
        let refused = answer.expect("an answer").expect_err("refused");
        assert!(began.elapsed() < ANSWERED_WITHIN, "{:?}", began.elapsed());
        assert_eq!(refused.code(), Code::InvalidArgument);
        assert_eq!(violated_fields(&refused), ["content"]);
    }
    assert_eq!(site.list(100, "").await.len(), before);

    // The parser reports an error for every word of text that is inside a table but outside any cell.
    let table = format!("<table>{}</table>", "word &amp; ".repeat(1_200));
    let blog = Blog {
        content: table,
        ..titled("Table")
    };
    // A log that is not read fast enough would block the process.
    let created = tokio::time::timeout(PATIENCE, site.create("0123456789abcdef", blog)).await;
    created.expect("an answer in time").expect("a post");
    let Site {
        database,
        process,
        client,
        issuer: _issuer,
    } = site;
    drop(client);
    let log = process.stop().await;
    assert!(
        log.len() < 8_000,
        "{} bytes of log: {:.2000}",
        log.len(),
        log
    );
    database.drop_if_exists().await;
}
