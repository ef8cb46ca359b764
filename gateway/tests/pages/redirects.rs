//! Former and short addresses, declared in module.json.

use axum::http::{Method, StatusCode};

use crate::site::{Site, point_to, publish, refusal, remotes};

#[tokio::test(flavor = "multi_thread")]
async fn redirects_a_declared_address_to_its_page() {
    let site = Site::start().await;
    for (from, to) in [
        ("/short", "/items/long"),
        ("/short?utm_source=x", "/items/long"),
        // Takes precedence over a page with a parameter.
        ("/items/old", "/items/new?from=old#top"),
        // Leads to a page that another team may add later.
        ("/later", "/not-yet"),
    ] {
        let reply = site.get(from).await;
        assert_eq!(reply.status, StatusCode::MOVED_PERMANENTLY, "{from}");
        assert_eq!(reply.header("location"), to);
        assert_eq!(reply.header("cache-control"), "public, max-age=3600");
    }
    let reply = site.get("/short/").await;
    assert_eq!(reply.status, StatusCode::PERMANENT_REDIRECT);
    assert_eq!(reply.header("location"), "/short");
    for (spelled, known) in [
        ("/Items/New", "/items/new"),
        ("/LIST/?q=A%20b", "/list?q=A%20b"),
    ] {
        let reply = site.get(spelled).await;
        assert_eq!(reply.status, StatusCode::PERMANENT_REDIRECT, "{spelled}");
        assert_eq!(reply.header("location"), known);
    }
    // Parameter values are left to the page.
    assert_eq!(site.get("/items/New").await.status, StatusCode::OK);
    let reply = site.send(Method::HEAD, "/short", &[], "").await;
    assert_eq!(reply.status, StatusCode::MOVED_PERMANENTLY);
    assert_eq!(site.get("/items/new").await.status, StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn refuses_conflicting_or_external_redirects() {
    for (from, to, complaint) in [
        (
            "\"/short\"",
            "\"/list\"",
            "`/list`: is a page or a file already",
        ),
        (
            "\"/short\"",
            "\"/robots.txt\"",
            "`/robots.txt`: is a page or a file already",
        ),
        (
            "\"/short\"",
            "\"/api/x\"",
            "`/api/x`: is not an allowed address",
        ),
        (
            "\"/short\"",
            "\"/metrics\"",
            "`/metrics`: is not an allowed address",
        ),
        (
            "\"/short\"",
            "\"/{any}\"",
            "`/{any}`: is not an allowed address",
        ),
        (
            "\"/items/long\"",
            "\"//evil.example\"",
            "`//evil.example` is not a path",
        ),
        (
            "\"/items/long\"",
            "\"https://evil.example\"",
            "is not a path",
        ),
        (
            "\"/items/long\"",
            "\"/later#x\"",
            "`/later#x` is a redirect itself",
        ),
        (
            "\"/items/long\"",
            "\"/short\"",
            "`/short` is a redirect itself",
        ),
    ] {
        let folder = remotes();
        publish(folder.path(), "1.1.0", "module.json", from, to);
        point_to(folder.path(), "1.1.0");
        let error = refusal(folder.path()).await;
        assert!(error.contains("redirects: "), "{error}");
        assert!(error.contains(complaint), "{error}");
    }
}
