//! Previews of drafts: documents that are made for one request, and never meet a cache.

use axum::http::{Method, StatusCode};

use crate::{
    site::{Reply, Site, publish, remotes},
    staff_site::StaffSite,
};

/// Starts a site whose pages render the responses of the service.
async fn start() -> Site {
    let folder = remotes();
    let health = r#""health": "/health-check" }"#;
    let word = r#""health": "/word" }"#;
    publish(folder.path(), "1.1.0", "module.json", health, word);
    crate::site::point_to(folder.path(), "1.1.0");
    Site::start_in(folder, &[]).await
}

fn shows(reply: &Reply, word: &str) {
    assert!(reply.text().contains(word), "{}", reply.text());
}

/// Whether nothing stores, indexes or names the response.
fn assert_sealed(reply: &Reply, address: &str) {
    assert_eq!(reply.header("cache-control"), "no-store", "{address}");
    assert_eq!(reply.header("x-robots-tag"), "noindex", "{address}");
    assert_eq!(reply.header("referrer-policy"), "no-referrer", "{address}");
    assert_eq!(reply.header("etag"), "", "{address}");
    let policy = reply.header("content-security-policy");
    assert!(
        !policy.contains("frame-ancestors 'none'"),
        "{address}: {policy}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn shows_the_draft_to_its_address_only() {
    let site = start().await;
    // In this order: neither answer may come from what the other left behind.
    shows(&site.get("/preview/good/serving").await, "Serving DRAFT");
    shows(&site.get("/serving").await, "Serving LIVE");
    shows(&site.get("/preview/good/urgent").await, "<p>DRAFT</p>");
    shows(&site.get("/urgent").await, "<p>LIVE</p>");
    let reply = site.get("/preview/good/serving").await;
    shows(&reply, "Serving DRAFT");
    shows(&site.get("/serving").await, "Serving LIVE");
    assert_eq!(site.get("/api/word").await.text(), r#"{"status":"LIVE"}"#);
    let claimed = site.get_with("/api/word", &[("x-preview", "good")]).await;
    assert_eq!(claimed.text(), r#"{"status":"LIVE"}"#);
    let claimed = site.get_with("/serving", &[("x-preview", "good")]).await;
    shows(&claimed, "Serving LIVE");

    assert_eq!(reply.status, StatusCode::OK);
    assert_sealed(&reply, "the document");
    shows(&reply, "Preview of a draft, not published.");
    shows(&reply, "Valid until 3:05 PM.");
    let policy = reply.header("content-security-policy");
    for part in ["script-src 'none'", "frame-ancestors 'self'"] {
        assert!(policy.contains(part), "{policy}");
    }
    let live = site.get("/serving").await;
    assert!(!live.text().contains("Preview of"), "{}", live.text());
    let policy = live.header("content-security-policy");
    assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
    site.upstream.stop().await;
    shows(&site.get("/urgent").await, "<p>LIVE</p>");
    let away = site.get("/preview/good/urgent").await;
    assert_eq!(away.status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(!away.text().contains("DRAFT"), "{}", away.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn other_addresses_say_why_there_is_no_preview() {
    let site = start().await;
    let forged = format!("/preview/{}/serving", "a".repeat(256));
    let long = format!("/preview/{}/serving", "a".repeat(257));
    for (address, status, words) in [
        ("/preview/ended/serving", 404, "This preview has ended"),
        (&*forged, 404, "This preview has ended"),
        (&*long, 404, "This preview has ended"),
        ("/preview//serving", 404, "This preview has ended"),
        (
            "/preview/a%2F..%2Fgood/serving",
            404,
            "This preview has ended",
        ),
        ("/preview/old/serving", 503, "isn't possible at the moment"),
        ("/preview/broken/serving", 422, "timings: Enter &lt;times>"),
        ("/preview/good/feed.xml", 404, "no page at this address"),
    ] {
        let reply = site.get(address).await;
        assert_eq!(reply.status.as_u16(), status, "{address}");
        shows(&reply, words);
        assert_sealed(&reply, address);
    }
    // A service of a release without previews returns what is live, which must not pass for the draft.
    let ignored = site.get("/preview/ignored/serving").await;
    assert!(!ignored.text().contains("LIVE"), "{}", ignored.text());
    let posted = site.post("/preview/good/serving", "a=1").await;
    assert!(posted.status.is_client_error(), "{}", posted.status);
    let head = site
        .send(Method::HEAD, "/preview/good/serving", &[], "")
        .await;
    assert_eq!((head.status, head.body.len()), (StatusCode::OK, 0));
    assert_sealed(&head, "HEAD");
}

#[tokio::test(flavor = "multi_thread")]
async fn redirects_stay_in_the_preview() {
    let site = start().await;
    for (address, location) in [
        ("/preview/good/short", "/preview/good/items/long"),
        ("/preview/good/Serving/?q=1", "/preview/good/serving?q=1"),
        (
            "/preview/good/moved/elsewhere?to=/items/x",
            "/preview/good/items/x",
        ),
    ] {
        let reply = site.get(address).await;
        assert_eq!(reply.status, StatusCode::FOUND, "{address}");
        assert_eq!(reply.header("location"), location, "{address}");
        assert_sealed_redirect(&reply);
    }
}

fn assert_sealed_redirect(reply: &Reply) {
    assert_eq!(reply.header("cache-control"), "no-store");
    assert_eq!(reply.header("referrer-policy"), "no-referrer");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_page_of_staff_is_in_a_preview() {
    let site = StaffSite::start().await;
    let reply = site.get("/preview/good/staff/today").await;
    assert_eq!(reply.status, StatusCode::NOT_FOUND);
    assert!(!reply.text().contains("Today"), "{}", reply.text());
}
