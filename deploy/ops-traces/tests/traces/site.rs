//! The page of the site's metrics, with real endpoints, good and bad.

use std::time::{Duration, Instant};

use axum::{Router, routing::get};
use http::StatusCode;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::running::Running;

const PATIENCE: Duration = Duration::from_secs(20);

const METRICS: &str = "# TYPE build info\n\
build_info{service_name=\"svc-booking\",version=\"9.8.7\"} 1\n\
outbox_waiting 41\n\
outbox_oldest_age_seconds 12.5\n\
upstream_breaker_state{upstream=\"<hospital>\"} 1\n\
rpc_server_duration_seconds_count{method=\"a.B/C\",code=\"0\"} 10\n\
remote_version_info{team=\"booking\",version=\"1.2.3\",role=\"stable\"} 1\n\
remote_version_info{team=\"booking\",version=\"1.3.0\",role=\"canary\"} 1\n\
remote_refusals_total{team=\"content\",reason=\"integrity\"} 2\n\
# EOF\n";

/// Starts an endpoint that responds with `text`.
async fn endpoint(text: &'static str) -> (String, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("bound");
    let router = Router::new().route("/metrics", get(move || async move { text }));
    let served = tokio::spawn(async move {
        axum::serve(listener, router).await.expect("serves");
    });
    (format!("http://{address}/metrics"), served)
}

async fn poll(running: &Running, what: &str) -> String {
    let began = Instant::now();
    loop {
        let asked = Instant::now();
        let reply = running.get("/site").await;
        assert_eq!(reply.status, StatusCode::OK);
        assert!(
            asked.elapsed() < Duration::from_secs(1),
            "the page waits for nobody"
        );
        let text = reply.text();
        if text.contains(what) {
            return text;
        }
        assert!(began.elapsed() < PATIENCE, "`{what}` is not there: {text}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn shows_metrics_of_a_process() {
    let (url, served) = endpoint(METRICS).await;
    let running = Running::start(&["--metrics-url", &format!("svc-booking={url}")]).await;
    let text = poll(&running, "<td>answers</td>").await;
    for cell in [
        "9.8.7",
        "41",
        "12.5",
        "&lt;hospital&gt;",
        "RPCs",
        "0.00",
        "1.2.3",
        "1.3.0",
        "integrity: 2",
    ] {
        assert!(text.contains(&format!("<td>{cell}</td>")), "{cell}: {text}");
    }
    assert!(text.contains("http-equiv=\"refresh\"") && !text.contains("<script"));

    // A process that dies is shown as not answering, with the age of its last figures.
    served.abort();
    assert!(served.await.is_err());
    let text = poll(&running, "does not answer").await;
    assert!(
        text.contains("s old") && text.contains("<td>9.8.7</td>"),
        "{text}"
    );
    running.stop().await;
}

#[tokio::test]
async fn a_hanging_or_garbled_target_hides_no_other() {
    let (good, _good) = endpoint(METRICS).await;
    let (rubbish, _rubbish) = endpoint("<!doctype html><title>503</title>").await;
    // Accepts connections but never responds.
    let hangs = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let hangs_at = hangs.local_addr().expect("bound");
    let flags = [
        format!("--metrics-url=hangs=http://{hangs_at}/metrics"),
        format!("--metrics-url=rubbish={rubbish}"),
        format!("--metrics-url=lost={rubbish}/nowhere"),
        format!("--metrics-url=good={good}"),
    ];
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let running = Running::start(&flags).await;
    poll(&running, "<td>answers</td>").await;
    poll(&running, "no OpenMetrics text").await;
    poll(&running, "status 404").await;
    let text = poll(&running, "no answer within 2 s").await;
    assert!(text.contains("has never answered") && text.contains("<td>9.8.7</td>"));
    running.stop().await;
}

#[tokio::test]
async fn without_targets_the_page_explains_how_to_set_them() {
    let running = Running::start(&[]).await;
    poll(&running, "--metrics-url").await;
    running.stop().await;
}
