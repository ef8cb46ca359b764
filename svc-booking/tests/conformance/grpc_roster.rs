//! Roster changes by staff, and their effects on concurrent bookings.

use hospital_proto::booking::v1::{
    CreateHolidayRequest, CreateSessionRequest, DeleteHolidayRequest, DeleteLeaveRequest,
    DeleteSessionRequest, Holiday, ListHolidaysRequest, ListSessionsRequest, Session,
    UpdateSessionRequest,
};
use test_kit::on_both_databases;
use tonic::Code;

use crate::{
    fixture::{Bench, MONDAY, request},
    grpc_staff::leave,
    serving::{ROSTERS_READ, ROSTERS_WRITE, Serving, reason, violated},
};

on_both_databases!(test_kit::bench::empty:
    a_form_is_rechecked_after_a_roster_change,
    leave_created_in_one_process_is_deleted_in_another,
    an_invalid_roster_change_is_refused,
);

fn evening(department: &str) -> Session {
    Session {
        department: department.to_owned(),
        name: "Evening clinic".to_owned(),
        weekdays: vec!["Mon".to_owned()],
        from: "5:00 PM".to_owned(),
        until: "7:00 PM".to_owned(),
        ..Session::default()
    }
}

/// Two processes of the service: each detects the other's roster changes before it refuses or books.
async fn a_form_is_rechecked_after_a_roster_change(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let other = Serving::start(&bench).await;
    let at_five = || request("Cardiology", "", "5:00 PM");
    let status = other
        .booking()
        .create_appointment(at_five())
        .await
        .expect_err("nobody works");
    assert_eq!(violated(&status), ["time"]);
    let mut roster = serving.roster();
    let create = CreateSessionRequest {
        session: Some(evening("Cardiology")),
        request_id: "0123456789abcdef".to_owned(),
    };
    let created = roster
        .create_session(serving.staff(ROSTERS_WRITE, create.clone()))
        .await;
    let created = created
        .expect("created")
        .into_inner()
        .session
        .expect("a session");
    let again = roster
        .create_session(serving.staff(ROSTERS_WRITE, create))
        .await;
    assert_eq!(
        again.expect("known").into_inner().session.as_ref(),
        Some(&created)
    );
    let booked = other.booked(at_five()).await;
    let update = |etag: &str| {
        let session = Session {
            from: "6:00 PM".to_owned(),
            ..created.clone()
        };
        let message = UpdateSessionRequest {
            session_id: created.id.clone(),
            session: Some(session),
            etag: etag.to_owned(),
        };
        serving.staff(ROSTERS_WRITE, message)
    };
    let status = roster.update_session(update("2")).await.expect_err("stale");
    assert_eq!(reason(&status), "ETAG_MISMATCH");
    let updated = roster
        .update_session(update(&created.etag))
        .await
        .expect("updated")
        .into_inner();
    assert_eq!(updated.affected[0].reference, booked.reference);
    assert_eq!(updated.session.expect("a session").etag, "2");
    let status = other
        .booking()
        .create_appointment(at_five())
        .await
        .expect_err("nobody works");
    assert_eq!(violated(&status), ["time"]);
    let list = ListSessionsRequest {
        page_size: 2,
        department: "Cardiology".to_owned(),
        ..ListSessionsRequest::default()
    };
    let listed = other
        .roster()
        .list_sessions(other.staff(ROSTERS_READ, list))
        .await
        .expect("listed");
    assert_eq!(
        (
            listed.get_ref().sessions.len(),
            listed.get_ref().next_page_token.as_str()
        ),
        (2, "")
    );
    let none = ListSessionsRequest {
        page_size: -1,
        ..ListSessionsRequest::default()
    };
    let none = other.staff(ROSTERS_READ, none);
    let status = other.roster().list_sessions(none).await;
    assert_eq!(violated(&status.expect_err("refused")), ["pageSize"]);
    let delete = DeleteSessionRequest {
        session_id: created.id.clone(),
        etag: "2".to_owned(),
    };
    let deleted = roster
        .delete_session(serving.staff(ROSTERS_WRITE, delete))
        .await
        .expect("deleted");
    assert_eq!(deleted.into_inner().affected.len(), 1);
    other.stop().await;
    serving.stop().await;
}

async fn leave_created_in_one_process_is_deleted_in_another(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let other = Serving::start(&bench).await;
    other.booked(request("Urology", "", "9:30 AM")).await;
    let mut roster = serving.roster();
    let entered = roster
        .create_leave(serving.staff(ROSTERS_WRITE, leave("clinic:uro", MONDAY)))
        .await;
    let entered = entered
        .expect("entered")
        .into_inner()
        .leave
        .expect("a leave");
    let status = other
        .booking()
        .create_appointment(request("Urology", "", "9:00 AM"))
        .await;
    assert_eq!(violated(&status.expect_err("nobody works")), ["date"]);
    let ended = DeleteLeaveRequest {
        leave_id: entered.id,
    };
    roster
        .delete_leave(serving.staff(ROSTERS_WRITE, ended))
        .await
        .expect("ended");
    other.booked(request("Urology", "", "9:00 AM")).await;
    other.stop().await;
    serving.stop().await;
}

async fn an_invalid_roster_change_is_refused(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mut roster = serving.roster();
    let session = CreateSessionRequest {
        session: Some(evening("Emergency")),
        request_id: "0123456789abcdef".to_owned(),
    };
    let status = roster
        .create_session(serving.staff(ROSTERS_WRITE, session.clone()))
        .await;
    assert_eq!(violated(&status.expect_err("refused")), ["department"]);
    let without_key = CreateSessionRequest {
        request_id: String::new(),
        ..session
    };
    let status = roster
        .create_session(serving.staff(ROSTERS_WRITE, without_key))
        .await;
    assert_eq!(violated(&status.expect_err("refused")), ["requestId"]);
    let away = serving.staff(ROSTERS_WRITE, leave("doctor:nobody", MONDAY));
    assert_eq!(
        violated(&roster.create_leave(away).await.expect_err("refused")),
        ["resource"]
    );
    let holiday = |date: &str, name: &str| CreateHolidayRequest {
        holiday: Some(Holiday {
            date: date.to_owned(),
            name: name.to_owned(),
        }),
    };
    let status = roster
        .create_holiday(serving.staff(ROSTERS_WRITE, holiday("Monday", "")))
        .await;
    assert_eq!(violated(&status.expect_err("refused")), ["date", "name"]);
    let booked = serving.booked(request("Urology", "", "9:00 AM")).await;
    let entered = roster
        .create_holiday(serving.staff(ROSTERS_WRITE, holiday(MONDAY, "Festival")))
        .await;
    assert_eq!(
        entered.expect("entered").into_inner().affected[0].reference,
        booked.reference
    );
    let list = serving.staff(
        ROSTERS_READ,
        ListHolidaysRequest {
            page_size: 1,
            ..ListHolidaysRequest::default()
        },
    );
    let listed = roster
        .list_holidays(list)
        .await
        .expect("listed")
        .into_inner();
    assert_eq!(
        (
            listed.holidays[0].date.as_str(),
            listed.next_page_token.as_str()
        ),
        (MONDAY, MONDAY)
    );
    let delete = |date: &str| {
        serving.staff(
            ROSTERS_WRITE,
            DeleteHolidayRequest {
                date: date.to_owned(),
            },
        )
    };
    roster
        .delete_holiday(delete(MONDAY))
        .await
        .expect("removed");
    for date in [MONDAY, "soon"] {
        assert_eq!(
            roster
                .delete_holiday(delete(date))
                .await
                .expect_err("gone")
                .code(),
            Code::NotFound
        );
    }
    serving.stop().await;
    bench.end().await;
}
