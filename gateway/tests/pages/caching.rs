use axum::http::StatusCode;
use futures::future::join_all;

use crate::site::Site;

#[tokio::test(flavor = "multi_thread")]
async fn renders_a_document_once_and_revalidates_its_tag() {
    let site = Site::start().await;
    let replies = join_all((0..50).map(|_| site.get("/plain"))).await;
    assert!(
        replies.iter().all(|reply| reply.body == replies[0].body),
        "50 visitors, one render"
    );
    let tag = replies[0].header("etag");
    let again = site.get_with("/plain", &[("if-none-match", tag)]).await;
    assert_eq!(again.status, StatusCode::NOT_MODIFIED);
    assert!(again.body.is_empty());
    assert_eq!(again.header("etag"), tag);
    assert_eq!(again.header("vary"), "accept-encoding");
    let other = site
        .get_with("/plain", &[("if-none-match", "\"other\"")])
        .await;
    assert_eq!(other.status, StatusCode::OK);
    // Undeclared query parameters share one document.
    assert_eq!(site.get("/plain?utm_source=x").await.header("etag"), tag);
}

#[tokio::test(flavor = "multi_thread")]
async fn codings_contain_the_same_html() {
    let site = Site::start().await;
    let plain = site.get("/list").await;
    assert_eq!(plain.header("content-encoding"), "");
    for coding in ["br", "gzip"] {
        let coded = site.get_with("/list", &[("accept-encoding", coding)]).await;
        assert_eq!(coded.header("content-encoding"), coding);
        assert!(coded.body.len() < plain.body.len());
        assert_eq!(coded.decoded(), plain.text());
        assert_ne!(
            coded.header("etag"),
            plain.header("etag"),
            "a strong tag names one coding"
        );
        let known = [
            ("accept-encoding", coding),
            ("if-none-match", coded.header("etag")),
        ];
        assert_eq!(
            site.get_with("/list", &known).await.status,
            StatusCode::NOT_MODIFIED
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn declared_queries_vary_the_document() {
    let site = Site::start().await;
    assert!(site.get("/list?q=one").await.text().contains("for one"));
    assert!(site.get("/list?q=two").await.text().contains("for two"));
    assert!(
        site.get("/list?q=one&q=two")
            .await
            .text()
            .contains("for one")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn serves_a_stale_document_while_the_service_is_down() {
    let site = Site::start_with(&["--document-stale-s-max", "0"]).await;
    let good = site.get("/list").await;
    assert!(good.text().contains("health true"), "{}", good.text());
    site.upstream.stop().await;
    // Another query was never rendered while the service was up. Its document shows the failure and is retried soon.
    let without = site.get("/list?q=x").await;
    assert!(
        without.text().contains("health false"),
        "{}",
        without.text()
    );
    // A second later the good document is stale and cannot be rendered again.
    for _ in 0..30 {
        let reply = site.get("/list").await;
        assert!(reply.text().contains("health true"), "{}", reply.text());
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    site.upstream.restart().await;
    site.poll("/list?q=x", "recovery", |reply| {
        reply.text().contains("health true")
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn serves_a_stale_document_while_revalidating() {
    let site = Site::start_with(&["--render-threads=1"]).await;
    let first = site.get("/count/x").await;
    assert!(first.text().contains("render 1"), "{}", first.text());
    site.poll("/count/x", "renewal", |reply| {
        let text = reply.text();
        assert!(
            text.contains("render 1") || text.contains("render 2"),
            "{text}"
        );
        text.contains("render 2")
    })
    .await;
    let metrics = site.metrics().await;
    let stale = metrics
        .text()
        .lines()
        .find(|line| line.starts_with("document_cache_total{result=\"stale\"}"));
    assert!(stale.is_some_and(|line| !line.ends_with(" 0")), "{stale:?}");
}
