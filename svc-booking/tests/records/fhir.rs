//! The appointments in FHIR, as another system of the hospital reads them. `e2e/tests/fhir.test.mjs` validates them
//! against R4.

use hospital_proto::{
    booking::v1::{
        Appointment, CreateAppointmentRequest, SearchFhirAppointmentsRequest,
        SearchFhirPractitionersRequest, SearchFhirSchedulesRequest, SearchFhirSlotsRequest,
        booking_service_client::BookingServiceClient, fhir_service_client::FhirServiceClient,
    },
    google::api::HttpBody,
};
use serde_json::Value;
use test_kit::on_both_databases;
use tonic::{Code, Response, transport::Channel};

use crate::serving::{Bench, Serving, violated};

const READ: &str = "appointments:read";

on_both_databases!(test_kit::bench::empty:
    appointments_are_paged_by_their_links,
    a_slot_is_free_until_its_seat_is_taken,
    every_slot_has_its_schedule_and_every_schedule_its_actor,
    only_staff_may_search_and_violations_are_named,
);

fn read(answer: Response<HttpBody>) -> Value {
    let body = answer.into_inner();
    assert_eq!(
        body.content_type,
        "application/fhir+json; charset=utf-8; fhirVersion=4.0"
    );
    let bundle: Value = serde_json::from_slice(&body.data).expect("JSON");
    assert_eq!(bundle["resourceType"], "Bundle");
    bundle
}

fn resources(bundle: &Value) -> Vec<&Value> {
    let entries = bundle["entry"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    entries.iter().map(|entry| &entry["resource"]).collect()
}

/// Books for a distinct person: nobody may have two appointments in a department on one day.
async fn book(
    serving: &Serving,
    number: u32,
    department: &str,
    doctor: &str,
    time: &str,
) -> Appointment {
    let mut client = BookingServiceClient::new(serving.channel.clone());
    let request = CreateAppointmentRequest {
        appointment: Some(Appointment {
            patient_name: "Asha Rao".to_owned(),
            email: format!("asha{number}@example.com"),
            phone: format!("+91 80 0000 {number:04}"),
            date: "2026-11-23".to_owned(),
            time: time.to_owned(),
            doctor_id: doctor.to_owned(),
            department: department.to_owned(),
            reason: "Knee pain".to_owned(),
            ..Appointment::default()
        }),
        request_id: format!("0123456789abcdef-{number}"),
    };
    let booked = client.create_appointment(request).await.expect("booked");
    booked.into_inner().appointment.expect("a body")
}

fn slots(schedule: &str) -> SearchFhirSlotsRequest {
    SearchFhirSlotsRequest {
        schedule: schedule.to_owned(),
        from: "2026-11-23".to_owned(),
        to: "2026-11-24".to_owned(),
    }
}

fn diary(serving: &Serving) -> FhirServiceClient<Channel> {
    FhirServiceClient::new(serving.channel.clone())
}

async fn appointments_are_paged_by_their_links(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mut ids = Vec::new();
    for number in 1..=3 {
        // All seats of one time: the clinic has three.
        ids.push(
            book(&serving, number, "general-medicine", "", "9:00 AM")
                .await
                .id,
        );
    }
    ids.sort_unstable();
    let asked = SearchFhirAppointmentsRequest {
        from: "2026-11-22".to_owned(),
        to: "2026-12-22".to_owned(),
        page_size: 2,
        ..SearchFhirAppointmentsRequest::default()
    };
    let first = diary(&serving)
        .search_fhir_appointments(serving.staff(READ, asked.clone()))
        .await;
    let first = read(first.expect("a page"));
    let next = &first["link"][1];
    assert_eq!(next["relation"], "next");
    let next = next["url"].as_str().expect("an address");
    assert!(next.starts_with("http://127.0.0.1:8080/api/fhir/Appointment?from=2026-11-22&to=2026-12-22&pageSize=2&pageToken="));
    let (_, token) = next.split_once("pageToken=").expect("a token");
    let rest = SearchFhirAppointmentsRequest {
        page_token: token.to_owned(),
        ..asked
    };
    let rest = diary(&serving)
        .search_fhir_appointments(serving.staff(READ, rest))
        .await;
    let rest = read(rest.expect("a page"));
    assert_eq!(rest["link"].as_array().map(Vec::len), Some(1));
    let found = [resources(&first), resources(&rest)].concat();
    let found_ids: Vec<_> = found.iter().map(|found| found["id"].as_str()).collect();
    let expected: Vec<_> = ids.iter().map(|id| Some(id.as_str())).collect();
    assert_eq!(found_ids, expected);
    for appointment in found {
        assert_eq!(appointment["status"], "booked");
        assert_eq!(appointment["start"], "2026-11-23T09:00:00+05:30");
        assert_eq!(appointment["specialty"][0]["text"], "General Medicine");
        let clinic = &appointment["contained"][0];
        assert_eq!(clinic["name"], "General medicine clinic, duty physicians");
        assert_eq!(appointment["contained"][1]["name"][0]["text"], "Asha Rao");
        // The reason for the visit is not included.
        assert!(!appointment.to_string().contains("Knee"));
    }
    let log = "SELECT count(*) FROM audit_entries WHERE actor = 'editor@sampige'";
    assert!(bench.test.scalar(log).await >= 2, "both pages were noted");
    serving.stop().await;
    bench.end().await;
}

/// Returns the first schedule of a doctor who is free on that Monday.
async fn free_doctor(serving: &Serving) -> (String, String) {
    let schedules = diary(serving)
        .search_fhir_schedules(serving.staff(READ, SearchFhirSchedulesRequest {}))
        .await;
    let schedules = read(schedules.expect("schedules"));
    for schedule in resources(&schedules) {
        let actor = schedule["actor"][0]["reference"]
            .as_str()
            .expect("an actor");
        let Some(doctor) = actor.strip_prefix("Practitioner/") else {
            continue;
        };
        let department = schedule["specialty"][0]["coding"][0]["code"].as_str();
        let asked = serving.staff(READ, slots(&format!("doctor:{doctor}")));
        let listed = diary(serving).search_fhir_slots(asked).await;
        let listed = read(listed.expect("slots"));
        let is_free = |slot: &&Value| {
            slot["status"] == "free" && slot["start"] == "2026-11-23T10:00:00+05:30"
        };
        if resources(&listed).iter().any(is_free) {
            return (doctor.to_owned(), department.expect("a code").to_owned());
        }
    }
    panic!("some doctor works on a Monday at ten");
}

async fn a_slot_is_free_until_its_seat_is_taken(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let (doctor, department) = free_doctor(&serving).await;
    let booked = book(&serving, 1, &department, &doctor, "10:00 AM").await;
    let asked = serving.staff(READ, slots(&format!("doctor:{doctor}")));
    let listed = read(
        diary(&serving)
            .search_fhir_slots(asked)
            .await
            .expect("slots"),
    );
    let listed = resources(&listed);
    let busy: Vec<_> = listed
        .iter()
        .filter(|slot| slot["status"] == "busy")
        .collect();
    assert_eq!(busy.len(), 1);
    assert_eq!(busy[0]["start"], "2026-11-23T10:00:00+05:30");
    let found = SearchFhirAppointmentsRequest {
        from: "2026-11-23".to_owned(),
        ..SearchFhirAppointmentsRequest::default()
    };
    let found = diary(&serving)
        .search_fhir_appointments(serving.staff(READ, found))
        .await;
    let found = read(found.expect("a page"));
    let appointment = resources(&found)[0];
    assert_eq!(appointment["id"], booked.id.as_str());
    let slot = format!("Slot/{}", busy[0]["id"].as_str().expect("an id"));
    assert_eq!(appointment["slot"][0]["reference"], slot.as_str());
    let practitioner = format!("Practitioner/{doctor}");
    let actor = &appointment["participant"][0]["actor"]["reference"];
    assert_eq!(*actor, practitioner.as_str());
    // Three seats are one slot, which is busy once the third is taken.
    for number in 2..=4 {
        let asked = serving.staff(READ, slots("clinic:general-medicine-opd"));
        let listed = read(
            diary(&serving)
                .search_fhir_slots(asked)
                .await
                .expect("slots"),
        );
        let at_nine = resources(&listed)[0].clone();
        assert_eq!(at_nine["start"], "2026-11-23T09:00:00+05:30");
        assert_eq!(at_nine["status"], "free", "before booking {number}");
        book(&serving, number, "general-medicine", "", "9:00 AM").await;
    }
    let asked = serving.staff(READ, slots("clinic:general-medicine-opd"));
    let listed = read(
        diary(&serving)
            .search_fhir_slots(asked)
            .await
            .expect("slots"),
    );
    assert_eq!(resources(&listed)[0]["status"], "busy");
    // Past and too near slots cannot be booked: it is Saturday, 3:00 PM.
    let today = SearchFhirSlotsRequest {
        from: "2026-11-21".to_owned(),
        to: String::new(),
        ..slots("clinic:general-medicine-opd")
    };
    let listed = diary(&serving)
        .search_fhir_slots(serving.staff(READ, today))
        .await;
    let listed = read(listed.expect("slots"));
    for slot in resources(&listed) {
        let start = slot["start"].as_str().expect("a start");
        let is_near = start < "2026-11-21T16:00:00+05:30";
        let expected = if is_near { "busy-unavailable" } else { "free" };
        assert_eq!(slot["status"], expected, "{start}");
    }
    serving.stop().await;
    bench.end().await;
}

async fn every_slot_has_its_schedule_and_every_schedule_its_actor(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let schedules = diary(&serving)
        .search_fhir_schedules(serving.staff(READ, SearchFhirSchedulesRequest {}))
        .await;
    let schedules = read(schedules.expect("schedules"));
    let practitioners = diary(&serving)
        .search_fhir_practitioners(serving.staff(READ, SearchFhirPractitionersRequest {}))
        .await;
    let practitioners = read(practitioners.expect("practitioners"));
    let known: Vec<String> = resources(&practitioners)
        .iter()
        .map(|found| format!("Practitioner/{}", found["id"].as_str().expect("an id")))
        .collect();
    let mut doctors = 0;
    for schedule in resources(&schedules) {
        let actor = schedule["actor"][0]["reference"]
            .as_str()
            .expect("an actor");
        if actor == "#clinic" {
            assert_eq!(schedule["contained"][0]["id"], "clinic");
        } else {
            assert!(known.iter().any(|known| known == actor), "{actor}");
            doctors += 1;
        }
    }
    assert_eq!(doctors, known.len(), "each doctor has one schedule");
    let asked = serving.staff(READ, slots("clinic:pediatrics-evening"));
    let listed = read(
        diary(&serving)
            .search_fhir_slots(asked)
            .await
            .expect("slots"),
    );
    let listed = resources(&listed);
    // Monday from four to seven, and none on Tuesday.
    assert_eq!(listed.len(), 6);
    for slot in listed {
        assert_eq!(
            slot["schedule"]["reference"],
            "Schedule/clinic-pediatrics-evening"
        );
    }
    // On leave: the sessions are listed, but cannot be booked.
    let asked = serving.staff(READ, slots("doctor:doc-16"));
    let listed = read(
        diary(&serving)
            .search_fhir_slots(asked)
            .await
            .expect("slots"),
    );
    for slot in resources(&listed) {
        assert_eq!(slot["status"], "busy-unavailable");
    }
    serving.stop().await;
    bench.end().await;
}

async fn only_staff_may_search_and_violations_are_named(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mut client = diary(&serving);
    let refused = client
        .search_fhir_appointments(SearchFhirAppointmentsRequest::default())
        .await;
    assert_eq!(refused.expect_err("refused").code(), Code::Unauthenticated);
    let refused = client
        .search_fhir_slots(serving.staff("blogs:write", slots("x")))
        .await;
    assert_eq!(refused.expect_err("refused").code(), Code::PermissionDenied);
    let refused = client
        .search_fhir_schedules(SearchFhirSchedulesRequest {})
        .await;
    assert_eq!(refused.expect_err("refused").code(), Code::Unauthenticated);
    let refused = client
        .search_fhir_practitioners(SearchFhirPractitionersRequest {})
        .await;
    assert_eq!(refused.expect_err("refused").code(), Code::Unauthenticated);
    let bad = SearchFhirAppointmentsRequest {
        from: "2026-11-01".to_owned(),
        to: "2026-12-02".to_owned(),
        page_size: -1,
        page_token: "x".to_owned(),
    };
    let refused = client
        .search_fhir_appointments(serving.staff(READ, bad))
        .await;
    assert_eq!(
        violated(&refused.expect_err("32 days")),
        ["to", "pageSize", "pageToken"]
    );
    for schedule in ["", "doctor:nobody", "department:ent", "clinic:"] {
        let refused = client
            .search_fhir_slots(serving.staff(READ, slots(schedule)))
            .await;
        assert_eq!(
            violated(&refused.expect_err("unknown")),
            ["schedule"],
            "{schedule}"
        );
    }
    let long = SearchFhirSlotsRequest {
        to: "2026-12-07".to_owned(),
        ..slots("clinic:ent-opd")
    };
    let refused = client.search_fhir_slots(serving.staff(READ, long)).await;
    assert!(violated(&refused.expect_err("15 days")).contains(&"to".to_owned()));
    serving.stop().await;
    bench.end().await;
}
