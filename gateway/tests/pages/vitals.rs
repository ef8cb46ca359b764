//! Browser reports of web vitals.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::site::{Reply, Site};

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";

async fn report(site: &Site, body: &Value) -> Reply {
    let headers = [
        ("content-type", "application/json"),
        ("x-requested-with", "test"),
    ];
    site.send(Method::POST, "/telemetry", &headers, &body.to_string())
        .await
}

fn vitals(path: &str, values: &[Value]) -> Value {
    let traceparent = format!("00-{TRACE}-b7ad6b7169203331-01");
    json!({"vitals": {"path": path, "traceparent": traceparent, "values": values}})
}

#[tokio::test(flavor = "multi_thread")]
async fn counts_vitals_by_route_and_team_with_a_trace_exemplar() {
    let site = Site::start().await;
    let values = [
        json!({"name": "LCP", "value": 2400, "team": "ward"}),
        json!({"name": "CLS", "value": 0.07, "team": "Asha"}),
    ];
    let reply = report(&site, &vitals("/viewed/asha", &values)).await;
    assert_eq!(reply.status, StatusCode::ACCEPTED, "{}", reply.text());
    let reply = report(&site, &vitals("/nowhere/asha", &values)).await;
    assert_eq!(reply.status, StatusCode::ACCEPTED, "{}", reply.text());
    let metrics = site.metrics().await;
    let text = metrics.text();
    let lcp = r#"browser_web_vital_seconds_bucket{le="2.5",vital="lcp",route="/viewed/{name}",team="ward"} 1 # "#;
    let lcp = format!("{lcp}{{trace_id=\"{TRACE}\"}} 2.4 ");
    assert!(text.contains(&lcp), "{text}");
    for line in [
        r#"browser_web_vital_seconds_count{vital="lcp",route="unknown",team="ward"} 1"#,
        r#"browser_cumulative_layout_shift_count{route="/viewed/{name}",team="unknown"} 1"#,
    ] {
        assert!(text.lines().any(|found| found == line), "{line}: {text}");
    }
    assert!(!text.to_ascii_lowercase().contains("asha"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_with_one_impossible_value_counts_nothing() {
    let site = Site::start().await;
    let values = [
        json!({"name": "INP", "value": 90, "team": "ward"}),
        json!({"name": "TTFB", "value": -1, "team": "ward"}),
    ];
    let reply = report(&site, &vitals("/viewed/ravi", &values)).await;
    assert_eq!(reply.status, StatusCode::BAD_REQUEST);
    assert!(
        reply.text().contains("vitals.values[1].value"),
        "{}",
        reply.text()
    );
    let metrics = site.metrics().await;
    assert!(!metrics.text().contains(r#"vital="inp""#));
}
