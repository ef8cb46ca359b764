//! Documents name the scripts of the pages that they lead to, for browsers to fetch ahead.

use axum::http::StatusCode;

use crate::site::Site;

const SCRIPTS: [&str; 3] = [
    "/remotes/shell/1.0.0/shell.0001.js",
    "/remotes/clinic/1.0.0/remoteEntry.0001.js",
    "/remotes/clinic/1.0.0/book.0001.js",
];

#[tokio::test(flavor = "multi_thread")]
async fn a_link_to_a_page_that_hydrates_at_once_names_its_scripts() {
    let site = Site::start().await;
    let reply = site.get("/leads/book").await;
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
        // Another address would be fetched twice, and one that may change would be asked for again.
        let preload = format!(r#"<link rel="preload" as="script" href="{script}">"#);
        assert!(booking.text().contains(&preload), "{}", booking.text());
        let file = site.get(script).await;
        assert_eq!(file.status, StatusCode::OK, "{script}");
        let policy = file.header("cache-control");
        assert!(policy.contains("immutable"), "{script}: {policy}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn other_documents_name_none() {
    let site = Site::start().await;
    for path in [
        // Hydrates itself.
        "/book",
        "/leads-busy/book",
        "/leads/visible",
        "/leads/nowhere",
        "/leads/text",
        "/list",
        "/nowhere",
    ] {
        let reply = site.get(path).await;
        let html = reply.text();
        assert!(html.contains("<body><header>"), "{path}: {html}");
        assert!(!html.contains("data-ahead"), "{path}: {html}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_version_is_named_with_its_scripts() {
    let site = Site::start().await;
    assert!(site.get("/leads/book").await.text().contains(SCRIPTS[2]));
    site.publish("2.0.0", "server.js", "1.0.0", "2.0.0");
    site.point_to("2.0.0");
    site.poll("/leads/book", "the new version", |reply| {
        let html = reply.text();
        html.contains("/remotes/clinic/2.0.0/book.0001.js") && !html.contains("clinic/1.0.0")
    })
    .await;
}
