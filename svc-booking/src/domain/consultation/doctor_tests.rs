use super::{
    super::{
        ConsultationStatus as Status, SCHEDULED, UpdateForm, UpdateRefused, Updated,
        tests::{consultation, decided, decided_after, fields, now, roster, scheduling, update},
    },
    *,
};

fn with_doctor(doctor_id: &str, registration: &str) -> Update {
    let update = scheduling();
    Update {
        doctor_id: Some(doctor_id.to_owned()),
        registration: Some(registration.to_owned()).filter(|given| !given.is_empty()),
        ..update
    }
}

fn of_cardiology(doctor: Option<Doctor>) -> Consultation {
    Consultation {
        department_id: Some("cardiology".to_owned()),
        doctor,
        ..consultation(Status::Requested)
    }
}

#[test]
fn a_doctor_is_one_of_the_department_or_any_if_it_has_none() {
    let roster = roster();
    let theirs = doctor_ids(&roster, Some("cardiology"));
    let all = doctor_ids(&roster, None);
    assert!(!theirs.is_empty() && theirs.len() < all.len());
    assert!(all.is_sorted_by(|one, other| one < other), "once each");
    let stranger = all.iter().find(|id| !theirs.contains(id)).expect("one");
    assert_eq!(doctor_ids(&roster, Some("without-doctors")), all);
    for (department, id, is_allowed) in [
        (Some("cardiology"), theirs[0], true),
        (Some("cardiology"), *stranger, false),
        (None, *stranger, true),
        (None, "doc-unknown", false),
    ] {
        let before = Consultation {
            department_id: department.map(str::to_owned),
            ..consultation(Status::Requested)
        };
        match decided(&before, &with_doctor(id, "KMC 1"), now()) {
            Ok(Some(updated)) => {
                assert!(is_allowed, "{id}");
                let wanted = Doctor {
                    id: id.to_owned(),
                    registration: "KMC 1".to_owned(),
                };
                assert_eq!(updated.consultation.doctor, Some(wanted));
            }
            Err(UpdateRefused::Invalid(violations)) => {
                assert_eq!(fields(&violations), ["doctorId"]);
                assert!(!is_allowed, "{id}");
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_doctor_has_a_registration_number() {
    let roster = roster();
    let theirs = doctor_ids(&roster, Some("cardiology"));
    let before = of_cardiology(None);
    let registration = |decided: Result<Option<Updated>, UpdateRefused>| match decided {
        Ok(Some(updated)) => updated
            .consultation
            .doctor
            .map(|doctor| doctor.registration),
        Ok(None) => None,
        Err(UpdateRefused::Invalid(violations)) => Some(fields(&violations).join(" ")),
        Err(other) => panic!("{other:?}"),
    };
    let without = with_doctor(theirs[0], "");
    for (decided, wanted) in [
        (decided(&before, &without, now()), "doctorRegistration"),
        (
            decided_after(&before, &without, Some("KMC 7"), now()),
            "KMC 7",
        ),
        (
            decided_after(
                &before,
                &with_doctor(theirs[0], "KMC 8"),
                Some("KMC 7"),
                now(),
            ),
            "KMC 8",
        ),
    ] {
        assert_eq!(registration(decided).as_deref(), Some(wanted));
    }
    let number_only = Update {
        doctor_id: None,
        ..with_doctor("", "KMC 9")
    };
    let refused = registration(decided(&before, &number_only, now()));
    assert_eq!(refused.as_deref(), Some("doctorId"));
    // The present doctor keeps the number that the patient was told, even after leaving the roster.
    let left = Doctor {
        id: "doc-left".to_owned(),
        registration: "KMC 1".to_owned(),
    };
    let kept = decided_after(
        &of_cardiology(Some(left)),
        &with_doctor("doc-left", ""),
        Some("KMC 2"),
        now(),
    );
    assert_eq!(registration(kept).as_deref(), Some("KMC 1"));
}

#[test]
fn all_violations_of_an_update_are_reported_at_once() {
    let asked = update(|form| {
        form.status = Some(Status::Scheduled);
        form.doctor_id = "doc-unknown".to_owned();
    });
    match decided(&consultation(Status::Requested), &asked, now()) {
        Err(UpdateRefused::Invalid(violations)) => {
            assert_eq!(fields(&violations), ["time", "link", "doctorId"]);
        }
        other => panic!("{other:?}"),
    }
    let bad = UpdateForm {
        registration: "7".repeat(41),
        etag: "1".to_owned(),
        ..UpdateForm::default()
    };
    let violations = Update::parse(&bad).expect_err("violations");
    assert_eq!(fields(&violations), ["doctorRegistration"]);
    assert!(violations[0].description.contains("40"), "{violations:?}");
}

#[test]
fn another_doctor_or_number_of_a_scheduled_consultation_is_told() {
    let before = Consultation {
        doctor: Some(Doctor {
            id: "doc-06".to_owned(),
            registration: "KMC 1".to_owned(),
        }),
        ..consultation(Status::Scheduled)
    };
    assert_eq!(
        decided(&before, &with_doctor("doc-06", ""), now()),
        Ok(None)
    );
    let corrected = decided(&before, &with_doctor("doc-06", "KMC 2"), now());
    let corrected = corrected.expect("allowed").expect("a change");
    assert_eq!(corrected.message, Some(SCHEDULED));
}
