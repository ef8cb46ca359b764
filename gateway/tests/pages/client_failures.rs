//! What browsers report of page modules that failed there.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::site::{Reply, Site};

async fn report(site: &Site, body: &Value) -> Reply {
    let headers = [
        ("content-type", "application/json"),
        ("x-requested-with", "test"),
    ];
    site.send(Method::POST, "/telemetry", &headers, &body.to_string())
        .await
}

fn failure(team: &str, version: &str, module: &str, kind: &str) -> Value {
    json!({"team": team, "version": version, "module": module, "kind": kind})
}

#[tokio::test(flavor = "multi_thread")]
async fn failures_in_browsers_are_counted_by_team_and_published_version() {
    let site = Site::start().await;
    let failures = [
        failure("ward", "1.0.0", "listing", "hydrate"),
        failure("ward", "1.0.0", "Asha", "load"),
        failure("ward", "7.7.7", "listing", "render"),
        failure("Asha", "1.0.0", "listing", "script"),
    ];
    let reply = report(&site, &json!({ "failures": failures })).await;
    assert_eq!(reply.status, StatusCode::ACCEPTED, "{}", reply.text());
    let metrics = site.metrics().await;
    let text = metrics.text();
    for labels in [
        r#"team="ward",version="1.0.0",module="listing",kind="hydrate""#,
        r#"team="ward",version="1.0.0",module="unknown",kind="load""#,
        r#"team="unknown",version="unknown",module="unknown",kind="render""#,
        r#"team="unknown",version="unknown",module="unknown",kind="script""#,
    ] {
        assert!(
            text.contains(&format!("browser_module_failures_total{{{labels}}}")),
            "{labels}"
        );
    }
    assert!(!text.contains("Asha") && !text.contains("7.7.7"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_is_taken_as_a_whole_or_not_at_all() {
    let site = Site::start().await;
    let good = failure("ward", "1.0.0", "fragile", "load");
    for (body, status) in [
        (json!({}), StatusCode::BAD_REQUEST),
        (
            json!({"failures": vec![good.clone(); 9]}),
            StatusCode::BAD_REQUEST,
        ),
        (
            json!({"failures": [good, failure("ward", "1.0.0", "fragile", "x")]}),
            StatusCode::BAD_REQUEST,
        ),
        (
            json!({"failures": [good], "spans": [{}]}),
            StatusCode::BAD_REQUEST,
        ),
        (json!({"spans": []}), StatusCode::ACCEPTED),
        (json!({"failures": []}), StatusCode::ACCEPTED),
    ] {
        let reply = report(&site, &body).await;
        assert_eq!(reply.status, status, "{body}: {}", reply.text());
    }
    let metrics = site.metrics().await;
    assert!(!metrics.text().contains(r#"module="fragile",kind="load""#));
}
