//! The sender of a form learns its outcome even if the page cannot be rendered.

use std::sync::atomic::{AtomicBool, Ordering};

use axum::http::StatusCode;
use futures::future::{join, join_all};

use crate::site::{Reply, Site};

fn is_own_page(reply: &Reply) -> bool {
    reply
        .header("content-security-policy")
        .contains("form-action 'none'")
}

#[tokio::test(flavor = "multi_thread")]
async fn readers_cannot_block_forms() {
    let site = Site::start_with(&["--render-threads=1", "--render-queue-max=1"]).await;
    // The first call opens the connection to the service.
    assert!(site.post("/entry", "name=first").await.status.is_success());
    let is_over = AtomicBool::new(false);
    let (site, is_over) = (&site, &is_over);
    let readers = join_all((0..10).map(async |reader| {
        let mut shed = 0;
        for n in 0.. {
            let reply = site.get(&format!("/slow/{reader}-{n}")).await;
            shed += usize::from(reply.status == StatusCode::SERVICE_UNAVAILABLE);
            if is_over.load(Ordering::Relaxed) {
                break;
            }
        }
        shed
    }));
    let forms = async {
        let forms =
            (0..8).map(async |n| site.post("/entry", &format!("name=n{n}&receipt=yes")).await);
        let sent = join_all(forms).await;
        is_over.store(true, Ordering::Relaxed);
        sent
    };
    let (shed, sent) = join(readers, forms).await;
    assert!(shed.iter().sum::<usize>() > 0, "ten at once do not fit");
    for reply in &sent {
        assert!(
            reply.status.is_success(),
            "{}: {}",
            reply.status,
            reply.text()
        );
        let text = reply.text();
        assert!(
            text.contains("&quot;status&quot;:201"),
            "its own page: {text}"
        );
    }
    assert_eq!(site.upstream.ledger.entries().len(), 9);
}

#[tokio::test(flavor = "multi_thread")]
async fn sends_a_receipt_if_the_confirmation_cannot_be_rendered() {
    let site = Site::start_with(&["--emergency-phone=+91 80 0000 0108"]).await;
    for (confirm, name) in [
        ("throws", "A+%26+%3CB%3E"),
        ("spins", "A+%26+%3CB%3E+again"),
    ] {
        let form = format!("name={name}&day=Mon&receipt=yes&confirm={confirm}");
        let reply = site.post("/fragile", &form).await;
        let text = reply.text();
        assert_eq!(reply.status, StatusCode::CREATED, "{confirm}: {text}");
        assert!(is_own_page(&reply) && reply.header("cache-control") == "no-store");
        assert!(
            text.contains("<h1>Your entry is kept</h1><p>Bring &lt;this> along.</p>"),
            "{text}"
        );
        // In the module's order; lists and fields missing from the response are left out.
        assert!(text.contains("<dl><dt>Reference</dt><dd>e"), "{text}");
        assert!(
            text.contains("</dd><dt>Name</dt><dd>A &amp; &lt;B>"),
            "{text}"
        );
        assert!(text.contains("<dt>Paid</dt><dd>no</dd></dl>"), "{text}");
        assert!(!text.contains("Days") && !text.contains("Absent"), "{text}");
        assert!(
            text.contains("tel:+918000000108") && text.contains("href=\"/fragile\""),
            "{text}"
        );
    }
    assert_eq!(site.upstream.ledger.entries().len(), 2);
    let plain = site.post("/fragile", "name=C&confirm=throws").await;
    assert_eq!(plain.status, StatusCode::CREATED);
    assert!(
        plain.text().contains("<h1>We have your form</h1>"),
        "{}",
        plain.text()
    );
    // The response to a removal has no body, but the page has one.
    let gone = site
        .post("/fragile", "id=e1&method=DELETE&confirm=throws")
        .await;
    assert_eq!(gone.status, StatusCode::OK);
    assert!(
        gone.text().contains("<h1>We have your form</h1>"),
        "{}",
        gone.text()
    );
    let metrics = site.metrics().await;
    assert!(metrics.text().contains("form_receipts_total"), "counted");
}

#[tokio::test(flavor = "multi_thread")]
async fn failing_frame_does_not_hide_a_confirmation() {
    let site = Site::start().await;
    let reply = site.post("/unframed", "name=A&receipt=yes").await;
    assert_eq!(reply.status, StatusCode::CREATED, "{}", reply.text());
    assert!(
        reply.text().contains("<h1>Your entry is kept</h1>"),
        "{}",
        reply.text()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn reports_that_nothing_was_sent_if_the_action_fails() {
    let site = Site::start().await;
    let reply = site.post("/entry", "translate=throws&name=kept").await;
    let text = reply.text();
    assert_eq!(reply.status, StatusCode::INTERNAL_SERVER_ERROR, "{text}");
    assert!(
        text.contains("role=\"alert\"") && text.contains("Nothing was sent."),
        "{text}"
    );
    assert!(text.contains("kept"), "what was typed is there: {text}");
    let alone = site.post("/unframed", "translate=throws&name=kept").await;
    assert_eq!(alone.status, StatusCode::INTERNAL_SERVER_ERROR);
    assert!(
        alone.text().contains("<h1>Your form was not sent</h1>"),
        "{}",
        alone.text()
    );
    assert!(site.upstream.ledger.entries().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn distinguishes_refusals_from_failures_without_a_page() {
    let site = Site::start().await;
    let refused = site.post("/unframed", "name=").await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    assert!(
        refused
            .text()
            .contains("<h1>Your form was not accepted</h1>"),
        "{}",
        refused.text()
    );
    site.upstream.stop().await;
    let failed = site.post("/unframed", "name=A").await;
    assert_eq!(failed.status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(!failed.header("retry-after").is_empty());
    let text = failed.text();
    assert!(
        text.contains("<h1>We don't know if your form reached us</h1>"),
        "{text}"
    );
    // A form that only reads has nothing to confirm.
    site.upstream.restart().await;
    site.upstream
        .ledger
        .write("one", serde_json::json!({"name": "A"}));
    let read = site.post("/unframed", "method=GET&id=one").await;
    assert!(read.status.is_server_error(), "{}", read.text());
    assert!(!read.text().contains("received"), "{}", read.text());
}
