//! Rows shown in a list are decrypted and recorded in the audit log; other rows stay sealed.

use hospital_proto::booking::v1::{
    Appointment, CreateLeaveRequest, Leave, ListAppointmentsRequest, ListAppointmentsResponse,
    NotifyUncoveredRequest, SearchFhirAppointmentsRequest, fhir_service_client::FhirServiceClient,
};
use store_kit::{
    audit::{self, Verdict},
    values,
};
use test_kit::on_both_databases;

use crate::{
    fixture::{Bench, MONDAY, TUESDAY, changed, request},
    serving::{READ, ROSTERS_WRITE, Serving, WRITE},
};

on_both_databases!(test_kit::bench::empty:
    a_list_is_audited_with_the_shown_rows,
    an_edit_decrypts_only_the_shown_appointments,
);

async fn list(serving: &Serving, list: ListAppointmentsRequest) -> ListAppointmentsResponse {
    let listed = serving
        .desk()
        .list_appointments(serving.staff(READ, list))
        .await;
    listed.expect("listed").into_inner()
}

/// Returns the subjects of the audit entries with this action, in order.
async fn subjects(bench: &Bench, action: &str) -> Vec<String> {
    const SELECT: &str = "SELECT subject FROM audit_entries WHERE action = $1 ORDER BY seq";
    let rows: Vec<(String,)> = bench
        .database
        .fetch_all("SELECT audit_entries", SELECT, values![action])
        .await
        .expect("entries");
    rows.into_iter().map(|(subject,)| subject).collect()
}

fn ids(appointments: &[Appointment]) -> String {
    let ids: Vec<&str> = appointments.iter().map(|found| found.id.as_str()).collect();
    ids.join(",")
}

/// B5: one entry per page, which lists exactly the shown rows.
async fn a_list_is_audited_with_the_shown_rows(bench: Bench) {
    const LIST: &str = "appointment.list";
    let serving = Serving::start(&bench).await;
    let mut booked = Vec::new();
    for time in ["9:00 AM", "9:30 AM", "10:00 AM"] {
        booked.push(serving.booked(request("ENT", "d1", time)).await);
    }
    let two = ListAppointmentsRequest {
        page_size: 2,
        ..ListAppointmentsRequest::default()
    };
    let listed = list(&serving, two.clone()).await.appointments;
    assert_eq!(ids(&listed), ids(&booked[..2]));
    let mut expected = vec![ids(&booked[..2])];
    assert_eq!(subjects(&bench, LIST).await, expected);

    let search = SearchFhirAppointmentsRequest {
        from: MONDAY.to_owned(),
        to: MONDAY.to_owned(),
        ..SearchFhirAppointmentsRequest::default()
    };
    let mut fhir = FhirServiceClient::new(serving.channel.clone());
    fhir.search_fhir_appointments(serving.staff(READ, search))
        .await
        .expect("found");
    expected.push(ids(&booked));
    assert_eq!(subjects(&bench, LIST).await, expected);

    let two = ListAppointmentsRequest {
        uncovered: true,
        ..two
    };
    assert_eq!(list(&serving, two.clone()).await.appointments, []);
    let away = serving.staff(ROSTERS_WRITE, leave("doctor:d1", MONDAY, MONDAY));
    serving.roster().create_leave(away).await.expect("entered");
    assert_eq!(list(&serving, two).await.appointments.len(), 2);
    expected.extend([String::new(), ids(&booked), ids(&booked[..2])]);
    assert_eq!(subjects(&bench, LIST).await, expected);

    let tell = NotifyUncoveredRequest {
        appointments: vec![booked[2].reference.clone()],
    };
    let mut desk = serving.desk();
    let told = desk.notify_uncovered(serving.staff(WRITE, tell)).await;
    told.expect("told");
    let told = subjects(&bench, "appointment.uncovered").await;
    assert_eq!(told, [booked[2].id.as_str()]);
    match audit::verify(&bench.database, &bench.keys).await {
        Ok(Verdict::Intact { .. }) => {}
        broken => panic!("{broken:?}"),
    }
    serving.stop().await;
    bench.end().await;
}

fn leave(resource: &str, from: &str, until: &str) -> CreateLeaveRequest {
    CreateLeaveRequest {
        leave: Some(Leave {
            resource: resource.to_owned(),
            from: from.to_owned(),
            until: until.to_owned(),
            ..Leave::default()
        }),
        request_id: format!("leave-of-{resource}-{from}"),
    }
}

/// B6: of 108 affected appointments, the last ones cannot be decrypted, and no call tries.
async fn an_edit_decrypts_only_the_shown_appointments(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mut booked = Vec::new();
    for date in [MONDAY, TUESDAY] {
        for time in svc_booking::domain::calendar::SlotTime::all() {
            for _ in 0..3 {
                let asked = changed(&request("Pediatrics", "", &time.label()), |body| {
                    body.date = date.into();
                });
                booked.push(serving.booked(asked).await);
            }
        }
    }
    assert_eq!(booked.len(), 108);
    // The last five by time.
    let broken = "UPDATE contacts SET patient_name = email WHERE id IN \
                  (SELECT id FROM appointments ORDER BY starts_at DESC LIMIT 5)";
    assert_eq!(bench.test.execute(broken).await, 5);
    let away = serving.staff(ROSTERS_WRITE, leave("clinic:ped", MONDAY, TUESDAY));
    let entered = serving.roster().create_leave(away).await;
    let entered = entered.expect("entered").into_inner();
    assert_eq!((entered.affected.len(), entered.affected_total), (100, 108));
    let named: usize = subjects(&bench, "appointment.list")
        .await
        .iter()
        .map(|subject| subject.split(',').count())
        .sum();
    assert_eq!(named, 100);
    // The pages show all but the broken ones.
    let mut page = ListAppointmentsRequest {
        uncovered: true,
        page_size: 50,
        ..ListAppointmentsRequest::default()
    };
    for expected in entered.affected.chunks(50) {
        let listed = list(&serving, page.clone()).await;
        assert_eq!(ids(&listed.appointments), ids(expected));
        page.page_token = listed.next_page_token;
    }
    assert!(!page.page_token.is_empty(), "a third page exists");
    serving.stop().await;
    bench.end().await;
}
