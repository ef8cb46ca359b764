//! Documents name the scripts of pages that declare prefetching, so that browsers can fetch them in advance.

use axum::http::StatusCode;

use crate::site::Site;

const SCRIPTS: [&str; 3] = [
    "/remotes/shell/1.0.0/shell.0001.js",
    "/remotes/clinic/1.0.0/remoteEntry.0001.js",
    "/remotes/clinic/1.0.0/book.0001.js",
];

#[tokio::test(flavor = "multi_thread")]
async fn scriptless_documents_prefetch_scripts_of_opted_in_pages() {
    let site = Site::start().await;
    let reply = site.get("/plain").await;
    let html = reply.text();
    let body = format!(r#"<body data-ahead="{}"><header>"#, SCRIPTS.join(" "));
    assert!(html.contains(&body), "{html}");
    assert_eq!(html.matches("data-ahead").count(), 1, "{html}");
    assert!(
        !html.contains("preload") && !html.contains(" src="),
        "{html}"
    );
    let booking = site.get("/book").await;
    for script in SCRIPTS {
        // With another address the script would be fetched twice. A mutable address would cause a revalidation.
        let preload = format!(r#"<link rel="preload" as="script" href="{script}">"#);
        assert!(booking.text().contains(&preload), "{}", booking.text());
        let file = site.get(script).await;
        assert_eq!(file.status, StatusCode::OK, "{script}");
        let policy = file.header("cache-control");
        assert!(policy.contains("immutable"), "{script}: {policy}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn hydrated_or_bare_documents_prefetch_nothing() {
    let site = Site::start().await;
    // The first two hydrate themselves. The last one is resident and must stay light, as it serves while everything
    // else is down.
    for path in ["/book", "/together/x", "/urgent"] {
        let reply = site.get(path).await;
        let html = reply.text();
        assert!(html.contains("<body><header>"), "{path}: {html}");
        assert!(!html.contains("data-ahead"), "{path}: {html}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn prefetches_scripts_of_a_new_version() {
    let site = Site::start().await;
    assert!(site.get("/plain").await.text().contains(SCRIPTS[2]));
    site.publish("2.0.0", "server.js", "1.0.0", "2.0.0");
    site.point_to("2.0.0");
    site.poll("/plain", "the new version", |reply| {
        let html = reply.text();
        html.contains("/remotes/clinic/2.0.0/book.0001.js") && !html.contains("clinic/1.0.0")
    })
    .await;
}
