//! Consultations over gRPC.

use chrono::TimeDelta;
use hospital_proto::booking::v1::{
    Consultation, ConsultationStatus, CreateConsultationRequest, GetConsultationRequest,
    ListConsultationsRequest, UpdateConsultationRequest,
    consultation_service_client::ConsultationServiceClient,
};
use test_kit::{on_both_databases, service::is_replay};
use tonic::{Code, Request};

use crate::serving::{Bench, Serving, now, reason, violated};

const READ: &str = "appointments:read";
const WRITE: &str = "appointments:write";

on_both_databases!(test_kit::bench::empty:
    a_consultation_from_the_form_to_its_completion,
    a_network_may_request_twelve_and_staff_page_through_them,
    violations_are_reported_by_field,
    only_staff_see_consultations,
    a_retry_succeeds_after_its_day_has_passed,
    staff_allot_a_doctor_with_the_registration_number,
);

fn create(number: u32) -> CreateConsultationRequest {
    CreateConsultationRequest {
        consultation: Some(Consultation {
            patient_name: "Asha Rao".to_owned(),
            patient_email: "asha@example.com".to_owned(),
            phone: "+91 80 0000 0199".to_owned(),
            description: "ಜ್ವರ".to_owned(),
            date: "2026-11-23".to_owned(),
            department: "Cardiology".to_owned(),
            // Set by staff only: a visitor's values are ignored.
            time: "9:00 AM".to_owned(),
            link: "https://elsewhere.example".to_owned(),
            status: ConsultationStatus::Scheduled.into(),
            ..Consultation::default()
        }),
        request_id: format!("0123456789abcdef-{number}"),
    }
}

fn get(name: &str) -> GetConsultationRequest {
    GetConsultationRequest {
        consultation_id: name.to_owned(),
    }
}

fn update(name: &str, etag: &str, consultation: Consultation) -> UpdateConsultationRequest {
    UpdateConsultationRequest {
        consultation_id: name.to_owned(),
        consultation: Some(consultation),
        etag: etag.to_owned(),
    }
}

async fn a_consultation_from_the_form_to_its_completion(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mut client = ConsultationServiceClient::new(serving.channel.clone());
    let made = client.create_consultation(create(1)).await.expect("made");
    assert!(!is_replay(&made));
    let made = made.into_inner().consultation.expect("a body");
    assert_eq!(made.status(), ConsultationStatus::Requested);
    assert_eq!(made.department, "cardiology");
    assert_eq!((made.time.as_str(), made.link.as_str()), ("", ""));
    assert_eq!(
        (made.patient_name.as_str(), made.etag.as_str()),
        ("Asha Rao", "1")
    );

    let listed = ListConsultationsRequest {
        status: "requested".to_owned(),
        ..ListConsultationsRequest::default()
    };
    let listed = client.list_consultations(serving.staff(READ, listed)).await;
    let listed = listed.expect("listed").into_inner();
    assert_eq!(listed.consultations, std::slice::from_ref(&made));
    assert_eq!(listed.next_page_token, "");

    let allotted = Consultation {
        time: "4:30 PM".to_owned(),
        link: "https://video.example/room".to_owned(),
        status: ConsultationStatus::Scheduled.into(),
        // Not changed by an update.
        patient_name: "Somebody Else".to_owned(),
        ..Consultation::default()
    };
    let asked = update(&made.reference, "1", allotted.clone());
    let scheduled = client
        .update_consultation(serving.staff(WRITE, asked))
        .await;
    let scheduled = scheduled
        .expect("scheduled")
        .into_inner()
        .consultation
        .expect("a body");
    assert_eq!(scheduled.status(), ConsultationStatus::Scheduled);
    assert_eq!(
        (scheduled.time.as_str(), scheduled.etag.as_str()),
        ("4:30 PM", "2")
    );
    assert_eq!(scheduled.link, "https://video.example/room");
    assert_eq!(scheduled.patient_name, "Asha Rao");

    // A retry of the form does not reveal the room.
    let again = client
        .create_consultation(create(1))
        .await
        .expect("answered");
    assert!(is_replay(&again));
    let again = again.into_inner().consultation.expect("a body");
    assert_eq!(
        (again.id.as_str(), again.link.as_str()),
        (made.id.as_str(), "")
    );

    let stale = client.update_consultation(serving.staff(WRITE, update(&made.id, "1", allotted)));
    let stale = stale.await.expect_err("refused");
    assert_eq!(
        (stale.code(), reason(&stale).as_str()),
        (Code::Aborted, "ETAG_MISMATCH")
    );
    let status = |status: ConsultationStatus| Consultation {
        status: status.into(),
        ..Consultation::default()
    };
    let done = update(&made.id, "2", status(ConsultationStatus::Completed));
    client
        .update_consultation(serving.staff(WRITE, done))
        .await
        .expect("completed");
    let late = update(&made.id, "3", status(ConsultationStatus::Cancelled));
    let late = client
        .update_consultation(serving.staff(WRITE, late))
        .await
        .expect_err("refused");
    assert_eq!(late.code(), Code::FailedPrecondition);
    assert_eq!(reason(&late), "STATUS_NOT_ALLOWED");
    let read = client
        .get_consultation(serving.staff(READ, get(&made.reference)))
        .await;
    let read = read
        .expect("found")
        .into_inner()
        .consultation
        .expect("a body");
    assert_eq!(
        (read.status(), read.etag.as_str()),
        (ConsultationStatus::Completed, "3")
    );

    serving.stop().await;
    bench.end().await;
}

async fn a_network_may_request_twelve_and_staff_page_through_them(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mut client = ConsultationServiceClient::new(serving.channel.clone());
    let from_one = |number| {
        let mut request = Request::new(create(number));
        let network = "192.0.2.0/24".parse().expect("a header");
        request.metadata_mut().insert("client-network", network);
        request
    };
    for number in 1..=12 {
        client
            .create_consultation(from_one(number))
            .await
            .expect("one of twelve");
    }
    let one_more = client
        .create_consultation(from_one(13))
        .await
        .expect_err("refused");
    assert_eq!(one_more.code(), Code::FailedPrecondition);
    assert_eq!(reason(&one_more), "NETWORK_CONSULTATIONS_MAX");
    let first = ListConsultationsRequest {
        page_size: 7,
        ..ListConsultationsRequest::default()
    };
    let first = client.list_consultations(serving.staff(READ, first)).await;
    let first = first.expect("listed").into_inner();
    let rest = ListConsultationsRequest {
        page_token: first.next_page_token,
        ..ListConsultationsRequest::default()
    };
    let rest = client.list_consultations(serving.staff(READ, rest)).await;
    assert_eq!(
        first.consultations.len() + rest.expect("listed").into_inner().consultations.len(),
        12
    );
    serving.stop().await;
    bench.end().await;
}

async fn violations_are_reported_by_field(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mut client = ConsultationServiceClient::new(serving.channel.clone());
    let empty = client
        .create_consultation(CreateConsultationRequest::default())
        .await;
    let expected = ["patientName", "patientEmail", "date", "requestId"];
    assert_eq!(violated(&empty.expect_err("refused")), expected);

    let made = client.create_consultation(create(1)).await.expect("made");
    let made = made.into_inner().consultation.expect("a body");
    let bad = update(
        &made.id,
        "",
        Consultation {
            link: "http://x".to_owned(),
            ..Consultation::default()
        },
    );
    let bad = client
        .update_consultation(serving.staff(WRITE, bad))
        .await
        .expect_err("refused");
    assert_eq!(violated(&bad), ["link", "etag"]);
    serving.stop().await;
    bench.end().await;
}

async fn only_staff_see_consultations(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mut client = ConsultationServiceClient::new(serving.channel.clone());
    let made = client.create_consultation(create(1)).await.expect("made");
    let id = made.into_inner().consultation.expect("a body").id;
    let refused = client
        .get_consultation(get(&id))
        .await
        .expect_err("refused");
    assert_eq!(refused.code(), Code::Unauthenticated);
    let refused = client
        .list_consultations(ListConsultationsRequest::default())
        .await;
    assert_eq!(refused.expect_err("refused").code(), Code::Unauthenticated);
    let refused = client
        .update_consultation(UpdateConsultationRequest::default())
        .await;
    assert_eq!(refused.expect_err("refused").code(), Code::Unauthenticated);
    for (scope, message) in [("blogs:write", get(&id)), (WRITE, get(&id))] {
        let refused = client.get_consultation(serving.staff(scope, message)).await;
        assert_eq!(refused.expect_err("refused").code(), Code::PermissionDenied);
    }
    let write = serving.staff(READ, UpdateConsultationRequest::default());
    let refused = client
        .update_consultation(write)
        .await
        .expect_err("refused");
    assert_eq!(refused.code(), Code::PermissionDenied);
    assert_eq!(
        bench
            .test
            .scalar("SELECT count(*) FROM audit_entries")
            .await,
        0
    );
    for name in ["", "VC-AAAA-AAAA", "\0", &"x".repeat(1000)] {
        let absent = client
            .get_consultation(serving.staff(READ, get(name)))
            .await;
        assert_eq!(absent.expect_err("absent").code(), Code::NotFound, "{name}");
    }
    serving.stop().await;
    bench.end().await;
}

async fn a_retry_succeeds_after_its_day_has_passed(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mut client = ConsultationServiceClient::new(serving.channel.clone());
    let first = client
        .create_consultation(create(1))
        .await
        .expect("made")
        .into_inner();
    serving.clock.set(now() + TimeDelta::days(5));
    let again = client
        .create_consultation(create(1))
        .await
        .expect("answered");
    assert!(is_replay(&again));
    assert_eq!(again.into_inner(), first);
    let other = client.create_consultation(Request::new(create(2))).await;
    assert_eq!(violated(&other.expect_err("too late")), ["date"]);
    bench.test.execute("DELETE FROM consultations").await;
    serving.clock.set(now());
    let removed = client
        .create_consultation(create(1))
        .await
        .expect_err("removed");
    assert_eq!(
        (removed.code(), reason(&removed).as_str()),
        (Code::NotFound, "REMOVED")
    );
    serving.stop().await;
    bench.end().await;
}

async fn staff_allot_a_doctor_with_the_registration_number(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mut client = ConsultationServiceClient::new(serving.channel.clone());
    // Set by staff only: a visitor's values are ignored.
    let mut asked = create(1);
    if let Some(body) = &mut asked.consultation {
        body.doctor_id = "doc-01".into();
        body.doctor_registration = "KMC 666".into();
    }
    let made = client.create_consultation(asked).await.expect("made");
    let made = made.into_inner().consultation.expect("a body");
    assert_eq!((made.doctor_id.as_str(), made.doctors.len()), ("", 0));
    let read = client
        .get_consultation(serving.staff(READ, get(&made.id)))
        .await;
    let read = read.expect("found").into_inner().consultation;
    let offered = read.expect("a body").doctors;
    let first = offered.first().expect("a doctor of cardiology").clone();
    assert!(offered.is_sorted_by_key(|doctor| doctor.name.clone()));
    assert_eq!(first.registration, "");

    let allotted = |registration: &str| Consultation {
        time: "4:30 PM".to_owned(),
        link: "https://video.example/room".to_owned(),
        status: ConsultationStatus::Scheduled.into(),
        doctor_id: first.doctor_id.clone(),
        doctor_registration: registration.to_owned(),
        ..Consultation::default()
    };
    for registration in ["", &"7".repeat(41)] {
        let refused = update(&made.id, "1", allotted(registration));
        let refused = client
            .update_consultation(serving.staff(WRITE, refused))
            .await;
        assert_eq!(
            violated(&refused.expect_err("refused")),
            ["doctorRegistration"]
        );
    }
    let scheduled = client
        .update_consultation(serving.staff(WRITE, update(&made.id, "1", allotted("KMC 000107"))))
        .await;
    let scheduled = scheduled.expect("scheduled").into_inner().consultation;
    let scheduled = scheduled.expect("a body");
    assert_eq!(
        (scheduled.doctor_name, scheduled.doctor_registration),
        (first.name.clone(), "KMC 000107".to_owned())
    );
    assert_eq!(scheduled.doctors[0].registration, "KMC 000107");

    // The list has the doctor but not the choice of doctors.
    let listed = client
        .list_consultations(serving.staff(READ, ListConsultationsRequest::default()))
        .await;
    let listed = &listed.expect("listed").into_inner().consultations[0];
    assert_eq!(
        (&listed.doctor_name, listed.doctors.len()),
        (&first.name, 0)
    );
    serving.stop().await;
    bench.end().await;
}
