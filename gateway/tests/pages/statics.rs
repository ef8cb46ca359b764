use axum::http::{Method, StatusCode};

use crate::site::Site;

#[tokio::test(flavor = "multi_thread")]
async fn published_files_are_immutable() {
    let site = Site::start().await;
    let path = "/remotes/clinic/1.0.0/book.0001.js";
    let plain = site.get(path).await;
    assert_eq!(plain.status, StatusCode::OK);
    assert_eq!(
        plain.header("content-type"),
        "text/javascript; charset=utf-8"
    );
    assert_eq!(
        plain.header("cache-control"),
        "public, max-age=31536000, immutable"
    );
    assert_eq!(plain.header("x-content-type-options"), "nosniff");
    assert_eq!(plain.header("cross-origin-resource-policy"), "same-origin");
    for coding in ["br", "gzip"] {
        let coded = site.get_with(path, &[("accept-encoding", coding)]).await;
        assert_eq!(coded.header("content-encoding"), coding);
        assert_eq!(coded.decoded(), plain.text());
    }
    let known = site
        .get_with(path, &[("if-none-match", plain.header("etag"))])
        .await;
    assert_eq!(known.status, StatusCode::NOT_MODIFIED);
    let head = site.send(Method::HEAD, path, &[], "").await;
    assert_eq!((head.status, head.body.len()), (StatusCode::OK, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn root_files_can_change() {
    let site = Site::start().await;
    let robots = site.get("/robots.txt").await;
    assert_eq!(robots.header("content-type"), "text/plain; charset=utf-8");
    assert_eq!(robots.header("cache-control"), "public, max-age=3600");
    assert!(robots.text().contains("User-agent"));
}

#[tokio::test(flavor = "multi_thread")]
async fn serves_a_worker_that_removes_itself_while_the_service_worker_is_off() {
    let on = Site::start().await;
    assert_eq!(on.get("/sw.js").await.status, StatusCode::NOT_FOUND);
    let off = Site::start_with(&["--service-worker", "off"]).await;
    let worker = off.get("/sw.js").await;
    assert_eq!(worker.status, StatusCode::OK);
    assert_eq!(
        worker.header("content-type"),
        "text/javascript; charset=utf-8"
    );
    assert_eq!(worker.header("cache-control"), "no-cache");
    assert!(worker.text().contains("registration.unregister()"));
}

#[tokio::test(flavor = "multi_thread")]
async fn serves_nothing_outside_the_published_files() {
    let site = Site::start().await;
    let attempts = [
        "/remotes/remotes.json",
        "/remotes/clinic/1.0.0/server.js",
        "/remotes/clinic/1.0.0/module.json",
        "/remotes/clinic/1.0.0/",
        "/remotes/clinic/1.0.0/../../remotes.json",
        "/remotes/clinic/1.0.0/%2e%2e/%2e%2e/remotes.json",
        "/remotes/clinic/1.0.0/..%2f..%2fremotes.json",
        "/remotes/..%5c..%5cetc/passwd",
        "/remotes//etc/passwd",
        "/../../etc/passwd",
        "/remotes/clinic/1.0.0/book.0001.js%00.css",
        "/remotes/clinic/1.0.0/book.0001.js.br",
    ];
    for path in attempts {
        let reply = site.get(path).await;
        assert_eq!(
            reply.status,
            StatusCode::NOT_FOUND,
            "{path}: {}",
            reply.text()
        );
        assert!(
            !reply.text().contains("root:") && !reply.text().contains("hospitalRender"),
            "{path}"
        );
    }
}
