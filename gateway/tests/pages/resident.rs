//! A page that must be available in every situation.

use axum::http::{Method, StatusCode};
use futures::future::join_all;

use crate::site::{Site, point_to, publish, refusal, remotes};

#[tokio::test(flavor = "multi_thread")]
async fn is_available_before_any_upstream() {
    let site = Site::start_without_upstream().await;
    let reply = site.get("/urgent").await;
    assert_eq!(reply.status, StatusCode::OK);
    assert!(reply.text().contains("<p>unknown</p>"), "{}", reply.text());
    assert!(reply.text().contains("site false"), "{}", reply.text());
    // The page is rendered again once its data is available, without an announced change.
    site.upstream.restart().await;
    site.poll("/urgent", "renewal", |reply| {
        reply.text().contains("<p>SERVING</p>") && reply.text().contains("site true")
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn survives_the_loss_of_upstreams_and_module_changes() {
    let site = Site::start().await;
    let good = site.get("/urgent").await;
    assert!(good.text().contains("<p>SERVING</p>"), "{}", good.text());
    site.upstream.stop().await;
    let again = site.get("/urgent").await;
    assert_eq!(again.text(), good.text());
    // The new version is rendered with the last known data.
    site.publish("1.1.0", "server.js", "'1.0.0'", "'1.1.0'");
    site.point_to("1.1.0");
    let new = site
        .poll("/urgent", "swap", |reply| {
            reply.text().contains("Urgent 1.1.0")
        })
        .await;
    assert!(new.text().contains("<p>SERVING</p>"), "{}", new.text());
    assert!(new.text().contains("site true"), "{}", new.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn no_limit_stands_before_it() {
    let flags = ["--address-documents-max=1", "--requests-in-flight-max=1"];
    let site = Site::start_limited(&flags).await;
    let statuses: Vec<StatusCode> = join_all((0..20).map(|_| site.get("/plain")))
        .await
        .iter()
        .map(|reply| reply.status)
        .collect();
    assert!(statuses.contains(&StatusCode::TOO_MANY_REQUESTS));
    let replies = join_all((0..50).map(|_| site.get("/urgent"))).await;
    assert!(replies.iter().all(|reply| reply.status == StatusCode::OK));
    let coded = site.get_with("/urgent", &[("accept-encoding", "br")]).await;
    assert_eq!(coded.decoded(), replies[0].text());
    let known = [("if-none-match", replies[0].header("etag"))];
    let known = site.get_with("/urgent", &known).await;
    assert_eq!(known.status, StatusCode::NOT_MODIFIED);
    let head = site.send(Method::HEAD, "/urgent?x=y", &[], "").await;
    assert_eq!(head.status, StatusCode::OK);
    let policy = head.header("content-security-policy");
    assert!(policy.contains("style-src 'self' 'sha256-"), "{policy}");
    assert_eq!(head.header("x-content-type-options"), "nosniff");
    let metrics = site.metrics().await;
    assert!(metrics.text().contains("route=\"/urgent\""));
}

#[tokio::test(flavor = "multi_thread")]
async fn follows_changes() {
    let site = Site::start().await;
    site.upstream.set_serving(false).await;
    site.poll("/urgent", "change", |reply| {
        if site.upstream.announcer.streams() > 0 {
            site.upstream.announcer.announce("2", &["/health-check"]);
        }
        reply.text().contains("<p>NOT_SERVING</p>")
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn does_not_go_live_if_rendering_fails() {
    let folder = remotes();
    publish(
        folder.path(),
        "1.1.0",
        "server.js",
        "`<h1>Urgent",
        "`${nonsense}<h1>Urgent",
    );
    point_to(folder.path(), "1.1.0");
    let error = refusal(folder.path()).await;
    assert!(error.contains("the resident page /urgent"), "{error}");
}
