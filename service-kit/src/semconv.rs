//! Names of trace attributes: those of OpenTelemetry's semantic conventions, and our own. They are spelled only in this
//! file.
//!
//! The collector passes only names listed in `deploy/observability/collector/sampling.yml`; add new names there too.

pub use opentelemetry_semantic_conventions::attribute::{
    DB_QUERY_SUMMARY, DB_SYSTEM_NAME, ERROR_TYPE, HTTP_REQUEST_METHOD, HTTP_REQUEST_RESEND_COUNT,
    HTTP_RESPONSE_STATUS_CODE, HTTP_ROUTE, MESSAGING_MESSAGE_ID, MESSAGING_OPERATION_TYPE,
    MESSAGING_SYSTEM, NETWORK_PROTOCOL_NAME, OTEL_STATUS_CODE, RPC_METHOD,
    RPC_RESPONSE_STATUS_CODE, RPC_SYSTEM_NAME, SERVICE_INSTANCE_ID, SERVICE_NAME,
    SERVICE_NAMESPACE, SERVICE_VERSION, URL_PATH, URL_TEMPLATE,
};
use tonic::Code;

/// Span name for `tracing-opentelemetry`; not exported as an attribute.
pub const OTEL_NAME: &str = "otel.name";
/// Span kind for `tracing-opentelemetry`; not exported as an attribute.
pub const OTEL_KIND: &str = "otel.kind";
/// Delivery attempts of a message, including this one.
pub const MESSAGING_DELIVERY_ATTEMPTS: &str = "messaging.delivery.attempts";
/// Attempts of an RPC before this one.
pub const RPC_RETRY: &str = "rpc.retry";
/// Team that owns the process and is on call for it.
pub const HOSPITAL_TEAM: &str = "hospital.team";

/// `SH-…` of an appointment or `WL-…` of a waitlist entry. It grants no access and reveals nothing about a patient.
pub const HOSPITAL_APPOINTMENT_REFERENCE: &str = "hospital.appointment.reference";
/// Change to the appointment: `booked`, `moved`, `cancelled`…
pub const HOSPITAL_APPOINTMENT_CHANGE: &str = "hospital.appointment.change";

/// Value of [`SERVICE_NAMESPACE`]: the owner of the programs.
pub const NAMESPACE: &str = "hospital";
/// Value of [`RPC_SYSTEM_NAME`].
pub const GRPC: &str = "grpc";
/// Value of [`OTEL_STATUS_CODE`] for a failed span.
pub const ERROR: &str = "ERROR";

/// Returns a gRPC code as the conventions spell it in [`RPC_RESPONSE_STATUS_CODE`] and [`ERROR_TYPE`].
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
