//! Resubmitted native forms: only the first sender sees the details of the response.

use std::fs;

use axum::http::{Method, StatusCode};
use futures::future::join_all;
use serde_json::json;

use crate::site::{Reply, Site};

const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");

async fn start(flags: &[&str]) -> Site {
    Site::start_with(&[&["--trusted-hops=1"], flags].concat()).await
}

async fn send_from(site: &Site, address: &str, form: &str) -> Reply {
    let headers = [FORM, ("x-forwarded-for", address)];
    site.send(Method::POST, "/entry", &headers, form).await
}

fn shows_details(reply: &Reply) -> bool {
    let text = reply.text();
    let is_neutral = text.contains("<h1>We already have this form</h1>");
    assert_eq!(reply.status, StatusCode::OK, "{text}");
    assert_ne!(
        is_neutral,
        text.contains("&quot;status&quot;:201"),
        "{text}"
    );
    assert!(
        !is_neutral || !text.contains("e1") && !text.contains("Asha"),
        "{text}"
    );
    !is_neutral
}

#[tokio::test(flavor = "multi_thread")]
async fn replay_from_another_network_reveals_nothing() {
    let site = start(&[]).await;
    let form = "name=Asha&day=Mon";
    assert!(shows_details(&send_from(&site, "192.0.2.1", form).await));
    assert!(
        shows_details(&send_from(&site, "192.0.2.1", form).await),
        "a reload"
    );
    for _ in 0..2 {
        // The second request comes from a network that has sent the form before. That does not make the network the
        // first sender.
        let stranger = send_from(&site, "198.51.100.7", form).await;
        assert!(!shows_details(&stranger));
        assert!(stranger.text().contains("href=\"/entry\""));
        assert_eq!(stranger.header("cache-control"), "no-store");
    }
    assert!(
        shows_details(&send_from(&site, "192.0.2.1", form).await),
        "still theirs"
    );
    // A home network has a /64.
    let home = "name=Asha&day=Tue";
    assert!(shows_details(
        &send_from(&site, "2001:db8:1:2::1", home).await
    ));
    assert!(shows_details(
        &send_from(&site, "2001:db8:1:2::9", home).await
    ));
    assert!(!shows_details(
        &send_from(&site, "2001:db8:1:3::1", home).await
    ));
    assert_eq!(site.upstream.ledger.entries().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_simultaneous_submissions_make_one_entry_and_both_see_it() {
    let site = start(&[]).await;
    let taps = (0..6).map(async |_| send_from(&site, "192.0.2.1", "name=Asha").await);
    assert!(join_all(taps).await.iter().all(shows_details));
    // Concurrent requests from elsewhere: none of them is the first sender.
    let strangers = (0..6).map(async |_| send_from(&site, "198.51.100.7", "name=Asha").await);
    assert!(!join_all(strangers).await.iter().any(shows_details));
    assert_eq!(site.upstream.ledger.entries().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn replay_after_a_restart_reveals_nothing_and_counts_once() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let key = folder.path().join("key");
    fs::write(&key, [7; 48]).expect("writable");
    let flag = format!("--form-key-file={}", key.to_str().expect("UTF-8"));
    let site = start(&[&flag]).await;
    assert!(shows_details(
        &send_from(&site, "192.0.2.1", "name=Asha").await
    ));
    // The same gateway, restarted in front of the same service.
    let again = site.beside(&["--trusted-hops=1", &flag]).await;
    assert!(!shows_details(
        &send_from(&again, "192.0.2.1", "name=Asha").await
    ));
    assert_eq!(site.upstream.ledger.entries().len(), 1);
    // With another form key the request counts as another form.
    let other = site.beside(&["--trusted-hops=1"]).await;
    assert!(shows_details(
        &send_from(&other, "192.0.2.1", "name=Asha").await
    ));
    assert_eq!(site.upstream.ledger.entries().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn shows_answers_without_a_replay_mark_unchanged() {
    let site = start(&[]).await;
    // A key supplied by the form itself is unique to its sender.
    let own = "name=Asha&requestId=7f0c";
    assert!(shows_details(&send_from(&site, "192.0.2.1", own).await));
    assert!(shows_details(&send_from(&site, "198.51.100.7", own).await));
    for form in ["method=GET&id=e1", "method=PATCH&id=e1&name=Ravi"] {
        for address in ["192.0.2.1", "198.51.100.7"] {
            let reply = send_from(&site, address, form).await;
            assert!(
                reply.text().contains("&quot;status&quot;:200"),
                "{}",
                reply.text()
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn api_marks_replayed_answers() {
    let site = start(&[]).await;
    let body = json!({"name": "Asha"}).to_string();
    let headers = [
        ("content-type", "application/json"),
        ("x-requested-with", "test"),
        ("idempotency-key", "one"),
    ];
    for expected in ["", "true"] {
        let reply = site
            .send(Method::POST, "/api/entries", &headers, &body)
            .await;
        assert_eq!(reply.status, StatusCode::CREATED, "{}", reply.text());
        assert_eq!(reply.header("idempotent-replayed"), expected);
    }
}
