//! The staff's calls, with and without tokens.

use chrono::TimeDelta;
use hospital_proto::booking::v1::{
    AppointmentStatus, BookAppointmentRequest, CancelBurstRequest, CreateHolidayRequest,
    CreateLeaveRequest, CreateSessionRequest, DeleteAppointmentRequest, DeleteHolidayRequest,
    DeleteLeaveRequest, DeleteSessionRequest, Leave, ListAppointmentsRequest, ListBurstsRequest,
    ListDeskAvailabilityRequest, ListHolidaysRequest, ListLeavesRequest, ListSessionsRequest,
    ListWaitlistEntriesRequest, NotifyUncoveredRequest, OfferWaitlistTimeRequest,
    RemoveWaitlistEntryRequest, SetAppointmentNoteRequest, SetAppointmentStatusRequest,
    UndoAppointmentStatusRequest, UpdateSessionRequest,
};
use service_kit::source::{Clock as _, SystemClock};
use test_kit::{issuer::Issuer, on_both_databases};
use tonic::{Code, Request};

use crate::{
    fixture::{Bench, MONDAY, TUESDAY, changed, request},
    serving::{
        READ, ROSTERS_READ, ROSTERS_WRITE, Serving, WRITE, authorized, reason, violated, with,
    },
};

on_both_databases!(test_kit::bench::empty:
    every_call_needs_a_token_of_its_scope,
    the_desk_lists_and_changes_a_days_appointments,
    the_desk_changes_status_and_deletes,
    a_burst_is_listed_and_cancelled_with_one_mail_per_address,
    uncovered_appointments_are_filtered_and_notified,
);

/// Makes every staff call with the same header; returns the code of each.
async fn codes(serving: &Serving, authorization: Option<&str>) -> Vec<(&'static str, Code)> {
    fn with_token<T>(message: T, authorization: Option<&str>) -> Request<T> {
        match authorization {
            None => Request::new(message),
            Some(value) => authorized(message, value),
        }
    }
    let (mut desk, mut roster) = (serving.desk(), serving.roster());
    let mut waitlist = serving.waitlist();
    macro_rules! ask {
        ($($client:ident.$call:ident($message:ident) $scope:expr;)+) => {
            vec![$(($scope, match $client.$call(with_token($message::default(), authorization)).await {
                Ok(_) => Code::Ok,
                Err(status) => status.code(),
            }),)+]
        };
    }
    ask! {
        desk.list_appointments(ListAppointmentsRequest) READ;
        desk.list_desk_availability(ListDeskAvailabilityRequest) READ;
        desk.book_appointment(BookAppointmentRequest) WRITE;
        desk.set_appointment_status(SetAppointmentStatusRequest) WRITE;
        desk.undo_appointment_status(UndoAppointmentStatusRequest) WRITE;
        desk.set_appointment_note(SetAppointmentNoteRequest) WRITE;
        desk.delete_appointment(DeleteAppointmentRequest) WRITE;
        desk.list_bursts(ListBurstsRequest) READ;
        desk.cancel_burst(CancelBurstRequest) WRITE;
        desk.notify_uncovered(NotifyUncoveredRequest) WRITE;
        waitlist.list_waitlist_entries(ListWaitlistEntriesRequest) READ;
        waitlist.offer_waitlist_time(OfferWaitlistTimeRequest) WRITE;
        waitlist.remove_waitlist_entry(RemoveWaitlistEntryRequest) WRITE;
        roster.list_sessions(ListSessionsRequest) ROSTERS_READ;
        roster.create_session(CreateSessionRequest) ROSTERS_WRITE;
        roster.update_session(UpdateSessionRequest) ROSTERS_WRITE;
        roster.delete_session(DeleteSessionRequest) ROSTERS_WRITE;
        roster.list_leaves(ListLeavesRequest) ROSTERS_READ;
        roster.create_leave(CreateLeaveRequest) ROSTERS_WRITE;
        roster.delete_leave(DeleteLeaveRequest) ROSTERS_WRITE;
        roster.list_holidays(ListHolidaysRequest) ROSTERS_READ;
        roster.create_holiday(CreateHolidayRequest) ROSTERS_WRITE;
        roster.delete_holiday(DeleteHolidayRequest) ROSTERS_WRITE;
    }
}

async fn every_call_needs_a_token_of_its_scope(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let issuer = &serving.issuer;
    let expiry = SystemClock.now().timestamp() + 60;
    let claims = |audience: &str, issuer: &str| {
        format!(
            r#"{{"sub":"x","iss":"{issuer}","aud":"{audience}","exp":{expiry},"scope":"{READ} {WRITE} {ROSTERS_READ} {ROSTERS_WRITE}"}}"#
        )
    };
    let (own, audience) = ("https://issuer.example", "hospital-api");
    let good = issuer.signed(&claims(audience, own));
    let (head, _) = good.rsplit_once('.').expect("a signature");
    let every_scope = format!("{READ} {WRITE} {ROSTERS_READ} {ROSTERS_WRITE}");
    let refused = [
        None,
        Some("Bearer x".to_owned()),
        Some("Basic eDp5".to_owned()),
        Some(format!("{head}.")),
        Some(issuer.authorization(&every_scope, -60)),
        Some(issuer.signed(&claims("another-api", own))),
        Some(issuer.signed(&claims(audience, "https://another.example"))),
        Some(Issuer::new().authorization(&every_scope, 60)),
    ];
    for authorization in refused {
        for (scope, code) in codes(&serving, authorization.as_deref()).await {
            assert_eq!(code, Code::Unauthenticated, "{scope} {authorization:?}");
        }
    }
    for scope in [READ, WRITE, ROSTERS_READ, ROSTERS_WRITE, "appointments", ""] {
        let token = issuer.authorization(scope, 60);
        for (needed, code) in codes(&serving, Some(&token)).await {
            let is_denied = code == Code::PermissionDenied;
            assert_eq!(is_denied, scope != needed, "{scope:?} for {needed}: {code}");
        }
    }
    for (scope, code) in codes(&serving, Some(&good)).await {
        let is_checked = matches!(code, Code::Ok | Code::InvalidArgument | Code::NotFound);
        assert!(is_checked, "{scope}: {code}");
    }
    let written =
        "SELECT (SELECT revision FROM roster_head) * 100 + (SELECT count(*) FROM appointments)";
    assert_eq!(bench.test.scalar(written).await, 100);
    serving.stop().await;
    bench.end().await;
}

async fn the_desk_lists_and_changes_a_days_appointments(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mut desk = serving.desk();
    let first = serving.booked(request("ENT", "", "9:00 AM")).await;
    let second = serving.booked(request("ENT", "", "9:30 AM")).await;
    let third = serving.booked(request("Urology", "", "10:00 AM")).await;
    let mut list = async |request: ListAppointmentsRequest| {
        let listed = desk.list_appointments(serving.staff(READ, request)).await?;
        let listed = listed.into_inner();
        let references: Vec<String> = listed
            .appointments
            .into_iter()
            .map(|found| found.reference)
            .collect();
        Ok::<_, tonic::Status>((references, listed.next_page_token))
    };
    let page = |page_token: String| ListAppointmentsRequest {
        page_size: 2,
        page_token,
        date: MONDAY.to_owned(),
        ..ListAppointmentsRequest::default()
    };
    let (references, token) = list(page(String::new())).await.expect("a page");
    assert_eq!(references, [first.reference.as_str(), &second.reference]);
    let (references, token) = list(page(token)).await.expect("a page");
    assert_eq!(
        (references, token),
        (vec![third.reference.clone()], String::new())
    );
    let none = ListAppointmentsRequest {
        page_size: -1,
        ..ListAppointmentsRequest::default()
    };
    let status = list(none).await.expect_err("refused");
    assert_eq!(violated(&status), ["pageSize"]);
    let bad = ListAppointmentsRequest {
        page_token: "x".to_owned(),
        date: "Monday".to_owned(),
        department: "Astrology".to_owned(),
        status: "gone".to_owned(),
        ..ListAppointmentsRequest::default()
    };
    let status = list(bad).await.expect_err("refused");
    assert_eq!(
        violated(&status),
        ["date", "department", "status", "pageToken"]
    );
    serving.stop().await;
    bench.end().await;
}

async fn the_desk_changes_status_and_deletes(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let first = serving.booked(request("ENT", "", "9:00 AM")).await;
    let third = serving.booked(request("Urology", "", "10:00 AM")).await;
    let set = |name: &str, etag: &str, status: AppointmentStatus| {
        let message = SetAppointmentStatusRequest {
            appointment_id: name.to_owned(),
            status: status.into(),
            etag: etag.to_owned(),
        };
        serving.staff(WRITE, message)
    };
    let mut desk = serving.desk();
    let arrived = set(&first.reference, "1", AppointmentStatus::Arrived);
    let arrived = desk
        .set_appointment_status(arrived)
        .await
        .expect("arrived")
        .into_inner();
    let arrived = arrived.appointment.expect("a body");
    assert_eq!(
        (arrived.status(), arrived.etag.as_str()),
        (AppointmentStatus::Arrived, "2")
    );
    for (etag, status, expected) in [
        ("1", AppointmentStatus::Completed, "ETAG_MISMATCH"),
        ("2", AppointmentStatus::NoShow, "STATUS_NOT_ALLOWED"),
        ("2", AppointmentStatus::Booked, "STATUS_NOT_ALLOWED"),
    ] {
        let refused = desk
            .set_appointment_status(set(&first.id, etag, status))
            .await;
        assert_eq!(reason(&refused.expect_err("refused")), expected);
    }
    let none = set(&first.id, "2", AppointmentStatus::Unspecified);
    assert_eq!(
        violated(
            &desk
                .set_appointment_status(none)
                .await
                .expect_err("refused")
        ),
        ["status"]
    );
    let delete = |etag: &str| {
        let message = DeleteAppointmentRequest {
            appointment_id: third.reference.clone(),
            etag: etag.to_owned(),
        };
        serving.staff(WRITE, message)
    };
    assert_eq!(
        desk.delete_appointment(delete("7"))
            .await
            .expect_err("stale")
            .code(),
        Code::Aborted
    );
    desk.delete_appointment(delete("1")).await.expect("removed");
    assert_eq!(
        desk.delete_appointment(delete("1"))
            .await
            .expect_err("gone")
            .code(),
        Code::NotFound
    );
    serving.stop().await;
    bench.end().await;
}

async fn a_burst_is_listed_and_cancelled_with_one_mail_per_address(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mut desk = serving.desk();
    let mut booked = Vec::new();
    for (number, time) in ["9:00 AM", "9:30 AM", "10:00 AM", "10:30 AM"]
        .iter()
        .enumerate()
    {
        // Two addresses in two departments each, which is within a person's limits.
        let department = ["Urology", "Pediatrics"][number % 2];
        let asked = changed(&request(department, "", time), |body| {
            body.email = format!("victim{}@example.com", number / 2);
        });
        let mut asked = with(asked, "client-network", "192.0.2.0/24");
        asked.metadata_mut().insert("client-id", number.into());
        let answer = serving
            .booking()
            .create_appointment(asked)
            .await
            .expect("booked");
        booked.push(answer.into_inner().appointment.expect("a body"));
    }
    serving.booked(request("Urology", "", "2:00 PM")).await;
    let ask = ListBurstsRequest {
        bookings_min: 3,
        ..ListBurstsRequest::default()
    };
    let bursts = desk
        .list_bursts(serving.staff(READ, ask))
        .await
        .expect("listed")
        .into_inner()
        .bursts;
    assert_eq!(bursts.len(), 1);
    assert_eq!(
        (bursts[0].bookings, bursts[0].open, bursts[0].network.len()),
        (4, 4, 16)
    );
    let end = crate::fixture::now() + TimeDelta::seconds(1);
    let mut cancel = async |dry_run: bool| {
        let message = CancelBurstRequest {
            network: bursts[0].network.clone(),
            from_time: bursts[0].first_time,
            until_time: Some(std::time::SystemTime::from(end).into()),
            keep: vec![booked[3].reference.clone()],
            dry_run,
            notify: true,
        };
        let answer = desk
            .cancel_burst(serving.staff(WRITE, message))
            .await
            .expect("done")
            .into_inner();
        assert!(!answer.more);
        let mut references = answer.references;
        references.sort();
        references
    };
    let mut expected: Vec<String> = booked[..3]
        .iter()
        .map(|booked| booked.reference.clone())
        .collect();
    expected.sort();
    let open = "SELECT count(*) FROM appointments WHERE status = 'booked'";
    assert_eq!(cancel(true).await, expected);
    assert_eq!(bench.test.scalar(open).await, 5);
    // Another process has changed the roster in the meantime.
    bench
        .test
        .execute("UPDATE roster_head SET revision = revision + 1")
        .await;
    assert_eq!(cancel(false).await, expected);
    assert_eq!(bench.test.scalar(open).await, 2);
    let told = "SELECT count(*) FROM outbox_messages WHERE kind = 'appointment.cancelled'";
    assert_eq!(bench.test.scalar(told).await, 2);
    assert_eq!(cancel(false).await, Vec::<String>::new());
    serving.stop().await;
    bench.end().await;
}

pub(crate) fn leave(resource: &str, date: &str) -> CreateLeaveRequest {
    CreateLeaveRequest {
        leave: Some(Leave {
            resource: resource.to_owned(),
            from: date.to_owned(),
            until: date.to_owned(),
            ..Leave::default()
        }),
        request_id: format!("leave-of-{resource}-{date}"),
    }
}

async fn uncovered_appointments_are_filtered_and_notified(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mut desk = serving.desk();
    let mut booked = Vec::new();
    for date in [MONDAY, TUESDAY] {
        let asked = changed(&request("ENT", "d1", "9:00 AM"), |body| {
            body.date = date.into();
        });
        booked.push(serving.booked(asked).await);
        let away = serving.staff(ROSTERS_WRITE, leave("doctor:d1", date));
        let entered = serving
            .roster()
            .create_leave(away)
            .await
            .expect("entered")
            .into_inner();
        assert_eq!(entered.affected.len(), 1);
        assert!(entered.affected[0].uncovered);
        assert_eq!(entered.affected[0].resource, "doctor:d1");
    }
    let mut list = async |request: ListAppointmentsRequest| {
        let request = ListAppointmentsRequest {
            uncovered: true,
            ..request
        };
        let listed = desk
            .list_appointments(serving.staff(READ, request))
            .await
            .expect("listed");
        let found = listed.into_inner().appointments.into_iter();
        found.map(|found| found.reference).collect::<Vec<_>>()
    };
    let all = ListAppointmentsRequest::default;
    assert_eq!(list(all()).await.len(), 2);
    let tuesday = ListAppointmentsRequest {
        date: TUESDAY.to_owned(),
        ..all()
    };
    assert_eq!(list(tuesday).await, [booked[1].reference.as_str()]);
    let of_person = ListAppointmentsRequest {
        email: booked[0].email.to_uppercase(),
        ..all()
    };
    assert_eq!(list(of_person).await, [booked[0].reference.as_str()]);
    let cancelled = ListAppointmentsRequest {
        status: "cancelled".to_owned(),
        ..all()
    };
    assert_eq!(list(cancelled).await, Vec::<String>::new());
    let other = serving.booked(request("Urology", "", "9:00 AM")).await;
    let mut desk = serving.desk();
    let tell = NotifyUncoveredRequest {
        appointments: vec![booked[0].reference.clone(), booked[1].id.clone(), other.id],
    };
    let told = desk
        .notify_uncovered(serving.staff(WRITE, tell))
        .await
        .expect("told")
        .into_inner()
        .told;
    assert_eq!(told, [booked[0].reference.as_str(), &booked[1].reference]);
    let none = serving.staff(WRITE, NotifyUncoveredRequest::default());
    let status = desk.notify_uncovered(none).await.expect_err("refused");
    assert_eq!(violated(&status), ["appointments"]);
    serving.stop().await;
    bench.end().await;
}
