use std::time::Duration;

use tonic_types::{ErrorDetails, FieldViolation};

use super::*;

fn status_with_reason(code: Code, reason: &str) -> Status {
    let details = ErrorDetails::with_error_info(reason, "hospital", HashMap::new());
    Status::with_error_details(code, "said by the service", details)
}

#[test]
fn maps_every_code_to_its_http_status() {
    for (code, http) in [
        (Code::InvalidArgument, 400),
        (Code::FailedPrecondition, 400),
        (Code::OutOfRange, 400),
        (Code::Unauthenticated, 401),
        (Code::PermissionDenied, 403),
        (Code::NotFound, 404),
        (Code::AlreadyExists, 409),
        (Code::Aborted, 409),
        (Code::ResourceExhausted, 429),
        (Code::Internal, 500),
        (Code::Unknown, 500),
        (Code::DataLoss, 500),
        (Code::Unimplemented, 500),
        (Code::Unavailable, 503),
        (Code::DeadlineExceeded, 504),
        (Code::Cancelled, 504),
    ] {
        let problem = Problem::from_status(&Status::new(code, "x"));
        assert_eq!(problem.status().as_u16(), http, "{code:?}");
    }
    let reused = status_with_reason(Code::InvalidArgument, "REQUEST_ID_REUSED");
    assert_eq!(Problem::from_status(&reused).status().as_u16(), 422);
    let lost = status_with_reason(Code::Aborted, "ETAG_MISMATCH");
    assert_eq!(Problem::from_status(&lost).status().as_u16(), 412);
}

fn body(problem: Problem) -> serde_json::Value {
    serde_json::from_slice(problem.into_response().body()).unwrap()
}

#[test]
fn reason_includes_its_metadata() {
    let status = |code, metadata: Vec<(String, String)>| {
        let details = ErrorDetails::with_error_info("X", "hospital", HashMap::from_iter(metadata));
        Status::with_error_details(code, "said by the service", details)
    };
    let alternatives = || vec![("alternatives".to_owned(), "9:00 AM, 9:30 AM".to_owned())];
    for code in [
        Code::AlreadyExists,
        Code::FailedPrecondition,
        Code::ResourceExhausted,
    ] {
        let body = body(Problem::from_status(&status(code, alternatives())));
        assert_eq!(body["metadata"]["alternatives"], "9:00 AM, 9:30 AM");
    }
    for silent in [
        status(Code::Internal, alternatives()),
        status(Code::Unavailable, alternatives()),
        status(Code::AlreadyExists, Vec::new()),
        Status::not_found("x"),
    ] {
        let body = body(Problem::from_status(&silent));
        assert!(body.get("metadata").is_none(), "{body}");
    }
    let many = (0..20).map(|n| (format!("k{n:02}"), "v".to_owned()));
    let many = body(Problem::from_status(&status(
        Code::NotFound,
        many.collect(),
    )));
    assert_eq!(many["metadata"].as_object().unwrap().len(), 8);
    let long = [("a", 1000), ("b", 30), ("c", 22), ("d", 1)]
        .map(|(name, bytes)| (name.to_owned(), "v".repeat(bytes)));
    let long = body(Problem::from_status(&status(Code::NotFound, long.to_vec())));
    let kept: Vec<_> = long["metadata"].as_object().unwrap().keys().collect();
    assert_eq!(kept, ["a", "c"], "1024 bytes, names included");
}

#[test]
fn passes_the_reason_of_an_exhausted_quota() {
    let mut details = ErrorDetails::with_error_info("HOLDS_MAX", "hospital", HashMap::new());
    details.set_retry_info(Some(Duration::from_secs(40)));
    let said = Status::with_error_details(Code::ResourceExhausted, "Too many holds.", details);
    let problem = Problem::from_status(&said);
    assert_eq!(
        (&*problem.reason, &*problem.detail),
        ("HOLDS_MAX", "Too many holds.")
    );
    let response = problem.into_response();
    assert_eq!(response.status(), 429);
    assert_eq!(response.headers()[RETRY_AFTER], "40");
    let unsaid = Problem::from_status(&Status::resource_exhausted("pool of 10.0.0.7"));
    assert_eq!(
        (&*unsaid.reason, &*unsaid.detail),
        ("RATE_LIMITED", RATE_LIMITED)
    );
}

#[test]
fn passes_reasons_and_violations_but_no_internals() {
    let taken = Problem::from_status(&status_with_reason(Code::AlreadyExists, "SLOT_TAKEN"));
    assert_eq!(taken.reason, "SLOT_TAKEN");
    let bad = Status::with_error_details(
        Code::InvalidArgument,
        "refused",
        ErrorDetails::with_bad_request(vec![
            FieldViolation::new("patientName", "is required"),
            FieldViolation {
                reason: "SUNDAY".to_owned(),
                ..FieldViolation::new("date", "Closed on Sundays.")
            },
        ]),
    );
    // W15: pages act on reasons, never on messages.
    let fields = serde_json::to_value(Problem::from_status(&bad).fields).expect("JSON");
    let expected = serde_json::json!([
        { "field": "patientName", "message": "is required" },
        { "field": "date", "message": "Closed on Sundays.", "reason": "SUNDAY" },
    ]);
    assert_eq!(fields, expected);
    for code in [Code::Internal, Code::Unknown, Code::Unavailable] {
        let problem = Problem::from_status(&Status::new(code, "db at 10.0.0.7 is down"));
        assert!(!problem.detail.contains("10.0.0.7"), "{code:?}");
    }
}
