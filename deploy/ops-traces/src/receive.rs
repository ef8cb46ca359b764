//! The two OTLP receivers: gRPC `TraceService/Export` and `POST /v1/traces`.

use std::io::Read as _;
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use flate2::read::GzDecoder;
use http::{HeaderMap, StatusCode, header};
use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::TraceService;
use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTracePartialSuccess, ExportTraceServiceRequest, ExportTraceServiceResponse,
};
use prost::Message as _;
use tonic::Code;

use crate::convert;
use crate::store::Store;

const PROTOBUF: &str = "application/x-protobuf";
const JSON: &str = "application/json";

/// Stores the valid spans and reports the rejected ones as OTLP's partial success.
fn accept(store: &Store, request: ExportTraceServiceRequest) -> ExportTraceServiceResponse {
    let converted = convert::spans(request);
    let added = store.add(converted.spans);
    let rejected = converted.invalid + added.over_trace_limit;
    let partial_success = (rejected > 0).then(|| {
        let error_message = format!(
            "{} spans without a valid trace id and span id, {} spans over the limit per trace",
            converted.invalid, added.over_trace_limit
        );
        tracing::warn!(rejected, "{error_message}");
        ExportTracePartialSuccess {
            rejected_spans: i64::try_from(rejected).unwrap_or(i64::MAX),
            error_message,
        }
    });
    ExportTraceServiceResponse { partial_success }
}

#[derive(Debug)]
pub struct GrpcReceiver {
    pub store: Arc<Store>,
}

#[tonic::async_trait]
impl TraceService for GrpcReceiver {
    async fn export(
        &self,
        request: tonic::Request<ExportTraceServiceRequest>,
    ) -> Result<tonic::Response<ExportTraceServiceResponse>, tonic::Status> {
        Ok(tonic::Response::new(accept(
            &self.store,
            request.into_inner(),
        )))
    }
}

#[derive(Debug, Clone)]
struct HttpReceiver {
    store: Arc<Store>,
    body_bytes_max: usize,
}

/// Returns the router of the HTTP receiver. `body_bytes_max` limits the body both as sent and after decompression.
pub fn http_router(store: Arc<Store>, body_bytes_max: usize) -> Router {
    Router::new()
        .route("/v1/traces", post(export))
        // The whole body is buffered before it is decoded, so its size is limited first.
        .layer(DefaultBodyLimit::max(body_bytes_max))
        .with_state(HttpReceiver {
            store,
            body_bytes_max,
        })
}

async fn export(State(receiver): State<HttpReceiver>, headers: HeaderMap, body: Bytes) -> Response {
    let Some(encoding) = Encoding::of(&headers) else {
        return (
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            format!("{PROTOBUF} or {JSON} is wanted\n"),
        )
            .into_response();
    };
    match decode(&headers, body, encoding, receiver.body_bytes_max) {
        Ok(request) => encoding.answer(StatusCode::OK, &accept(&receiver.store, request)),
        Err((status, message)) => encoding.refuse(status, message),
    }
}

fn decode(
    headers: &HeaderMap,
    body: Bytes,
    encoding: Encoding,
    body_bytes_max: usize,
) -> Result<ExportTraceServiceRequest, (StatusCode, String)> {
    let bad = |error: &dyn std::error::Error| (StatusCode::BAD_REQUEST, error.to_string());
    let body = match headers
        .get(header::CONTENT_ENCODING)
        .map(http::HeaderValue::as_bytes)
    {
        None | Some(b"identity") => body,
        Some(b"gzip") => {
            let limit = u64::try_from(body_bytes_max).unwrap_or(u64::MAX);
            let mut plain = Vec::new();
            GzDecoder::new(body.as_ref())
                .take(limit.saturating_add(1))
                .read_to_end(&mut plain)
                .map_err(|error| bad(&error))?;
            if plain.len() > body_bytes_max {
                let message =
                    format!("the body is larger than {body_bytes_max} bytes when decompressed");
                return Err((StatusCode::PAYLOAD_TOO_LARGE, message));
            }
            plain.into()
        }
        Some(_) => {
            return Err((
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "the only content encoding taken is gzip".to_owned(),
            ));
        }
    };
    match encoding {
        Encoding::Protobuf => ExportTraceServiceRequest::decode(body).map_err(|error| bad(&error)),
        Encoding::Json => serde_json::from_slice(&body).map_err(|error| bad(&error)),
    }
}

/// Encoding of a request, used for its response as well, even for an error.
#[derive(Debug, Clone, Copy)]
enum Encoding {
    Protobuf,
    Json,
}

impl Encoding {
    fn of(headers: &HeaderMap) -> Option<Self> {
        let value = headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
        let media_type = value.split(';').next().unwrap_or_default().trim();
        if media_type.eq_ignore_ascii_case(PROTOBUF) {
            Some(Self::Protobuf)
        } else if media_type.eq_ignore_ascii_case(JSON) {
            Some(Self::Json)
        } else {
            None
        }
    }

    fn answer(self, status: StatusCode, answer: &ExportTraceServiceResponse) -> Response {
        match self {
            Self::Protobuf => respond(status, PROTOBUF, answer.encode_to_vec()),
            Self::Json => {
                let partial_success = answer.partial_success.as_ref().map(|partial| {
                    // 64-bit integers are strings in OTLP's JSON.
                    serde_json::json!({
                        "rejectedSpans": partial.rejected_spans.to_string(),
                        "errorMessage": partial.error_message,
                    })
                });
                let body = partial_success.map_or_else(
                    || serde_json::json!({}),
                    |partial| serde_json::json!({ "partialSuccess": partial }),
                );
                respond(status, JSON, body.to_string().into_bytes())
            }
        }
    }

    /// Builds an error response with google.rpc.Status as its body, as OTLP requires.
    fn refuse(self, status: StatusCode, message: String) -> Response {
        tracing::warn!(status = status.as_u16(), %message, "export refused");
        let code = Code::InvalidArgument as i32;
        let body = match self {
            Self::Protobuf => tonic_types::Status {
                code,
                message,
                details: Vec::new(),
            }
            .encode_to_vec(),
            Self::Json => serde_json::json!({ "code": code, "message": message })
                .to_string()
                .into_bytes(),
        };
        let media_type = match self {
            Self::Protobuf => PROTOBUF,
            Self::Json => JSON,
        };
        respond(status, media_type, body)
    }
}

fn respond(status: StatusCode, media_type: &'static str, body: Vec<u8>) -> Response {
    (status, [(header::CONTENT_TYPE, media_type)], body).into_response()
}
