//! Leave that doctors ask for: whose it is, who decides, and which days are refused.

use hospital_proto::booking::v1::{
    DeclineLeaveRequestRequest, DeleteLeaveRequest, GrantLeaveRequestRequest,
    GrantLeaveRequestResponse, LeaveRequest, LeaveRequestState, ListAppointmentsRequest,
    ListLeaveRequestsRequest, ListLeavesRequest, ListOwnLeaveRequestsRequest, RequestLeaveRequest,
    WithdrawLeaveRequestRequest, leave_request_service_client::LeaveRequestServiceClient,
};
use service_kit::source::{Clock as _, SystemClock};
use test_kit::on_both_databases;
use tonic::{Code, Request, Status, transport::Channel};

use crate::{
    fixture::{Bench, MONDAY, TUESDAY, request, unique},
    grpc_staff::leave,
    serving::{READ, ROSTERS_READ, ROSTERS_WRITE, Serving, authorized, reason, violated},
};

on_both_databases!(test_kit::bench::empty:
    a_granted_request_becomes_leave,
    a_request_belongs_to_the_doctor_of_the_token,
    every_call_needs_its_scope,
    invalid_and_overlapping_days_are_refused,
);

pub(crate) const ASK: &str = "leaves:request";

/// Returns a call with a token of a doctor.
pub(crate) fn by<T>(serving: &Serving, doctor: &str, scope: &str, message: T) -> Request<T> {
    let expiry = SystemClock.now().timestamp() + 60;
    let claims = format!(
        r#"{{"sub":"{doctor}@sampige","iss":"https://issuer.example","aud":"hospital-api","exp":{expiry},"scope":"{scope}","doctor":"{doctor}"}}"#
    );
    authorized(message, &serving.issuer.signed(&claims))
}

pub(crate) fn client(serving: &Serving) -> LeaveRequestServiceClient<Channel> {
    LeaveRequestServiceClient::new(serving.channel.clone())
}

pub(crate) fn wanted(from: &str, until: &str) -> RequestLeaveRequest {
    RequestLeaveRequest {
        leave_request: Some(LeaveRequest {
            from: from.to_owned(),
            until: until.to_owned(),
            reason: "A wedding in Mysuru".to_owned(),
            ..LeaveRequest::default()
        }),
        request_id: format!("leave-request-{:04}", unique()),
    }
}

pub(crate) async fn asked(
    serving: &Serving,
    doctor: &str,
    message: RequestLeaveRequest,
) -> Result<LeaveRequest, Status> {
    let call = by(serving, doctor, ASK, message);
    let answer = client(serving).request_leave(call).await?.into_inner();
    Ok(answer.leave_request.expect("a body"))
}

pub(crate) async fn own(serving: &Serving, doctor: &str) -> Vec<LeaveRequest> {
    let call = by(serving, doctor, ASK, ListOwnLeaveRequestsRequest::default());
    let listed = client(serving).list_own_leave_requests(call).await;
    listed.expect("listed").into_inner().leave_requests
}

async fn waiting(serving: &Serving) -> Vec<LeaveRequest> {
    let call = serving.staff(ROSTERS_WRITE, ListLeaveRequestsRequest::default());
    let listed = client(serving).list_leave_requests(call).await;
    listed.expect("listed").into_inner().leave_requests
}

pub(crate) async fn withdraw(
    serving: &Serving,
    doctor: &str,
    id: &str,
    etag: &str,
) -> Result<LeaveRequest, Status> {
    let message = WithdrawLeaveRequestRequest {
        leave_request_id: id.to_owned(),
        etag: etag.to_owned(),
    };
    let call = by(serving, doctor, ASK, message);
    let answer = client(serving).withdraw_leave_request(call).await?;
    Ok(answer.into_inner().leave_request.expect("a body"))
}

pub(crate) async fn grant(
    serving: &Serving,
    id: &str,
    etag: &str,
) -> Result<GrantLeaveRequestResponse, Status> {
    let message = GrantLeaveRequestRequest {
        leave_request_id: id.to_owned(),
        etag: etag.to_owned(),
    };
    let call = serving.staff(ROSTERS_WRITE, message);
    Ok(client(serving)
        .grant_leave_request(call)
        .await?
        .into_inner())
}

pub(crate) async fn decline(
    serving: &Serving,
    id: &str,
    etag: &str,
    answer: &str,
) -> Result<LeaveRequest, Status> {
    let message = DeclineLeaveRequestRequest {
        leave_request_id: id.to_owned(),
        etag: etag.to_owned(),
        answer: answer.to_owned(),
    };
    let call = serving.staff(ROSTERS_WRITE, message);
    let answer = client(serving).decline_leave_request(call).await?;
    Ok(answer.into_inner().leave_request.expect("a body"))
}

async fn a_granted_request_becomes_leave(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let booked = serving.booked(request("ENT", "d1", "9:00 AM")).await;
    serving.booked(request("ENT", "d2", "9:00 AM")).await;
    let request = asked(&serving, "d1", wanted(MONDAY, TUESDAY)).await;
    let request = request.expect("stored");
    assert_eq!(request.state(), LeaveRequestState::Waiting);
    assert_eq!(
        (request.doctor_id.as_str(), request.etag.as_str()),
        ("d1", "1")
    );

    let listed = waiting(&serving).await;
    assert_eq!(listed.len(), 1);
    assert_eq!(
        (listed[0].id.as_str(), listed[0].uncovers),
        (request.id.as_str(), 1)
    );
    assert_eq!(listed[0].reason, "A wedding in Mysuru");

    let granted = grant(&serving, &request.id, "1").await.expect("granted");
    let affected: Vec<_> = granted
        .affected
        .iter()
        .map(|one| one.reference.as_str())
        .collect();
    assert_eq!(
        (affected, granted.affected_total),
        (vec![booked.reference.as_str()], 1)
    );
    let granted = granted.leave_request.expect("a body");
    assert_eq!(
        (granted.state(), granted.etag.as_str()),
        (LeaveRequestState::Granted, "2")
    );
    assert!(waiting(&serving).await.is_empty());

    let leaves = serving.staff(ROSTERS_READ, ListLeavesRequest::default());
    let leaves = serving
        .roster()
        .list_leaves(leaves)
        .await
        .expect("listed")
        .into_inner()
        .leaves;
    let shown: Vec<_> = leaves
        .iter()
        .map(|leave| {
            (
                leave.resource.as_str(),
                leave.from.as_str(),
                leave.until.as_str(),
            )
        })
        .collect();
    assert_eq!(shown, [("doctor:d1", MONDAY, TUESDAY)]);
    assert_eq!(
        leaves[0].reason, "Requested by the doctor",
        "front desks read it"
    );
    let uncovered = ListAppointmentsRequest {
        uncovered: true,
        ..ListAppointmentsRequest::default()
    };
    let uncovered = serving
        .desk()
        .list_appointments(serving.staff(READ, uncovered))
        .await;
    let uncovered = uncovered.expect("listed").into_inner().appointments;
    assert_eq!(uncovered[0].reference, booked.reference);

    let mine = own(&serving, "d1").await;
    assert_eq!(
        (mine[0].state(), mine[0].leave_deleted),
        (LeaveRequestState::Granted, false)
    );
    let delete = DeleteLeaveRequest {
        leave_id: leaves[0].id.clone(),
    };
    let deleted = serving
        .roster()
        .delete_leave(serving.staff(ROSTERS_WRITE, delete))
        .await;
    deleted.expect("deleted");
    assert!(own(&serving, "d1").await[0].leave_deleted);
    serving.stop().await;
    bench.end().await;
}

async fn a_request_belongs_to_the_doctor_of_the_token(bench: Bench) {
    let serving = Serving::start(&bench).await;
    // The body names another doctor: nobody asks for another one.
    let mut forged = wanted(MONDAY, MONDAY);
    let body = forged.leave_request.as_mut().expect("a body");
    "d2".clone_into(&mut body.doctor_id);
    let request = asked(&serving, "d1", forged).await.expect("stored");
    assert_eq!(request.doctor_id, "d1");
    assert!(own(&serving, "d2").await.is_empty());

    let status = withdraw(&serving, "d2", &request.id, "1")
        .await
        .expect_err("another's");
    assert_eq!(status.code(), Code::NotFound);
    for unknown in ["", "x", "00000000-0000-7000-8000-000000000000"] {
        let status = withdraw(&serving, "d1", unknown, "1")
            .await
            .expect_err("unknown");
        assert_eq!(status.code(), Code::NotFound, "{unknown:?}");
    }
    assert_eq!(
        own(&serving, "d1").await[0].state(),
        LeaveRequestState::Waiting
    );

    // A token with the scope, but of no doctor.
    let mut client = client(&serving);
    let statuses = [
        client
            .request_leave(serving.staff(ASK, wanted(TUESDAY, TUESDAY)))
            .await
            .err(),
        client
            .list_own_leave_requests(serving.staff(ASK, ListOwnLeaveRequestsRequest::default()))
            .await
            .err(),
        client
            .withdraw_leave_request(serving.staff(
                ASK,
                WithdrawLeaveRequestRequest {
                    leave_request_id: request.id.clone(),
                    etag: "1".to_owned(),
                },
            ))
            .await
            .err(),
    ];
    for status in statuses {
        let status = status.expect("refused");
        assert_eq!(status.code(), Code::PermissionDenied);
        assert_eq!(reason(&status), "DOCTOR_MISSING");
    }
    let status = asked(&serving, "d9", wanted(MONDAY, MONDAY))
        .await
        .expect_err("no sessions");
    assert_eq!(reason(&status), "DOCTOR_UNKNOWN");

    let withdrawn = withdraw(&serving, "d1", &request.id, "1")
        .await
        .expect("own");
    assert_eq!(withdrawn.state(), LeaveRequestState::Withdrawn);
    serving.stop().await;
    bench.end().await;
}

async fn every_call_needs_its_scope(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let scopes = [ASK, READ, ROSTERS_READ, ROSTERS_WRITE, "leaves", ""];
    for scope in scopes {
        let mut client = client(&serving);
        macro_rules! code {
            ($call:ident($message:expr)) => {
                match client.$call(by(&serving, "d1", scope, $message)).await {
                    Ok(_) => Code::Ok,
                    Err(status) => status.code(),
                }
            };
        }
        let codes = [
            (ASK, code!(request_leave(RequestLeaveRequest::default()))),
            (
                ASK,
                code!(list_own_leave_requests(
                    ListOwnLeaveRequestsRequest::default()
                )),
            ),
            (
                ASK,
                code!(withdraw_leave_request(
                    WithdrawLeaveRequestRequest::default()
                )),
            ),
            (
                ROSTERS_WRITE,
                code!(list_leave_requests(ListLeaveRequestsRequest::default())),
            ),
            (
                ROSTERS_WRITE,
                code!(grant_leave_request(GrantLeaveRequestRequest::default())),
            ),
            (
                ROSTERS_WRITE,
                code!(decline_leave_request(DeclineLeaveRequestRequest::default())),
            ),
        ];
        for (needed, code) in codes {
            let is_denied = code == Code::PermissionDenied;
            assert_eq!(is_denied, scope != needed, "{scope:?} for {needed}: {code}");
        }
    }
    let status = client(&serving).request_leave(wanted(MONDAY, MONDAY)).await;
    assert_eq!(status.expect_err("no token").code(), Code::Unauthenticated);
    assert_eq!(
        bench
            .test
            .scalar("SELECT count(*) FROM leave_requests")
            .await,
        0
    );
    serving.stop().await;
    bench.end().await;
}

async fn invalid_and_overlapping_days_are_refused(bench: Bench) {
    let serving = Serving::start(&bench).await;
    for (from, until, fields) in [
        ("2026-11-20", "2026-11-25", &["from"][..]),
        (TUESDAY, MONDAY, &["until"]),
        (MONDAY, "2027-11-24", &["until"]),
        ("", "tomorrow", &["from", "until"]),
    ] {
        let status = asked(&serving, "d1", wanted(from, until))
            .await
            .expect_err(from);
        assert_eq!(violated(&status), fields, "{from} {until}");
    }
    let mut long = wanted(MONDAY, MONDAY);
    long.leave_request.as_mut().expect("a body").reason = "x".repeat(301);
    let status = asked(&serving, "d1", long).await.expect_err("too long");
    assert_eq!(violated(&status), ["reason"]);
    assert!(status.message().len() < 1000);

    let create = serving.staff(ROSTERS_WRITE, leave("doctor:d1", TUESDAY));
    serving
        .roster()
        .create_leave(create)
        .await
        .expect("created");
    let overlap = asked(&serving, "d1", wanted(MONDAY, TUESDAY))
        .await
        .expect_err("leave");
    assert_eq!(violated(&overlap), ["from"]);
    asked(&serving, "d1", wanted("2026-12-01", "2026-12-03"))
        .await
        .expect("stored");
    for (from, until) in [("2026-12-03", "2026-12-05"), ("2026-11-30", "2026-12-01")] {
        let overlap = asked(&serving, "d1", wanted(from, until))
            .await
            .expect_err("a request");
        assert_eq!(violated(&overlap), ["from"]);
    }
    asked(&serving, "d1", wanted("2026-12-04", "2026-12-05"))
        .await
        .expect("beside it");
    // Another doctor's days do not matter, and withdrawn ones neither.
    let other = asked(&serving, "d2", wanted("2026-12-01", "2026-12-03"))
        .await
        .expect("stored");
    withdraw(&serving, "d2", &other.id, &other.etag)
        .await
        .expect("withdrawn");
    asked(&serving, "d2", wanted("2026-12-01", "2026-12-03"))
        .await
        .expect("again");
    serving.stop().await;
    bench.end().await;
}
