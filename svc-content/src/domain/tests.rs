use hospital_proto::content::v1::ListDoctorsRequest;

use super::*;
use crate::{files::people, paging::PageRequest};

mod lists;

fn content() -> Content {
    Content::load(&Sources::embedded(), None).expect("the embedded content")
}

#[test]
fn loads_the_example_of_another_hospital() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = folder.join("../examples/second-hospital/content");
    let sources = Sources::read(&folder).expect("all files");
    let content = Content::load(&sources, None).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(content.site.name, "Belaku Eye Hospital");
}

fn found(specialty: &str, q: &str) -> Vec<String> {
    let query = DoctorQuery::parse(&ListDoctorsRequest {
        specialty: specialty.to_owned(),
        q: q.to_owned(),
        ..ListDoctorsRequest::default()
    });
    let (doctors, next) = content().doctors.page(&query.expect("a query"));
    assert_eq!(next, "");
    doctors.into_iter().map(|doctor| doctor.id).collect()
}

#[test]
fn lists_the_specialties_of_the_specification_in_order() {
    let content = content();
    let expected = [
        "Radiology",
        "Orthopaedics",
        "Orthopedics",
        "Surgical Oncology",
        "General Surgery",
        "Cardiology",
        "Neurology",
        "Neurosurgery",
        "Obstetrics & Gynaecology",
        "Ophthalmology",
        "Vascular Surgery",
        "Medical Oncology",
        "Psychiatry",
        "Surgical Gastroenterology",
        "General Medicine",
    ];
    let listed: Vec<_> = content
        .doctors
        .listed()
        .map(|doctor| doctor.specialty.as_str())
        .collect();
    assert_eq!(listed, expected);
    assert_eq!(content.doctors.specialties, expected);
    for (index, doctor) in content.doctors.listed().enumerate() {
        assert_eq!(doctor.id, format!("doc-{:02}", index + 1));
        assert_eq!(doctor.image, format!("/images/doctors/{}.svg", doctor.slug));
        assert_eq!(doctor.visiting_days, "Mon–Sat");
        assert_eq!(doctor.initials.chars().count(), 2, "{}", doctor.name);
    }
}

#[test]
fn the_sixteenth_doctor_has_a_page_but_is_not_listed() {
    let records = people::parse_doctors(&Sources::embedded()).expect("doctors");
    assert_eq!(records.len(), 16);
    let hidden: Vec<_> = records.iter().filter(|record| !record.listed).collect();
    assert_eq!(hidden.len(), 1);
    assert_eq!(hidden[0].id.get_ref().to_string(), "doc-16");
    assert_eq!(found("cardiology", ""), ["doc-06"]);
    assert!(found("", "chandrashekar").is_empty());
}

// S6: a card names the doctors that its list shows.
#[test]
fn a_specialty_lists_its_doctors() {
    let content = content();
    for specialty in content.specialties.iter() {
        let names: Vec<_> = content
            .doctors
            .listed()
            .filter(|doctor| found(&specialty.name, "").contains(&doctor.id))
            .map(|doctor| doctor.name.clone())
            .collect();
        assert_eq!(specialty.doctors, names, "{}", specialty.name);
    }
}

// S6: no page offers bookings with the founder, who takes no new patients. Every surgery leads to a doctor who does.
#[test]
fn lists_only_doctors_who_accept_new_patients() {
    let content = content();
    let founder = content.doctors.find("doc-16").expect("on record");
    assert!(founder.closed_to_new_patients);
    assert!(
        content
            .doctors
            .listed()
            .all(|doctor| !doctor.closed_to_new_patients)
    );
    for surgery in content.surgeries.iter() {
        assert!(
            content
                .doctors
                .listed()
                .any(|doctor| doctor.id == surgery.doctor_id),
            "{}",
            surgery.name
        );
    }
}

#[test]
fn fees_and_timings_match_the_specification() {
    let records = people::parse_doctors(&Sources::embedded()).expect("doctors");
    let rupees = |text: &str| text.replace(['₹', ','], "").parse::<u32>().expect("rupees");
    let all: Vec<_> = records
        .iter()
        .map(|r| rupees(&r.consultation_fee_rupees.to_string()))
        .collect();
    assert_eq!(
        (all.iter().min(), all.iter().max()),
        (Some(&400), Some(&1200))
    );
    let content = content();
    let listed: Vec<_> = content
        .doctors
        .listed()
        .map(|d| rupees(&d.consultation_fee))
        .collect();
    assert_eq!(
        (listed.iter().min(), listed.iter().max()),
        (Some(&500), Some(&1200))
    );
    let by_appointment = content
        .doctors
        .listed()
        .filter(|d| d.timings == "Appointment Only");
    assert_eq!(by_appointment.count(), 1);
    assert!(content.doctors.listed().any(|d| d.experience == "7 Years"));
    assert!(
        content
            .doctors
            .listed()
            .any(|d| d.consultation_fee == "₹1,200")
    );
}

#[test]
fn lists_the_departments_of_the_specification_in_order() {
    let content = content();
    let departments: Vec<_> = content.departments.iter().collect();
    let names: Vec<_> = departments
        .iter()
        .map(|department| department.name.as_str())
        .collect();
    let expected = [
        "General Medicine",
        "Cardiology",
        "Orthopedics",
        "Gynecology",
        "Pediatrics",
        "Dermatology",
        "ENT",
        "Ophthalmology",
        "Neurology",
        "Urology",
        "Psychiatry",
        "Emergency",
    ];
    assert_eq!(names, expected);
    for department in &departments {
        assert_eq!(department.id, slug::specialty_list_slug(&department.name));
        assert!(department.treats.len() >= 3, "{}", department.name);
    }
}

#[test]
fn the_site_has_the_hospitals_facts_and_fictitious_numbers() {
    let site = content().site;
    assert_eq!(
        (site.name.as_str(), site.tagline.as_str()),
        ("Sampige Hospital", "Excellence in Healthcare")
    );
    assert_eq!((site.founded_year, site.beds), (1979, 100));
    assert_eq!(site.address.expect("an address").postal_code, "560041");
    for phone in &site.phones {
        assert!(
            phone.e164.starts_with("+918000000"),
            "{} could be a real number",
            phone.e164
        );
        assert_eq!(phone.display.replace(' ', ""), phone.e164);
    }
    for email in &site.emails {
        assert!(
            email.address.ends_with("@sampige.example"),
            "{}",
            email.address
        );
    }
    let claims: Vec<_> = site
        .statistics
        .iter()
        .map(|statistic| statistic.value.as_str())
        .collect();
    assert_eq!(claims, ["46+", "50+", "10M+", "24/7"]);
    for standard in ["ISO", "NABH"] {
        assert!(
            site.accreditations
                .iter()
                .any(|text| text.contains(standard)),
            "{standard}"
        );
    }
    assert_eq!(site.origin, "http://127.0.0.1:8080");
}

#[test]
fn the_origin_is_configurable() {
    let origin: Origin = "https://sampige.example".parse().expect("an origin");
    let content = Content::load(&Sources::embedded(), Some(&origin)).expect("content");
    assert_eq!(content.site.origin, "https://sampige.example");
}

#[test]
fn finds_a_specialty_by_label_key_and_spelling() {
    for orthopedics in [
        "Orthopaedics",
        "Orthopedics",
        "orthopedics",
        "ORTHOPAEDICS",
        " orthopaedics ",
    ] {
        assert_eq!(
            found(orthopedics, ""),
            ["doc-02", "doc-03"],
            "{orthopedics}"
        );
    }
    for gynecology in [
        "Obstetrics & Gynaecology",
        "obstetrics-and-gynaecology",
        "obstetrics-gynaecology",
        "Gynecology",
        "Gynaecology",
    ] {
        assert_eq!(found(gynecology, ""), ["doc-09"], "{gynecology}");
    }
    assert!(found("Paediatrics", "").is_empty());
    assert!(found("no such specialty", "").is_empty());
    assert!(
        found("&&&", "").is_empty(),
        "a specialty without a letter is none, not all"
    );
}

#[test]
fn searches_names_and_specialties_ignoring_case() {
    assert_eq!(found("", "ONCOLOGY"), ["doc-04", "doc-12"]);
    assert_eq!(found("", "d'souza"), ["doc-12"]);
    assert_eq!(found("", " hegde "), ["doc-01"]);
    assert_eq!(found("Orthopedics", "kulkarni"), ["doc-03"]);
    assert!(found("Cardiology", "kulkarni").is_empty());
    assert_eq!(found("", "").len(), 15);
    assert!(found("", "MBBS").is_empty(), "degrees are not searched");
}

#[test]
fn every_doctor_has_a_registration_number_on_the_page() {
    let content = content();
    let mut numbers = std::collections::HashSet::new();
    for id in 1..=16 {
        let doctor = content
            .doctors
            .find(&format!("doc-{id:02}"))
            .expect("a doctor");
        let number = &doctor.registration_number;
        assert!(number.starts_with("KMC 000"), "{number}");
        assert!(numbers.insert(number.clone()), "{number} occurs twice");
    }
}

#[test]
fn refuses_a_query_that_is_too_long() {
    let request = |chars: usize| ListDoctorsRequest {
        q: "ಸ".repeat(chars),
        specialty: "s".repeat(chars),
        page_size: if chars > QUERY_CHARS_MAX { -1 } else { 1 },
        ..ListDoctorsRequest::default()
    };
    assert!(DoctorQuery::parse(&request(QUERY_CHARS_MAX)).is_ok());
    let violations = DoctorQuery::parse(&request(QUERY_CHARS_MAX + 1)).expect_err("violations");
    let fields: Vec<_> = violations
        .iter()
        .map(|violation| violation.field.as_str())
        .collect();
    assert_eq!(fields, ["specialty", "q", "pageSize"]);
}

#[test]
fn pages_of_a_filtered_list_are_consistent() {
    let content = content();
    let mut request = ListDoctorsRequest {
        q: "surg".to_owned(),
        page_size: 2,
        ..ListDoctorsRequest::default()
    };
    let mut ids = Vec::new();
    loop {
        let query = DoctorQuery::parse(&request).expect("a query");
        let (page, next) = content.doctors.page(&query);
        assert!(page.len() <= 2);
        ids.extend(page.into_iter().map(|doctor| doctor.id));
        if next.is_empty() {
            break;
        }
        request.page_token = next;
    }
    assert_eq!(ids, ["doc-04", "doc-05", "doc-08", "doc-11", "doc-14"]);
}

#[test]
fn initials_omit_titles() {
    for (name, expected) in [
        ("Dr. Vasundhara Hegde", "VH"),
        ("Dr. Shalini D'Souza", "SD"),
        ("Prof. Dr. A. P. Rao", "AR"),
        ("Dr. Meera", "ME"),
        ("", ""),
    ] {
        assert_eq!(people::initials(name), expected, "{name}");
    }
}
