//! A change behind the API appears in documents at once, before they become stale.

use std::time::Duration;

use axum::http::StatusCode;

use crate::site::Site;

const OLD: &str = "Serving SERVING";
const NEW: &str = "Serving NOT_SERVING";

/// Starts a site and waits until it watches its upstream for changes.
async fn listening(flags: &[&str]) -> Site {
    let site = Site::start_with(flags).await;
    assert!(site.get("/serving").await.text().contains(OLD));
    site.upstream.set_serving(false).await;
    // Announced repeatedly, because the moment at which the first stream opens is unknown.
    site.poll("/serving", "first change", |reply| {
        if site.upstream.announcer.streams() > 0 {
            site.upstream.announcer.announce("2", &["/health-check"]);
        }
        reply.text().contains(NEW)
    })
    .await;
    site.upstream.set_serving(true).await;
    site.upstream.announcer.announce("3", &["/health-check"]);
    site.poll("/serving", "change back", |reply| {
        reply.text().contains(OLD)
    })
    .await;
    site
}

#[tokio::test(flavor = "multi_thread")]
async fn rerenders_a_changed_document_before_sending() {
    let site = listening(&[]).await;
    let other = site.get("/count/other").await;
    site.upstream.set_serving(false).await;
    // The page allows an age of one hour, and no change has been announced.
    for _ in 0..5 {
        assert!(site.get("/serving").await.text().contains(OLD));
    }
    let told = std::time::Instant::now();
    site.upstream.announcer.announce("4", &["/health-check"]);
    site.poll("/serving", "change", |reply| reply.text().contains(NEW))
        .await;
    // Far less than the hour; the bound allows for a busy machine.
    assert!(told.elapsed() < Duration::from_secs(5));
    // The stale document is never served again.
    for _ in 0..5 {
        assert!(site.get("/serving").await.text().contains(NEW));
    }
    drop(other);
}

#[tokio::test(flavor = "multi_thread")]
async fn keeps_documents_without_the_changed_data() {
    let site = listening(&["--render-threads=1"]).await;
    // The page's only data is the shell's, which every document has. It shows its number of renders.
    let before = site.get("/plain").await;
    site.upstream.announcer.announce("4", &["/health"]);
    site.upstream
        .announcer
        .announce("4", &["/health-check-of-others"]);
    for _ in 0..10 {
        assert_eq!(site.get("/plain").await.text(), before.text());
    }
    site.upstream.announcer.announce("5", &["/health-check"]);
    site.poll("/plain", "new render", |reply| {
        reply.text() != before.text()
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn serves_a_changed_document_stale_if_rendering_fails() {
    let site = listening(&[]).await;
    site.upstream.announcer.announce("4", &["/health-check"]);
    site.upstream.stop().await;
    for _ in 0..10 {
        let reply = site.get("/serving").await;
        assert_eq!(reply.status, StatusCode::OK);
        assert!(reply.text().contains(OLD), "{}", reply.text());
    }
    // The revision reveals the change that was made while no stream was open.
    site.upstream.announcer.hang_up("5");
    site.upstream.restart_as(false).await;
    site.poll("/serving", "recovery", |reply| reply.text().contains(NEW))
        .await;
}
