use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use http::StatusCode;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceResponse;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::common::v1::{AnyValue, ArrayValue};
use opentelemetry_proto::tonic::trace::v1::span::{Event, Link};
use prost::Message as _;
use serde_json::json;
use tonic::Code;
use tonic::codec::CompressionEncoding;

use crate::running::{NOW_SECONDS, Running};
use crate::spans::{attribute, export, failed, span, text, trace_id, with};

const PROTOBUF: (&str, &str) = ("content-type", "application/x-protobuf");
const JSON: (&str, &str) = ("content-type", "application/json");

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

#[tokio::test]
async fn returns_a_span_sent_over_grpc_unchanged() {
    let traces = Running::start(&[]).await;
    let start = (NOW_SECONDS - 1) * 1_000_000;
    let list = ArrayValue {
        values: vec![
            AnyValue {
                value: Some(Value::StringValue("a".into())),
            },
            AnyValue {
                value: Some(Value::IntValue(2)),
            },
        ],
    };
    let attributes = [
        attribute("http.response.status_code", Value::IntValue(503)),
        attribute("big", Value::IntValue(i64::MAX)),
        attribute("ratio", Value::DoubleValue(0.5)),
        attribute("nan", Value::DoubleValue(f64::NAN)),
        attribute("sampled", Value::BoolValue(true)),
        attribute("list", Value::ArrayValue(list)),
        attribute("bytes", Value::BytesValue(vec![0, 255])),
    ];
    let mut child = failed(
        with(span(1, 0xb, 0xa, "GET /api/x"), &attributes),
        "the service is down",
    );
    child.events.push(Event {
        time_unix_nano: start * 1_000 + 5_000,
        name: "exception".to_owned(),
        attributes: vec![text("exception.type", "Timeout")],
        ..Event::default()
    });
    child.links.push(Link {
        trace_id: 7_u128.to_be_bytes().to_vec(),
        span_id: 8_u64.to_be_bytes().to_vec(),
        ..Link::default()
    });
    assert_eq!(
        traces.send(export("gateway", vec![child])).await,
        ExportTraceServiceResponse::default()
    );

    let reply = traces.get(&format!("/api/traces/{}", trace_id(1))).await;
    assert_eq!(
        (reply.status, reply.content_type()),
        (StatusCode::OK, "application/json")
    );
    let (trace, parent) = (trace_id(1), "000000000000000a");
    let expected = json!({
        "traceID": trace,
        "spans": [{
            "traceID": trace, "spanID": "000000000000000b", "operationName": "GET /api/x",
            "references": [
                { "refType": "CHILD_OF", "traceID": trace, "spanID": parent },
                { "refType": "FOLLOWS_FROM", "traceID": trace_id(7), "spanID": "0000000000000008" },
            ],
            "startTime": start, "duration": 10_000,
            "tags": [
                { "key": "otel.scope.name", "type": "string", "value": "test" },
                { "key": "span.kind", "type": "string", "value": "server" },
                { "key": "error", "type": "bool", "value": true },
                { "key": "otel.status_code", "type": "string", "value": "ERROR" },
                { "key": "otel.status_description", "type": "string", "value": "the service is down" },
                { "key": "http.response.status_code", "type": "int64", "value": 503 },
                { "key": "big", "type": "int64", "value": "9223372036854775807" },
                { "key": "ratio", "type": "float64", "value": 0.5 },
                { "key": "nan", "type": "float64", "value": "NaN" },
                { "key": "sampled", "type": "bool", "value": true },
                { "key": "list", "type": "string", "value": "[\"a\",2]" },
                { "key": "bytes", "type": "string", "value": "00ff" },
            ],
            "logs": [{ "timestamp": start + 5, "fields": [
                { "key": "event", "type": "string", "value": "exception" },
                { "key": "exception.type", "type": "string", "value": "Timeout" },
            ]}],
            "processID": "p1", "warnings": null,
        }],
        "processes": { "p1": { "serviceName": "gateway", "tags": [
            { "key": "service.instance.id", "type": "string", "value": "gateway-1" },
        ]}},
        "warnings": null,
    });
    let answer = reply.json();
    assert_eq!(
        answer,
        json!({ "data": [expected], "total": 1, "limit": 0, "offset": 0, "errors": null })
    );
    traces.stop().await;
}

#[tokio::test]
async fn accepts_every_encoding() {
    let traces = Running::start(&[]).await;
    traces
        .grpc()
        .await
        .send_compressed(CompressionEncoding::Gzip)
        .export(export("grpc-gzip", vec![span(1, 1, 0, "a")]))
        .await
        .expect("gRPC with gzip");
    let protobuf = export("http-protobuf", vec![span(2, 1, 0, "a")]).encode_to_vec();
    let packed = gzip(&export("http-gzip", vec![span(3, 1, 0, "a")]).encode_to_vec());
    let json = format!(
        r#"{{"resourceSpans":[{{"resource":{{"attributes":[{{"key":"service.name","value":{{"stringValue":"http-json"}}}}]}},
        "scopeSpans":[{{"spans":[{{"traceId":"{}","spanId":"00000000000000FF","name":"a","kind":2,
        "startTimeUnixNano":"{NOW_SECONDS}000000000","endTimeUnixNano":"{NOW_SECONDS}000001000",
        "attributes":[{{"key":"n","value":{{"intValue":"5"}}}}],"unknownField":1}}]}}]}}]}}"#,
        trace_id(4)
    );
    for (headers, body) in [
        (vec![PROTOBUF], protobuf),
        (vec![PROTOBUF, ("content-encoding", "gzip")], packed),
        (vec![JSON], json.into()),
    ] {
        let reply = traces.post(&headers, body).await;
        assert_eq!(reply.status, StatusCode::OK, "{}", reply.text());
        assert_eq!(reply.content_type(), headers[0].1);
        // Full success is the empty message in both encodings.
        assert!(
            matches!(reply.body.as_slice(), b"" | b"{}"),
            "{}",
            reply.text()
        );
    }
    assert_eq!(
        traces.services().await,
        json!(["grpc-gzip", "http-gzip", "http-json", "http-protobuf"])
    );
    assert_eq!(
        traces
            .search(&[("service", "http-json"), ("tags", r#"{"n":"5"}"#)])
            .await,
        [trace_id(4)]
    );
    traces.stop().await;
}

#[tokio::test]
async fn counts_spans_without_ids_and_keeps_the_rest() {
    let traces = Running::start(&[]).await;
    let mut no_trace = span(1, 2, 0, "lost");
    no_trace.trace_id = vec![0; 16];
    let mut short_id = span(1, 3, 0, "lost");
    short_id.span_id = vec![1; 7];
    let response = traces
        .send(export(
            "gateway",
            vec![span(1, 1, 0, "kept"), no_trace, short_id],
        ))
        .await;
    let partial = response.partial_success.expect("two are refused");
    assert_eq!(partial.rejected_spans, 2);
    assert!(
        partial
            .error_message
            .contains("2 spans without a valid trace id"),
        "{}",
        partial.error_message
    );
    assert_eq!(
        traces.get("/api/services/gateway/operations").await.json()["data"],
        json!(["kept"])
    );
    traces.stop().await;
}

#[tokio::test]
async fn refuses_invalid_requests_with_a_reason_and_stores_nothing() {
    let traces = Running::start(&["--body-bytes-max", "4096"]).await;
    let status = |reply: &[u8]| tonic_types::Status::decode(reply).expect("google.rpc.Status");

    let reply = traces.post(&[PROTOBUF], vec![0xff; 10]).await;
    assert_eq!(
        (reply.status, reply.content_type()),
        (StatusCode::BAD_REQUEST, PROTOBUF.1)
    );
    assert_eq!(status(&reply.body).code, Code::InvalidArgument as i32);

    let reply = traces
        .post(&[JSON], b"{\"resourceSpans\": 1}".to_vec())
        .await;
    assert_eq!(
        (reply.status, reply.content_type()),
        (StatusCode::BAD_REQUEST, JSON.1)
    );
    assert_eq!(reply.json()["code"], Code::InvalidArgument as i32);

    let reply = traces
        .post(&[("content-type", "text/plain")], Vec::new())
        .await;
    assert_eq!(reply.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    let reply = traces
        .post(&[PROTOBUF, ("content-encoding", "br")], Vec::new())
        .await;
    assert_eq!(reply.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    let reply = traces
        .post(
            &[PROTOBUF, ("content-encoding", "gzip")],
            b"no gzip".to_vec(),
        )
        .await;
    assert_eq!(reply.status, StatusCode::BAD_REQUEST);

    let large = export(
        "large",
        vec![with(
            span(1, 1, 0, "a"),
            &[text("long", &"x".repeat(10_000))],
        )],
    );
    let reply = traces.post(&[PROTOBUF], large.encode_to_vec()).await;
    assert_eq!(reply.status, StatusCode::PAYLOAD_TOO_LARGE);
    let packed = gzip(&large.encode_to_vec());
    assert!(packed.len() < 4096, "small on the wire: {}", packed.len());
    let reply = traces
        .post(&[PROTOBUF, ("content-encoding", "gzip")], packed)
        .await;
    assert_eq!(reply.status, StatusCode::PAYLOAD_TOO_LARGE);
    let mut grpc = traces.grpc().await;
    let refused = grpc.export(large.clone()).await.expect_err("too large");
    assert_eq!(refused.code(), Code::OutOfRange);
    let refused = grpc
        .send_compressed(CompressionEncoding::Gzip)
        .export(large)
        .await
        .expect_err("too large");
    assert!(
        matches!(
            refused.code(),
            Code::OutOfRange | Code::ResourceExhausted | Code::Internal
        ),
        "{refused:?}"
    );

    assert_eq!(traces.services().await, json!([]));
    traces.stop().await;
}
