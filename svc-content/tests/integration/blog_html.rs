//! HTML of posts: what older programs wrote, and what is too much.

use std::time::{Duration, Instant};

use hospital_proto::content::v1::Blog;
use test_kit::database::TestDatabase;
use tonic::Code;

use crate::{
    blogs::{Site, on_both_databases, titled},
    service::violated_fields,
};

on_both_databases!(
    what_an_older_program_wrote_is_made_safe_once,
    too_much_html_is_refused_by_name_and_not_kept,
);

/// A post of the seed as a program before `content_html` writes it: another etag, and the columns that it does not know as they
/// were.
const WRITTEN_BEFORE: &str = "UPDATE blogs SET etag = 'before', sections = '[]', \
    content = '<p onclick=\"x()\">Quokkas</p><script>alert(1)</script>' \
    WHERE id = 'measure-blood-pressure' RETURNING CAST(1 AS BIGINT)";
const KEPT_SAFE: &str = "SELECT count(*) FROM blogs \
    WHERE id = 'measure-blood-pressure' AND etag = 'before' AND content_html = '<p>Quokkas</p>'";
/// What is shown then is what is kept, and nothing is made of the content any more.
const KEEP_OTHER: &str = "UPDATE blogs SET content_html = '<p>Kept</p>' \
    WHERE id = 'measure-blood-pressure' RETURNING CAST(1 AS BIGINT)";

async fn what_an_older_program_wrote_is_made_safe_once(database: TestDatabase) {
    let mut site = Site::start(database).await;
    // Of which this process is told nothing, so it meets the post when it is asked for.
    assert_eq!(site.database.scalar(WRITTEN_BEFORE).await, 1);
    let read = site.get("measure-blood-pressure").await.expect("a post");
    assert_eq!(read.content_html, "<p>Quokkas</p>");
    assert_eq!(site.database.scalar(KEPT_SAFE).await, 1);
    assert_eq!(site.database.scalar(KEEP_OTHER).await, 1);
    let read = site.get("measure-blood-pressure").await.expect("a post");
    assert_eq!(read.content_html, "<p>Kept</p>");

    // At a start it is made safe before anybody asks.
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

/// A call's deadline at the gateway is 5 s.
const ANSWERED_WITHIN: Duration = Duration::from_secs(2);

async fn too_much_html_is_refused_by_name_and_not_kept(database: TestDatabase) {
    let mut site = Site::start(database).await;
    let before = site.list(100, "").await.len();
    for (number, content) in [
        "<b><i></b></i>".repeat(3_571),
        "<b><p>x</b>".repeat(4_545),
        (0..5_000).fold(String::new(), |html, number| {
            html + &format!("<b a{number}>")
        }),
    ]
    .into_iter()
    .enumerate()
    {
        let blog = Blog {
            content,
            ..titled("Too much")
        };
        let began = Instant::now();
        let refused = site
            .create(&format!("0123456789abcde{number}"), blog)
            .await
            .expect_err("refused");
        assert!(began.elapsed() < ANSWERED_WITHIN, "{:?}", began.elapsed());
        assert_eq!(refused.code(), Code::InvalidArgument);
        assert_eq!(violated_fields(&refused), ["content"]);
    }
    assert_eq!(site.list(100, "").await.len(), before);

    // The parser has something to say about each word of a text that stands in a table and in no cell.
    let table = format!("<table>{}</table>", "word &amp; ".repeat(1_200));
    let blog = Blog {
        content: table,
        ..titled("Table")
    };
    site.create("0123456789abcdef", blog).await.expect("a post");
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
