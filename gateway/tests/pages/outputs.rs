//! Page outputs other than a document: a redirect, a feed, or several modules.

use axum::http::StatusCode;

use crate::site::{Site, point_to, publish, refusal, remotes};

#[tokio::test(flavor = "multi_thread")]
async fn module_redirects_readers_to_the_canonical_address() {
    let site = Site::start().await;
    for (query, status, location) in [
        ("to=/items/a%3Fb=c%23d", 301, "/items/a?b=c#d"),
        ("to=/items/a&status=302", 302, "/items/a"),
        ("to=/items/a&status=308", 308, "/items/a"),
    ] {
        // The second response comes from the cache.
        for _ in 0..2 {
            let reply = site.get(&format!("/moved/elsewhere?{query}")).await;
            assert_eq!(reply.status.as_u16(), status, "{query}");
            assert_eq!(reply.header("location"), location);
            assert!(reply.body.is_empty());
        }
    }
    for query in [
        "to=//evil.example/",
        "to=https://evil.example/",
        "to=/%5Cevil.example",
        "to=/a%0d%0aset-cookie:x",
        "to=/moved/elsewhere",
        "to=/items/a&status=404",
    ] {
        let reply = site.get(&format!("/moved/elsewhere?{query}")).await;
        assert_eq!(reply.header("location"), "", "{query}");
        assert!(reply.text().contains("<h1>Here</h1>"), "{query}");
    }
    // A redirecting status without a location is a fault of the module.
    for path in [
        "/moved/nowhere?status=301",
        "/moved/elsewhere?status=301&to=//evil.example/",
    ] {
        let reply = site.get(path).await;
        assert_eq!(reply.status, StatusCode::INTERNAL_SERVER_ERROR, "{path}");
        assert_eq!(reply.header("location"), "");
        assert!(reply.text().contains("Sorry"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sends_a_feed_unchanged() {
    let site = Site::start().await;
    let feed = site.get("/feed.xml").await;
    assert_eq!(feed.status, StatusCode::OK);
    assert_eq!(
        feed.header("content-type"),
        "application/atom+xml; charset=utf-8"
    );
    assert!(feed.text().starts_with("<feed>entry "), "{}", feed.text());
    assert!(feed.text().ends_with("SERVING</feed>"), "{}", feed.text());
    assert!(
        feed.header("content-security-policy")
            .contains("default-src 'none'")
    );
    let tag = feed.header("etag");
    let known = site.get_with("/feed.xml", &[("if-none-match", tag)]).await;
    assert_eq!(known.status, StatusCode::NOT_MODIFIED);
    let coded = site
        .get_with("/feed.xml", &[("accept-encoding", "br")])
        .await;
    assert_eq!(coded.decoded(), feed.text());
    let text = site.get("/feeds/good").await;
    assert_eq!(text.header("content-type"), "text/plain; charset=utf-8");
    let none = site.get("/feeds/none").await;
    assert_eq!(none.status, StatusCode::NOT_FOUND);
    assert_eq!(none.text(), "no such feed");
    let broken = site.get("/feeds/broken").await;
    assert_eq!(broken.status, StatusCode::INTERNAL_SERVER_ERROR);
    assert!(broken.header("content-type").starts_with("text/html"));
    assert!(
        broken.text().contains("tel:+918000000108"),
        "{}",
        broken.text()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn additional_modules_follow_the_pages_own() {
    let site = Site::start().await;
    let reply = site.get("/together/tea").await;
    assert_eq!(reply.status, StatusCode::OK);
    let html = reply.text();
    let places: Vec<usize> = [
        "data-fragment=\"f0\" data-module=\"clinic/item\"",
        "<h1>tea</h1>",
        "data-fragment=\"f1\" data-module=\"clinic/book\"",
        "<form",
        "data-fragment=\"f2\" data-module=\"clinic/throw\"",
        "Part missing",
        "data-fragment=\"f3\" data-module=\"nobody/nothing\"",
        "id=\"page-data\"",
    ]
    .iter()
    .map(|part| {
        html.find(part)
            .unwrap_or_else(|| panic!("no {part} in {html}"))
    })
    .collect();
    assert!(places.is_sorted(), "{places:?} {html}");
    // Each fragment hydrates independently, with its own data.
    let data = &html[html.find("id=\"page-data\"").expect("there")..];
    assert!(data.contains(r#""id":"f1","remote":"clinic","module":"book","hydrate":"visible""#));
    assert!(!data.contains(r#""id":"f0""#), "{data}");
    assert!(data.contains(r#""one":{"ok":"#), "{data}");
}

#[tokio::test(flavor = "multi_thread")]
async fn refuses_contradictory_outputs() {
    for (from, to, complaint) in [
        (
            "application/atom+xml",
            "text/html",
            "contentType: `text/html`",
        ),
        (
            "\"contentType\": \"text/plain\"",
            "\"contentType\": \"text/plain\", \"action\": true",
            "contentType: allows neither",
        ),
        ("./beside", "./nowhere", "`clinic:nowhere` is not among"),
        (
            "/urgent\", \"module",
            "/urgent/{who}\", \"module",
            "resident: is for one",
        ),
    ] {
        let folder = remotes();
        publish(folder.path(), "1.1.0", "module.json", from, to);
        point_to(folder.path(), "1.1.0");
        let error = refusal(folder.path()).await;
        assert!(error.contains(complaint), "{error}");
    }
}
