//! Native forms that create something count as creates of their network. A refused form keeps its values.

use axum::http::{Method, StatusCode};

use crate::site::Site;

#[tokio::test(flavor = "multi_thread")]
async fn forms_and_calls_share_the_creates_of_a_network() {
    let site = Site::start_with(&["--creates-ipv4-32-max=3"]).await;
    for n in 0..2 {
        let form = format!("name=form-{n}&part=ward%3A%2Fentry");
        assert_eq!(site.post("/entry", &form).await.status, StatusCode::OK);
    }
    let call = async |id: &str| {
        let headers = [
            ("content-type", "application/json"),
            ("x-requested-with", "fetch"),
            ("x-client-id", id),
            ("idempotency-key", id),
        ];
        let sent = site.send(Method::POST, "/api/entries", &headers, r#"{"name":"call"}"#);
        sent.await.status
    };
    assert_eq!(call("a-key-of-sixteen-bytes").await, StatusCode::CREATED);
    assert_eq!(
        call("another-key-of-sixteen").await,
        StatusCode::TOO_MANY_REQUESTS
    );
    let refused = site
        .post("/entry", "name=what+was+typed&part=ward%3A%2Fentry")
        .await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(!refused.header("retry-after").is_empty());
    assert!(
        refused.text().contains("what was typed"),
        "{}",
        refused.text()
    );
    assert!(
        refused.text().contains("RATE_LIMITED"),
        "{}",
        refused.text()
    );
    assert_eq!(site.upstream.ledger.entries().len(), 3);
    // A form that creates nothing is still accepted.
    let asks = site.post("/book", "service=&name=kept").await;
    assert_eq!(asks.status, StatusCode::OK);
}
