//! The page of the site's metrics, with real endpoints, good and bad.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
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
outbox_dead 5\n\
# EOF\n";

/// Starts an endpoint that responds with `text`.
async fn endpoint(text: &'static str) -> (String, JoinHandle<()>) {
    answering(move || text.to_owned()).await
}

/// Starts an endpoint that responds with what `answer` returns.
async fn answering(
    answer: impl Fn() -> String + Clone + Send + Sync + 'static,
) -> (String, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("bound");
    let router = Router::new().route("/metrics", get(move || std::future::ready(answer())));
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
async fn shows_problems_states_and_versions() {
    let (url, served) = endpoint(METRICS).await;
    let running = Running::start(&["--metrics-url", &format!("svc-booking={url}")]).await;
    let text = poll(&running, "Ready</b>").await;
    for part in [
        "9.8.7",
        "2 broken",
        "messages given up by the outbox: 5",
        "breaker to &lt;hospital&gt; is open",
        "href=\"/runbooks/OutboxDead\"",
        "<dt>Stable</dt><dd>1.2.3</dd>",
        "<dt>Canary</dt><dd>1.3.0</dd>",
        "integrity: 2",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(text.contains("<noscript><meta http-equiv=\"refresh\""));

    let book = running.get("/runbooks/OutboxDead").await;
    assert!(
        book.text()
            .contains("<h1>OutboxDead</h1><article class=\"book\">")
    );
    assert_eq!(
        running.get("/runbooks/Nothing").await.status,
        StatusCode::NOT_FOUND
    );

    // A process that dies is shown as gone, with the age of its last figures.
    served.abort();
    assert!(served.await.is_err());
    let text = poll(&running, "does not answer").await;
    assert!(
        text.contains("Gone</b>") && text.contains("s old") && text.contains("9.8.7"),
        "{text}"
    );
    assert!(text.contains("href=\"/runbooks/ServiceDown\""));
    running.stop().await;
}

#[tokio::test]
async fn charts_requests_with_links_to_their_traces() {
    let counted = Arc::new(AtomicU64::new(0));
    let count = Arc::clone(&counted);
    let (url, _served) = answering(move || {
        let count = 60 * (1 + count.fetch_add(1, Ordering::Relaxed));
        let name = "http_server_request_duration_seconds_bucket{route=\"/api/a\"";
        format!(
            "build_info{{service=\"gateway\",version=\"1\"}} 1\n\
             http_server_requests_total{{route=\"/api/a\",status=\"200\"}} {count}\n\
             {name},le=\"0.1\"}} {count} # {{trace_id=\"{count:032x}\"}} 0.07 1\n{name},le=\"+Inf\"}} {count}\n\
             remote_version_info{{team=\"a\",version=\"{count}\",role=\"stable\"}} 1\n# EOF\n"
        )
    })
    .await;
    let running = Running::start(&["--metrics-url", &format!("edge={url}")]).await;
    let text = poll(&running, "API <small>gateway</small>").await;
    for part in [
        "Nothing is wrong",
        "a 120 released",
        "class=\"letter\"",
        &format!("href=\"/trace/{:032x}\"", 120),
        "href=\"/search?service=gateway&amp;tags=",
        "API by duration",
        "role=\"img\" aria-label=\"Rate of API of gateway: now 12 per second",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
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
    poll(&running, "Ready</b>").await;
    poll(&running, "no OpenMetrics text").await;
    poll(&running, "status 404").await;
    let text = poll(&running, "no answer within 2 s").await;
    assert!(text.contains("has never answered") && text.contains("9.8.7"));
    running.stop().await;
}

#[tokio::test]
async fn without_targets_the_page_explains_how_to_set_them() {
    let running = Running::start(&[]).await;
    poll(&running, "--metrics-url").await;
    running.stop().await;
}
