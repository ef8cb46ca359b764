use http::StatusCode;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use serde_json::json;

use crate::running::{NOW_SECONDS, Running};
use crate::spans::{attribute, export, failed, lasting, span, text, trace_id, with};

/// Starts with three traces. Trace 1: a booking through four processes, 300 ms. Trace 60: a failed read of the gateway,
/// 5 ms, a minute ago. Trace 7200: a slow read of svc-content, two hours ago.
async fn hospital() -> Running {
    let traces = Running::start(&[]).await;
    let client = |mut span: opentelemetry_proto::tonic::trace::v1::Span| {
        span.kind = SpanKind::Client.into();
        span
    };
    let created = attribute("http.response.status_code", Value::IntValue(201));
    traces
        .send(export(
            "browser",
            vec![client(lasting(
                span(1, 1, 0, "POST /api/appointments"),
                300,
            ))],
        ))
        .await;
    let method = "hospital.booking.v1.BookingService/CreateAppointment";
    traces
        .send(export(
            "gateway",
            vec![
                with(span(1, 2, 1, "POST /api/appointments"), &[created]),
                client(span(1, 3, 2, method)),
                failed(lasting(span(60, 2, 0, "GET /api/doctors"), 5), "no answer"),
            ],
        ))
        .await;
    let insert = with(
        span(1, 5, 4, "INSERT appointments"),
        &[text("db.system.name", "sqlite")],
    );
    traces
        .send(export(
            "svc-booking",
            vec![span(1, 4, 3, method), client(insert)],
        ))
        .await;
    traces
        .send(export(
            "svc-content",
            vec![lasting(span(7_200, 2, 0, "ListDoctors"), 2_000)],
        ))
        .await;
    traces
}

#[tokio::test]
async fn lists_services_and_operations() {
    let traces = hospital().await;
    assert_eq!(
        traces.services().await,
        json!(["browser", "gateway", "svc-booking", "svc-content"])
    );
    let method = "hospital.booking.v1.BookingService/CreateAppointment";
    let names = traces.get("/api/services/gateway/operations").await.json();
    assert_eq!(
        names["data"],
        json!(["GET /api/doctors", "POST /api/appointments", method])
    );
    assert_eq!(names["total"], 3);
    let kinds = traces
        .query("/api/operations", &[("service", "svc-booking")])
        .await
        .json();
    assert_eq!(
        kinds["data"],
        json!([{ "name": "INSERT appointments", "spanKind": "client" }, { "name": method, "spanKind": "server" }])
    );
    let servers = traces
        .query(
            "/api/operations",
            &[("service", "svc-booking"), ("spanKind", "server")],
        )
        .await
        .json();
    assert_eq!(
        servers["data"],
        json!([{ "name": method, "spanKind": "server" }])
    );
    assert_eq!(
        traces.get("/api/services/nobody/operations").await.json()["data"],
        json!([])
    );
    traces.stop().await;
}

#[tokio::test]
async fn finds_traces_by_conditions_on_one_span() {
    let traces = hospital().await;
    let (booking, failure, content) = (trace_id(1), trace_id(60), trace_id(7_200));
    for (parameters, expected) in [
        // Newest first.
        (vec![("service", "gateway")], vec![&booking, &failure]),
        (vec![("service", "gateway"), ("limit", "1")], vec![&booking]),
        (vec![("service", "nobody")], vec![]),
        (vec![], vec![&booking, &failure, &content]),
        (
            vec![("service", "gateway"), ("operation", "GET /api/doctors")],
            vec![&failure],
        ),
        (
            vec![
                ("service", "svc-booking"),
                ("operation", "GET /api/doctors"),
            ],
            vec![],
        ),
        (
            vec![("service", "gateway"), ("tags", r#"{"error":"true"}"#)],
            vec![&failure],
        ),
        (
            vec![
                ("service", "gateway"),
                ("tags", r#"{"otel.status_description":"no answer"}"#),
            ],
            vec![&failure],
        ),
        (
            vec![
                ("service", "gateway"),
                ("tags", r#"{"http.response.status_code":"201"}"#),
            ],
            vec![&booking],
        ),
        (
            vec![
                ("service", "gateway"),
                ("tag", "http.response.status_code:201"),
            ],
            vec![&booking],
        ),
        // Both tags exist in the trace, but on no single span.
        (
            vec![
                ("service", "gateway"),
                (
                    "tags",
                    r#"{"http.response.status_code":"201","span.kind":"client"}"#,
                ),
            ],
            vec![],
        ),
        (
            vec![
                ("service", "svc-booking"),
                (
                    "tags",
                    r#"{"db.system.name":"sqlite","span.kind":"client"}"#,
                ),
            ],
            vec![&booking],
        ),
        // A tag of the process.
        (
            vec![("tags", r#"{"service.instance.id":"svc-content-1"}"#)],
            vec![&content],
        ),
        (vec![("minDuration", "1s")], vec![&content]),
        (
            vec![("minDuration", "100ms"), ("maxDuration", "1.5s")],
            vec![&booking],
        ),
        (
            vec![("service", "gateway"), ("maxDuration", "6ms")],
            vec![&failure],
        ),
        (vec![("lookback", "1h")], vec![&booking, &failure]),
        (vec![("lookback", "30s")], vec![&booking]),
        (
            vec![("lookback", "custom"), ("limit", "20")],
            vec![&booking, &failure, &content],
        ),
    ] {
        let found = traces.search(&parameters).await;
        assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{parameters:?}");
    }
    let micros = |ago: u64| ((NOW_SECONDS - ago) * 1_000_000).to_string();
    let (start, end) = (micros(61), micros(59));
    assert_eq!(
        traces
            .search(&[("start", &start), ("end", &end), ("lookback", "1h")])
            .await,
        [trace_id(60)]
    );
    traces.stop().await;
}

#[tokio::test]
async fn finds_traces_by_id() {
    let traces = hospital().await;
    let whole = traces
        .get(&format!("/api/traces/{}", trace_id(1)))
        .await
        .json();
    let spans = whole["data"][0]["spans"].as_array().expect("spans");
    let edges: Vec<_> = spans
        .iter()
        .map(|span| {
            (
                span["references"][0]["spanID"].as_str(),
                span["spanID"].as_str().expect("span id"),
            )
        })
        .collect();
    let id = |n: u64| format!("{n:016x}");
    let ids: Vec<String> = (1..=5).map(id).collect();
    let mut expected: Vec<_> = vec![(None, ids[0].as_str())];
    expected.extend(
        ids.windows(2)
            .map(|pair| (Some(pair[0].as_str()), pair[1].as_str())),
    );
    assert_eq!(edges, expected);
    assert_eq!(
        whole["data"][0]["processes"]
            .as_object()
            .expect("processes")
            .len(),
        3
    );

    // Ids as people copy them, without leading zeros.
    assert_eq!(
        traces.get("/api/traces/1").await.json()["data"][0]["traceID"],
        trace_id(1).as_str()
    );
    let (first, second, absent) = (trace_id(1), trace_id(60), trace_id(99));
    let many = traces
        .query(
            "/api/traces",
            &[
                ("traceID", &first),
                ("traceID", &second),
                ("traceID", &absent),
            ],
        )
        .await;
    assert_eq!(many.status, StatusCode::OK);
    let many = many.json();
    assert_eq!(
        (&many["data"][0]["traceID"], &many["data"][1]["traceID"]),
        (&json!(first), &json!(second))
    );
    assert_eq!(
        many["errors"],
        json!([{ "code": 404, "msg": "trace not found", "traceID": absent }])
    );

    let missing = traces.get(&format!("/api/traces/{absent}")).await;
    assert_eq!(missing.status, StatusCode::NOT_FOUND);
    assert_eq!(missing.json()["errors"][0]["traceID"], absent.as_str());
    traces.stop().await;
}

#[tokio::test]
async fn the_service_map_shows_calls_between_services() {
    let traces = hospital().await;
    // A second call of the gateway to svc-booking in the same trace, and a span whose parent is missing.
    traces
        .send(export(
            "svc-booking",
            vec![span(1, 6, 3, "again"), span(2, 9, 77, "orphan")],
        ))
        .await;
    let now = (NOW_SECONDS * 1_000).to_string();
    let expected = json!([
        { "parent": "browser", "child": "gateway", "callCount": 1 },
        { "parent": "gateway", "child": "svc-booking", "callCount": 2 },
    ]);
    let map = traces
        .query(
            "/api/dependencies",
            &[("endTs", &now), ("lookback", "604800000")],
        )
        .await
        .json();
    assert_eq!(map["data"], expected);
    assert_eq!(
        traces.get("/api/dependencies").await.json()["data"],
        expected
    );
    let long_ago = traces
        .query(
            "/api/dependencies",
            &[("endTs", "1000000"), ("lookback", "1000")],
        )
        .await
        .json();
    assert_eq!(long_ago["data"], json!([]));
    traces.stop().await;
}

#[tokio::test]
async fn refuses_invalid_parameters_by_name() {
    let traces = Running::start(&[]).await;
    for (path, named) in [
        ("/api/traces?service=a&minDuration=fast", "minDuration"),
        ("/api/traces?service=a&limit=many", "limit"),
        ("/api/traces?service=a&start=yesterday", "start"),
        ("/api/traces?service=a&tags=error", "tags"),
        ("/api/traces?traceID=xyz", "xyz"),
        ("/api/traces/0123456789abcdef0123456789abcdef0", "trace id"),
        ("/api/operations", "service"),
        ("/api/dependencies?endTs=now", "endTs"),
    ] {
        let reply = traces.get(path).await;
        assert_eq!(reply.status, StatusCode::BAD_REQUEST, "{path}");
        let answer = reply.json();
        assert_eq!(answer["errors"][0]["code"], 400);
        let message = answer["errors"][0]["msg"].as_str().expect("message");
        assert!(message.contains(named), "{path}: {message}");
    }
    traces.stop().await;
}
