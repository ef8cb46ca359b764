use std::fs;

use axum::http::StatusCode;

use crate::site::Site;

#[tokio::test(flavor = "multi_thread")]
async fn moved_pointer_swaps_versions_and_back_without_a_restart() {
    let site = Site::start().await;
    assert!(site.get("/list").await.text().contains("List 1.0.0"));
    site.publish("1.1.0", "server.js", "'1.0.0'", "'1.1.0'");
    site.point_to("1.1.0");
    let new = site
        .poll("/list", "swap", |reply| reply.text().contains("List 1.1.0"))
        .await;
    assert!(
        new.text().contains(r#"data-version="1.1.0""#),
        "{}",
        new.text()
    );
    // Pages already open in a browser can still load their scripts.
    assert_eq!(
        site.get("/remotes/clinic/1.0.0/book.0001.js").await.status,
        StatusCode::OK
    );
    assert_eq!(
        site.get("/remotes/clinic/1.1.0/book.0001.js").await.status,
        StatusCode::OK
    );
    site.point_to("1.0.0");
    site.poll("/list", "rollback", |reply| {
        reply.text().contains("List 1.0.0")
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn refuses_a_broken_version_and_keeps_the_old_one() {
    let site = Site::start().await;
    site.publish("1.1.0", "server.js", "const VERSION", "const const");
    site.point_to("1.1.0");
    site.publish("1.2.0", "server.js", "'1.0.0'", "'1.2.0'");
    // Until the next good version, every response comes from the old one.
    for _ in 0..30 {
        assert!(site.get("/list").await.text().contains("List 1.0.0"));
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    fs::write(site.folder.path().join("remotes.json"), "{").expect("writable");
    assert!(site.get("/list").await.text().contains("List 1.0.0"));
    site.point_to("1.2.0");
    site.poll("/list", "swap", |reply| reply.text().contains("List 1.2.0"))
        .await;
}
