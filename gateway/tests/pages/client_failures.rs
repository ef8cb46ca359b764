//! Browser reports about failed page modules.

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
async fn counts_browser_failures_by_team_and_published_version() {
    let site = Site::start().await;
    let token = site.get("/together/x").await.token();
    let failures = [
        failure("clinic", "1.0.0", "list", "hydrate"),
        // Scripts that are not page modules.
        failure("shell", "1.0.0", "shell", "script"),
        failure("clinic", "1.0.0", "remoteEntry", "load"),
    ];
    let body = json!({ "failures": failures, "token": token });
    for _ in 0..2 {
        let reply = report(&site, &body).await;
        assert_eq!(reply.status, StatusCode::ACCEPTED, "{}", reply.text());
    }
    let metrics = site.metrics().await;
    // Repeated reports about one document count once.
    for labels in [
        r#"team="clinic",version="1.0.0",module="list",kind="hydrate""#,
        r#"team="shell",version="1.0.0",module="shell",kind="script""#,
        r#"team="clinic",version="1.0.0",module="remoteEntry",kind="load""#,
    ] {
        let series = format!("browser_module_failures_total{{{labels}}} 1\n");
        assert!(metrics.text().contains(&series), "{series}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn g4_refuses_and_does_not_count_unpublished_versions() {
    let site = Site::start().await;
    let token = site.get("/together/x").await.token();
    for (team, version, module) in [
        ("clinic", "1.0.0", "Asha"),
        ("clinic", "7.7.7", "book"),
        ("Asha", "1.0.0", "book"),
        ("unknown", "unknown", "unknown"),
    ] {
        let body = json!({"failures": [failure(team, version, module, "render")], "token": token});
        let reply = report(&site, &body).await;
        assert_eq!(reply.status, StatusCode::BAD_REQUEST, "{}", reply.text());
        assert!(
            reply.text().contains("failures[0].module"),
            "{}",
            reply.text()
        );
    }
    let metrics = site.metrics().await;
    let mut lines = metrics.text().lines();
    let is_unknown = |line: &str| {
        let ours = line.starts_with("browser_module_failures_total");
        ours && ["unknown", "Asha", "7.7.7"]
            .iter()
            .any(|name| line.contains(name))
    };
    assert!(!lines.any(is_unknown), "{}", metrics.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn accepts_a_report_as_a_whole_or_not_at_all() {
    let site = Site::start().await;
    let token = site.get("/fragile").await.token();
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
            json!({"failures": [good], "token": token, "spans": [{}]}),
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
