//! Names of attributes in traces: those of OpenTelemetry's semantic conventions, and our own. No other file spells one.
//!
//! The collector lets through what `deploy/observability/collector/sampling.yml` lists; a new name is added there, too.

pub use opentelemetry_semantic_conventions::attribute::{
    DB_QUERY_SUMMARY, DB_SYSTEM_NAME, ERROR_TYPE, HTTP_REQUEST_METHOD, HTTP_REQUEST_RESEND_COUNT,
    HTTP_RESPONSE_STATUS_CODE, HTTP_ROUTE, MESSAGING_MESSAGE_ID, MESSAGING_OPERATION_TYPE,
    MESSAGING_SYSTEM, NETWORK_PROTOCOL_NAME, OTEL_STATUS_CODE, RPC_METHOD,
    RPC_RESPONSE_STATUS_CODE, RPC_SYSTEM_NAME, SERVICE_INSTANCE_ID, SERVICE_NAME,
    SERVICE_NAMESPACE, SERVICE_VERSION, URL_PATH, URL_TEMPLATE,
};
use tonic::Code;

/// What `tracing-opentelemetry` takes as the name of a span; it is no attribute of it.
pub const OTEL_NAME: &str = "otel.name";
/// What `tracing-opentelemetry` takes as the kind of a span; it is no attribute of it.
pub const OTEL_KIND: &str = "otel.kind";
/// Tries of a message so far, this one included.
pub const MESSAGING_DELIVERY_ATTEMPTS: &str = "messaging.delivery.attempts";
/// Tries of an RPC before this one.
pub const RPC_RETRY: &str = "rpc.retry";
/// Team that owns the process, and is called when it fails.
pub const HOSPITAL_TEAM: &str = "hospital.team";

/// `SH-…` of an appointment or `WL-…` of a place on the waitlist; it opens nothing and says nothing about a patient.
pub const HOSPITAL_APPOINTMENT_REFERENCE: &str = "hospital.appointment.reference";
/// What was done to it: `booked`, `moved`, `cancelled`…
pub const HOSPITAL_APPOINTMENT_CHANGE: &str = "hospital.appointment.change";

/// Value of [`SERVICE_NAMESPACE`]: whose programs these are.
pub const NAMESPACE: &str = "hospital";
/// Value of [`RPC_SYSTEM_NAME`].
pub const GRPC: &str = "grpc";
/// Value of [`OTEL_STATUS_CODE`] of a span that failed.
pub const ERROR: &str = "ERROR";

/// A code of gRPC as the conventions spell it in [`RPC_RESPONSE_STATUS_CODE`] and [`ERROR_TYPE`].
pub fn grpc_code(code: Code) -> &'static str {
    match code {
        Code::Ok => "OK",
        Code::Cancelled => "CANCELLED",
        Code::Unknown => "UNKNOWN",
        Code::InvalidArgument => "INVALID_ARGUMENT",
        Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
        Code::NotFound => "NOT_FOUND",
        Code::AlreadyExists => "ALREADY_EXISTS",
        Code::PermissionDenied => "PERMISSION_DENIED",
        Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
        Code::FailedPrecondition => "FAILED_PRECONDITION",
        Code::Aborted => "ABORTED",
        Code::OutOfRange => "OUT_OF_RANGE",
        Code::Unimplemented => "UNIMPLEMENTED",
        Code::Internal => "INTERNAL",
        Code::Unavailable => "UNAVAILABLE",
        Code::DataLoss => "DATA_LOSS",
        Code::Unauthenticated => "UNAUTHENTICATED",
    }
}
