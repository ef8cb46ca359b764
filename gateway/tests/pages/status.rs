//! The status page for visitors.

use std::io;

use axum::http::{Method, StatusCode};
use futures::future::join_all;
use tokio::net::TcpListener;

use crate::site::{Reply, Site, point_to, publish, refusal, remotes};

/// Health and ledger share one upstream; the third has none.
const OFFERS: &str = "--offer=grpc.health.v1=Check-ups,ledger.v1=Ledgers,nowhere.v1=Moon <flights>";
const WORKS: &str = "Works</dd>";
const AWAY: &str = "Isn't working at the moment</dd>";

/// Returns the state that the page shows for a part.
fn said<'a>(reply: &'a Reply, part: &str) -> &'a str {
    let (_, rest) = reply
        .text()
        .split_once(&format!("<dt>{part}</dt>"))
        .unwrap_or_else(|| panic!("{part}: {}", reply.text()));
    let rest = rest.split_once("</span>").expect("an icon").1;
    &rest[..rest.find("</dd>").expect("an end") + "</dd>".len()]
}

#[tokio::test(flavor = "multi_thread")]
async fn follows_an_upstreams_outage_and_recovery() {
    let site = Site::start_with(&[OFFERS]).await;
    let works = |reply: &Reply| said(reply, "Check-ups") == WORKS;
    let reply = site.poll("/status", "a look", works).await;
    assert_eq!(reply.status, StatusCode::OK);
    assert_eq!(said(&reply, "Ledgers"), WORKS);
    assert_eq!(said(&reply, "Moon &lt;flights>"), AWAY);
    assert!(reply.text().contains("<time datetime=\"20"));

    site.upstream.stop().await;
    let away = |reply: &Reply| said(reply, "Check-ups") == AWAY;
    let reply = site.poll("/status", "its end", away).await;
    assert_eq!(reply.status, StatusCode::OK);
    assert_eq!(said(&reply, "Ledgers"), AWAY);

    site.upstream.restart().await;
    site.poll("/status", "its return", works).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn shows_a_not_serving_upstream_as_down() {
    let site = Site::start_with(&[OFFERS]).await;
    site.upstream.set_serving(false).await;
    let away = |reply: &Reply| said(reply, "Check-ups") == AWAY;
    site.poll("/status", "its word", away).await;
}

/// Accepts connections and never responds.
async fn silent() -> io::Result<(String, TcpListener)> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    Ok((format!("http://{address}"), listener))
}

#[tokio::test(flavor = "multi_thread")]
async fn hanging_upstream_delays_nothing() {
    let (address, _listener) = silent().await.expect("a free port");
    let hangs = format!("--upstream=hangs.v1={address}");
    let site = Site::start_with(&[&hangs, "--offer=hangs.v1=Patience"]).await;
    let away = |reply: &Reply| said(reply, "Patience") == AWAY;
    site.poll("/status", "the end of the look", away).await;
    // O10: if a page waited for its own health check, each page would show another time. A regular check may end
    // between two pages.
    let mut waits = true;
    for _ in 0..5 {
        let first = seen_at(&site.get("/status").await);
        waits &= first != seen_at(&site.get("/status").await);
    }
    assert!(!waits);
}

/// Returns the time of the page's health checks.
fn seen_at(reply: &Reply) -> String {
    let (_, rest) = reply
        .text()
        .split_once("<time datetime=\"")
        .expect("a time");
    rest.split('"').next().unwrap_or_default().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn is_uncached_scriptless_and_shows_the_emergency_number() {
    let site = Site::start_without_upstream().await;
    let reply = site.get("/status").await;
    assert_eq!(reply.status, StatusCode::OK);
    assert_eq!(reply.header("cache-control"), "no-store");
    assert!(reply.text().contains("<a href=\"tel:+918000000108\">"));
    assert!(!reply.text().contains("<script"));
    let policy = reply.header("content-security-policy");
    assert!(
        policy.starts_with("default-src 'none'; style-src 'sha256-"),
        "{policy}"
    );
    let head = site.send(Method::HEAD, "/status?x=y", &[], "").await;
    assert_eq!((head.status, head.body.len()), (StatusCode::OK, 0));
    for path in ["/status/", "/Status"] {
        let moved = site.get(path).await;
        assert_eq!(
            moved.header("location"),
            "/status",
            "{path}: {}",
            moved.status
        );
    }
    let metrics = site.metrics().await;
    assert!(metrics.text().contains("route=\"/status\""));
}

#[tokio::test(flavor = "multi_thread")]
async fn no_limit_stands_before_it() {
    let flags = ["--address-documents-max=1", "--requests-in-flight-max=1"];
    let site = Site::start_limited(&flags).await;
    let pages = join_all((0..20).map(|_| site.get("/plain"))).await;
    assert!(
        pages
            .iter()
            .any(|page| page.status == StatusCode::TOO_MANY_REQUESTS)
    );
    let replies = join_all((0..50).map(|_| site.get("/status"))).await;
    assert!(replies.iter().all(|reply| reply.status == StatusCode::OK));
}

#[tokio::test(flavor = "multi_thread")]
async fn failed_pages_link_to_the_status_page() {
    let site = Site::start().await;
    let reply = site.get("/frameless").await;
    assert_eq!(reply.status, StatusCode::INTERNAL_SERVER_ERROR);
    assert!(
        reply
            .text()
            .contains("<a href=\"/status\">See what works now</a>")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn no_module_can_replace_the_status_page() {
    let folder = remotes();
    let (from, to) = (r#""route": "/items/{slug}""#, r#""route": "/status""#);
    publish(folder.path(), "1.1.0", "module.json", from, to);
    point_to(folder.path(), "1.1.0");
    let error = refusal(folder.path()).await;
    assert!(error.contains("/status"), "{error}");
}
