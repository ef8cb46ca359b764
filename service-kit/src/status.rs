//! Service errors as gRPC statuses with `google.rpc` details.

use std::error::Error;

use tonic::{Code, Status};
use tonic_types::{ErrorDetails, FieldViolation, StatusExt};

use crate::violation::Violation;

/// `google.rpc.ErrorInfo.domain` of every reason.
pub const DOMAIN: &str = "hospital";
/// Reason of [`storage_full`].
pub const STORAGE_FULL: &str = "STORAGE_FULL";

/// Returns `INVALID_ARGUMENT` with all violations as `google.rpc.BadRequest`.
pub fn invalid_argument(violations: &[Violation]) -> Status {
    let details = ErrorDetails::with_bad_request(
        violations
            .iter()
            .map(|violation| FieldViolation {
                reason: violation.reason.to_owned(),
                ..FieldViolation::new(&violation.field, &violation.description)
            })
            .collect::<Vec<_>>(),
    );
    Status::with_error_details(Code::InvalidArgument, "some fields are not valid", details)
}

/// Returns a status with `google.rpc.ErrorInfo`; `reason` is UPPER_SNAKE, `message` is for people.
pub fn with_reason(code: Code, reason: &str, message: &str) -> Status {
    let details = ErrorDetails::with_error_info(reason, DOMAIN, std::collections::HashMap::new());
    Status::with_error_details(code, message, details)
}

/// Returns `INVALID_ARGUMENT` with reason `REQUEST_ID_REUSED`: the request id belongs to a request with another body
/// (AIP-155).
pub fn request_id_reused() -> Status {
    with_reason(
        Code::InvalidArgument,
        "REQUEST_ID_REUSED",
        "This request id belongs to a request with other details.",
    )
}

/// Returns `NOT_FOUND` with reason `REMOVED`: the resource of a repeated create was removed since.
pub fn removed() -> Status {
    with_reason(
        Code::NotFound,
        "REMOVED",
        "What this request made has been removed.",
    )
}

/// Returns `NOT_FOUND` with reason `MOVED` and the metadata `location`: the page of this site that the former one leads
/// to.
pub fn moved(location: &str) -> Status {
    let metadata = [("location".to_owned(), location.to_owned())];
    let details = ErrorDetails::with_error_info("MOVED", DOMAIN, metadata);
    Status::with_error_details(Code::NotFound, "This has moved.", details)
}

/// Returns `INTERNAL` without details for the caller; logs the error and its causes.
pub fn internal(error: &(dyn Error + 'static)) -> Status {
    tracing::error!(error = %chain(error), "request failed");
    Status::internal("internal error")
}

/// Returns `UNAVAILABLE`, which invites a retry, without details for the caller; logs the error and its causes.
pub fn unavailable(error: &(dyn Error + 'static)) -> Status {
    tracing::warn!(error = %chain(error), "a dependency is not available");
    Status::unavailable("temporarily unavailable, please try again")
}

/// Returns `UNAVAILABLE` with reason `STORAGE_FULL`: the database's disk is full, so changes are refused. Reads still
/// work, so a caller must not treat the service as down.
pub fn storage_full(error: &(dyn Error + 'static)) -> Status {
    tracing::error!(error = %chain(error), "the database's disk is full");
    with_reason(
        Code::Unavailable,
        STORAGE_FULL,
        "temporarily unavailable, please try again",
    )
}

fn chain(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carries_every_violation() {
        let status = invalid_argument(&[
            Violation::new("email", "Enter an e-mail address"),
            Violation::new("phone", "Enter a phone number"),
        ]);
        let details = status.get_error_details();
        let fields: Vec<_> = details
            .bad_request()
            .map(|b| b.field_violations.iter().map(|v| v.field.clone()).collect())
            .unwrap_or_default();
        assert_eq!(fields, ["email", "phone"]);
    }

    #[test]
    fn internal_errors_leak_nothing() {
        let status = internal(&std::io::Error::other("password=secret"));
        assert!(!status.message().contains("secret"));
    }
}
