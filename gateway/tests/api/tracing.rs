//! Trace ids through the gateway: continued, returned to the browser, forwarded, and in every problem document.

use http::Method;

use crate::gateway_under_test::{Answer, start};

const STRANGER: &str = "0af7651916cd43dd8448eb211c80319c";

/// Returns the `traceparent` that the response gives the browser.
fn told(answer: &Answer) -> String {
    let timing = answer.header("server-timing");
    let value = timing.strip_prefix("traceparent;desc=\"").unwrap();
    value.trim_end_matches('"').to_owned()
}

#[tokio::test]
async fn propagates_a_trace_from_caller_to_service() {
    let (gateway, library) = start(&[]).await;
    let ask = gateway.ask(Method::GET, "/api/shelves/a/books/1");
    let parent = format!("00-{STRANGER}-b7ad6b7169203331-00");
    let answer = ask.header("traceparent", &parent).send().await;
    assert!(told(&answer).starts_with(&format!("00-{STRANGER}-")));
    assert!(
        library
            .last("traceparent")
            .starts_with(&format!("00-{STRANGER}-"))
    );
    let answer = gateway.get("/api/nothing").await;
    let trace_id = answer.problem(404)["traceId"].as_str().unwrap().to_owned();
    assert_eq!(told(&answer).split('-').nth(1).unwrap(), trace_id);
    assert_ne!(trace_id, STRANGER);
}

#[tokio::test]
async fn gateway_decides_sampling() {
    let (gateway, library) = start(&["--trace-read-ratio=0"]).await;
    let sampled = format!("00-{STRANGER}-b7ad6b7169203331-01");
    let ask = gateway.ask(Method::GET, "/api/shelves/a/books/1");
    let answer = ask.header("traceparent", &sampled).send().await;
    assert!(
        told(&answer).ends_with("-00"),
        "an untrusted sampled flag was not ignored"
    );
    assert!(library.last("traceparent").ends_with("-00"));
    let post = gateway.ask(Method::POST, "/api/books").write();
    let answer = post.body(r#"{"title":"Emma"}"#).send().await;
    assert!(told(&answer).ends_with("-01"), "a write was not sampled");
    assert!(library.last("traceparent").ends_with("-01"));
}
