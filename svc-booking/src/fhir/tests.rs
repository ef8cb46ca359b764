//! Contents of the resources. `e2e/tests/fhir.test.mjs` validates them against the published R4 definitions.

use service_kit::language::Language;
use uuid::Uuid;

use super::*;
use crate::domain::status::Status;

const NAMING: Naming<'static> = Naming("https://sampige.example/naming");

fn at(text: &str) -> DateTime<Utc> {
    text.parse().expect("a moment")
}

fn doctor() -> Provider {
    Provider {
        kind: ProviderKind::Doctor,
        id: "doc-07".to_owned(),
        name: "Dr. Farhan Siddiqui".to_owned(),
        fee_rupees: 1000,
        place: "Outpatient block, second floor".to_owned(),
    }
}

fn clinic() -> Provider {
    Provider {
        kind: ProviderKind::Clinic,
        id: "paediatric-clinic".to_owned(),
        name: "Paediatric clinic, visiting consultant".to_owned(),
        fee_rupees: 500,
        place: "Outpatient block, first floor".to_owned(),
    }
}

fn department() -> Department {
    Department {
        id: "paediatrics".to_owned(),
        name: "Paediatrics".to_owned(),
    }
}

fn appointment() -> AppointmentEntry {
    AppointmentEntry {
        id: Uuid::from_u128(7),
        reference: "SH-7K3M-9QXD".to_owned(),
        version: 2,
        create_time: at("2026-11-20T09:30:00.123456Z"),
        update_time: at("2026-11-20T10:30:00Z"),
        starts_at: at("2026-11-23T03:30:00Z"),
        status: Status::Booked,
        department: department(),
        provider: Some(doctor()),
        patient: Some(Patient {
            name: "ಆಶಾ ರಾವ್".to_owned(),
            phone: "+91 80 0000 0199".to_owned(),
            email: "asha@example.com".to_owned(),
            language: None,
        }),
    }
}

#[test]
fn an_appointment_names_attendant_patient_time_and_place() {
    let resource = appointment().resource(NAMING);
    assert_eq!(resource["id"], "00000000-0000-0000-0000-000000000007");
    assert_eq!(resource["start"], "2026-11-23T09:00:00+05:30");
    assert_eq!(resource["end"], "2026-11-23T09:30:00+05:30");
    assert_eq!(resource["created"], "2026-11-20T15:00:00.123456+05:30");
    assert_eq!(resource["meta"]["versionId"], "2");
    assert_eq!(resource["identifier"][0]["value"], "SH-7K3M-9QXD");
    assert_eq!(
        resource["slot"][0]["reference"],
        "Slot/doctor-doc-07-20261123T0900"
    );
    let participants = &resource["participant"];
    assert_eq!(participants[0]["actor"]["reference"], "Practitioner/doc-07");
    assert_eq!(participants[0]["actor"]["display"], "Dr. Farhan Siddiqui");
    assert_eq!(participants[1]["actor"]["reference"], "#patient");
    let place = &participants[2]["actor"];
    assert_eq!(place["display"], "Outpatient block, second floor");
    assert_eq!(resource["comment"], "Consultation fee: INR 1000");
    let practitioner = doctor().practitioner(NAMING);
    assert_eq!(practitioner["name"][0]["text"], "Dr. Farhan Siddiqui");
    let patient = &resource["contained"][0];
    assert_eq!(patient["name"][0]["text"], "ಆಶಾ ರಾವ್");
    assert_eq!(patient["telecom"][1]["value"], "asha@example.com");
    // English, or unknown.
    assert_eq!(patient.get("communication"), None);
    assert_eq!(format!("{:?}", appointment()).matches("asha").count(), 0);
}

#[test]
fn a_patient_has_a_preferred_language() {
    let mut entry = appointment();
    entry.patient.as_mut().expect("a patient").language = Some(Language::Kannada);
    let resource = entry.resource(NAMING);
    let language = json!({
        "coding": [{ "system": "urn:ietf:bcp:47", "code": "kn" }],
        "text": "Kannada",
    });
    let communication = &resource["contained"][0]["communication"];
    assert_eq!(
        communication,
        &json!([{ "language": language, "preferred": true }])
    );
}

#[test]
fn each_status_has_its_code() {
    let codes = Status::ALL.map(|status| {
        let entry = AppointmentEntry {
            status,
            ..appointment()
        };
        entry.resource(NAMING)["status"].clone()
    });
    assert_eq!(
        codes,
        [
            "booked",
            "arrived",
            "arrived",
            "fulfilled",
            "cancelled",
            "noshow"
        ]
    );
}

#[test]
fn an_erased_person_and_a_freed_seat_are_absent() {
    let resource = AppointmentEntry {
        status: Status::Cancelled,
        provider: None,
        patient: None,
        ..appointment()
    }
    .resource(NAMING);
    assert!(resource.get("contained").is_none() && resource.get("slot").is_none());
    let participants = resource["participant"].as_array().expect("a list");
    assert_eq!(participants.len(), 1);
    assert_eq!(participants[0]["actor"]["display"], "Patient (erased)");
}

#[test]
fn a_clinic_is_contained_where_it_is_named() {
    let entry = AppointmentEntry {
        provider: Some(clinic()),
        ..appointment()
    };
    let schedule = ScheduleEntry {
        provider: clinic(),
        departments: vec![department()],
        from: at("2026-11-23T03:30:00Z"),
        until: at("2027-01-20T18:30:00Z"),
    };
    let schedule = schedule.resource(NAMING);
    assert_eq!(schedule["id"], "clinic-paediatric-clinic");
    assert_eq!(
        schedule["planningHorizon"]["end"],
        "2027-01-21T00:00:00+05:30"
    );
    for resource in [entry.resource(NAMING), schedule] {
        let contained = &resource["contained"][0];
        assert_eq!(contained["resourceType"], "HealthcareService");
        assert_eq!(contained["id"], "clinic");
        assert!(resource.to_string().contains(r##""reference":"#clinic""##));
        let place = &contained["location"][0]["display"];
        assert_eq!(place, "Outpatient block, first floor");
        assert_eq!(resource["comment"], "Consultation fee: INR 500");
    }
}

#[test]
fn an_appointment_refers_to_a_listed_slot() {
    for provider in [doctor(), clinic()] {
        let slot = SlotEntry {
            provider: provider.clone(),
            starts_at: appointment().starts_at,
            status: SlotStatus::Busy,
        };
        let appointment = AppointmentEntry {
            provider: Some(provider),
            ..appointment()
        };
        let slot = slot.resource();
        let named = format!("Slot/{}", slot["id"].as_str().expect("an id"));
        assert_eq!(appointment.resource(NAMING)["slot"][0]["reference"], named);
        assert_eq!(slot["status"], "busy");
    }
}

#[test]
fn ids_are_valid_in_r4() {
    let long = "x".repeat(200);
    for parts in [
        &["doctor", "doc-07"][..],
        &[""],
        &["ನ"],
        &[&long],
        &["a b"],
        &["a", "b:c"],
    ] {
        let id = resource_id(parts);
        assert!((1..=64).contains(&id.len()), "{id}");
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-.".contains(&byte);
        assert!(id.bytes().all(is_plain), "{id}");
        assert_eq!(resource_id(parts), id);
    }
    assert_ne!(resource_id(&["a b"]), resource_id(&["a c"]));
    assert_eq!(resource_id(&["doctor", "doc-07"]), "doctor-doc-07");
}

#[test]
fn a_page_links_to_itself_and_the_next() {
    let set = |page_token: &str, next: &str| {
        search_set(SearchSet {
            api: "http://127.0.0.1:8080/api",
            kind: "Appointment",
            query: vec![
                ("from", "2026-11-23".to_owned()),
                ("to", String::new()),
                ("pageToken", page_token.to_owned()),
            ],
            next_page_token: next.to_owned(),
            resources: vec![appointment().resource(NAMING)],
        })
    };
    let first = set("", "a b&c");
    assert_eq!(
        first["link"][0]["url"],
        "http://127.0.0.1:8080/api/fhir/Appointment?from=2026-11-23"
    );
    assert_eq!(first["link"][1]["relation"], "next");
    assert_eq!(
        first["link"][1]["url"],
        "http://127.0.0.1:8080/api/fhir/Appointment?from=2026-11-23&pageToken=a+b%26c"
    );
    assert_eq!(
        first["entry"][0]["fullUrl"],
        "http://127.0.0.1:8080/api/fhir/Appointment/00000000-0000-0000-0000-000000000007"
    );
    let last = set("a", "");
    assert_eq!(last["link"].as_array().map(Vec::len), Some(1));
    assert_eq!(
        last["link"][0]["url"],
        "http://127.0.0.1:8080/api/fhir/Appointment?from=2026-11-23&pageToken=a"
    );
    let empty = search_set(SearchSet {
        api: "http://127.0.0.1:8080/api",
        kind: "Practitioner",
        query: Vec::new(),
        next_page_token: String::new(),
        resources: Vec::new(),
    });
    assert!(empty.get("entry").is_none(), "R4 has no empty list");
}
