use std::sync::Arc;

use ops_traces::span::{Process, Span, SpanId, Tag, TraceId};
use ops_traces::store::{Limits, Store, Usage};
use serde_json::json;

use crate::running::Running;
use crate::spans::{export, span, text, trace_id, with};

#[tokio::test]
async fn new_spans_evict_the_oldest_traces() {
    let traces = Running::start(&["--spans-max", "10"]).await;
    traces
        .send(export("first", vec![span(1, 1, 0, "old")]))
        .await;
    for trace in 2..=5 {
        traces
            .send(export(
                "gateway",
                vec![span(trace, 1, 0, "a"), span(trace, 2, 1, "b")],
            ))
            .await;
    }
    // 9 spans. Trace 2 gets new spans, so trace 1 is evicted first, then trace 3.
    traces
        .send(export(
            "gateway",
            vec![span(2, 3, 1, "c"), span(2, 4, 1, "c")],
        ))
        .await;
    assert_eq!(
        traces.search(&[("limit", "100")]).await,
        [2, 3, 4, 5].map(trace_id)
    );
    traces
        .send(export("gateway", vec![span(6, 1, 0, "a")]))
        .await;
    assert_eq!(
        traces.search(&[("limit", "100")]).await,
        [2, 4, 5, 6].map(trace_id)
    );
    assert_eq!(
        traces.services().await,
        json!(["gateway"]),
        "a service goes with its last span"
    );
    traces.stop().await;
}

#[tokio::test]
async fn a_full_trace_refuses_spans_and_counts_them() {
    let traces = Running::start(&["--spans-per-trace-max", "3"]).await;
    let five = (1..=5).map(|id| span(1, id, 0, "a")).collect();
    let partial = traces
        .send(export("gateway", five))
        .await
        .partial_success
        .expect("two are refused");
    assert_eq!(partial.rejected_spans, 2);
    // A retry of stored spans is not an error.
    let again = traces
        .send(export("gateway", vec![span(1, 1, 0, "a")]))
        .await;
    assert_eq!(again.partial_success, None);
    let trace = traces.get("/api/traces/1").await.json();
    assert_eq!(trace["data"][0]["spans"].as_array().map(Vec::len), Some(3));
    assert_eq!(
        trace["data"][0]["warnings"],
        json!(["2 more spans were refused by the limit per trace"])
    );
    traces.stop().await;
}

#[tokio::test]
async fn long_values_count_against_the_memory_limit() {
    let traces = Running::start(&["--bytes-max", "100000"]).await;
    for trace in 1..=50 {
        traces
            .send(export(
                "gateway",
                vec![with(
                    span(trace, 1, 0, "a"),
                    &[text("long", &"x".repeat(10_000))],
                )],
            ))
            .await;
    }
    let held = traces.search(&[("limit", "100")]).await;
    assert_eq!(
        held,
        (42..=50).map(trace_id).collect::<Vec<_>>(),
        "nine spans of a little over 10 kB fit"
    );
    traces.stop().await;
}

fn numbered(trace: u128, id: u64, identity: &[u8]) -> Span {
    let process = Process {
        identity: identity.into(),
        service: format!("service-{}", identity.len()).into(),
        tags: vec![Tag::text("service.instance.id", "x")],
    };
    Span {
        trace: TraceId::from_bytes(&trace.to_be_bytes()).expect("not zero"),
        id: SpanId::from_bytes(&id.to_be_bytes()).expect("not zero"),
        parent: None,
        process: Arc::new(process),
        operation: format!("operation {}", id % 7).into(),
        kind: None,
        start_nanos: 1,
        duration_nanos: 1,
        tags: vec![Tag::text("key", "value")],
        logs: Vec::new(),
        links: Vec::new(),
        warnings: Vec::new(),
    }
}

#[test]
fn eviction_removes_every_index_entry() {
    let store = Store::new(Limits {
        spans_max: 500,
        spans_per_trace_max: 50,
        bytes_max: 1 << 20,
    });
    for round in 0..200_u128 {
        let identity = vec![1; usize::try_from(round % 13).expect("small")];
        store.add(
            (1..=20)
                .map(|id| numbered(round + 1, id, &identity))
                .collect(),
        );
        let usage = store.usage();
        assert!(usage.spans <= 500 && usage.bytes <= 1 << 20, "{usage:?}");
    }
    assert_eq!(store.usage().traces, 25);
    // More spans than fit evict everything, including the new traces.
    store.add(
        (0..501)
            .map(|trace| {
                numbered(
                    10_000 + trace / 50,
                    u64::try_from(trace).expect("small") + 1,
                    b"z",
                )
            })
            .collect(),
    );
    store.add(
        (0..501)
            .map(|trace| numbered(20_000, u64::try_from(trace).expect("small") + 1, b"z"))
            .collect(),
    );
    let limited = store.usage();
    assert!(limited.spans <= 500, "{limited:?}");

    let empty = Store::new(Limits {
        spans_max: 1,
        spans_per_trace_max: 50,
        bytes_max: 1 << 20,
    });
    empty.add((1..=20).map(|id| numbered(1, id, b"identity")).collect());
    assert_eq!(
        empty.usage(),
        Usage::default(),
        "a trace larger than everything allowed is not kept"
    );
    assert!(empty.services().is_empty());
}
