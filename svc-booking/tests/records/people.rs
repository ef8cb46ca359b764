//! Which rows belong to the same person, for exports and erasures.

use hospital_proto::booking::v1::{
    Appointment, ErasePatientRequest, ExportPatientRequest, GetAppointmentRequest,
    UpdateAppointmentRequest, booking_service_client::BookingServiceClient,
};
use test_kit::on_both_databases;

use crate::{
    privacy::{
        ASHA, ASHAS_PHONE, ERASE, EXPORT, RAVI, Statements, appointment, ask, book, cancel,
        consultation, number, privacy,
    },
    serving::{Bench, Serving},
};

on_both_databases!(test_kit::bench::empty:
    numbers_of_two_countries_are_two_people,
    a_returning_person_is_erased_again,
);

/// A number of another country with the same last ten digits as Asha's.
const ABROAD: &str = "+1 800 000 0199";

/// B8: a `+1` and a `+91` number do not collide, even where a running older build hashed the last ten digits.
async fn numbers_of_two_countries_are_two_people(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let hers = book(&serving, appointment(0, ASHA, ASHAS_PHONE)).await;
    let theirs = book(&serving, appointment(1, RAVI, ABROAD)).await;
    ask(&serving, consultation(1, ASHA, ASHAS_PHONE)).await;
    ask(&serving, consultation(2, RAVI, ABROAD)).await;
    for booked in [&hers, &theirs] {
        cancel(&serving, booked).await;
    }
    let by_phone = |phone: &str| ExportPatientRequest {
        phone: phone.to_owned(),
        ..ExportPatientRequest::default()
    };
    for is_older_build in [false, true] {
        if is_older_build {
            let contacts = bench.keys.digest("contacts.phone", b"8000000199");
            let consultations = bench.keys.digest("consultations.phone", b"8000000199");
            let values = store_kit::values![
                contacts,
                bench.keys.digest("contacts.phone", b"+918000000199")
            ];
            let of_consultations = store_kit::values![consultations];
            let work = Statements(vec![
                (
                    "UPDATE contacts SET phone_index = $1 WHERE phone_index <> $2",
                    values,
                ),
                (
                    "UPDATE consultations SET phone_index = $1",
                    of_consultations,
                ),
            ]);
            bench.database.write("test", work).await.expect("written");
        }
        let request = serving.staff(EXPORT, by_phone("080 0000 0199"));
        let exported = privacy(&serving).export_patient(request).await;
        let exported = exported.expect("exported").into_inner();
        let ids: Vec<&str> = exported
            .appointments
            .iter()
            .map(|found| found.id.as_str())
            .collect();
        assert_eq!(ids, [hers.id.as_str()]);
        assert!(
            exported
                .consultations
                .iter()
                .all(|found| found.patient_email == ASHA)
        );
    }
    let erase = ErasePatientRequest {
        phone: ABROAD.to_owned(),
        ..ErasePatientRequest::default()
    };
    let erased = privacy(&serving)
        .erase_patient(serving.staff(ERASE, erase))
        .await;
    let erased = erased.expect("erased").into_inner();
    assert_eq!(
        (erased.appointments, erased.consultations),
        (0, 0),
        "the hashes are of an older build"
    );
    assert_eq!(number(&bench, "SELECT count(*) FROM contacts").await, 2);
    serving.stop().await;
    bench.end().await;
}

/// B8: the first erasure message is kept for seven days after its delivery.
async fn a_returning_person_is_erased_again(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let booked = book(&serving, appointment(0, ASHA, ASHAS_PHONE)).await;
    cancel(&serving, &booked).await;
    let erase = ErasePatientRequest {
        email: ASHA.to_owned(),
        ..ErasePatientRequest::default()
    };
    let mut bookings = BookingServiceClient::new(serving.channel.clone());
    for time in ["first", "second"] {
        let erased = privacy(&serving)
            .erase_patient(serving.staff(ERASE, erase.clone()))
            .await;
        let erased = erased.unwrap_or_else(|refused| panic!("the {time} time: {refused:?}"));
        assert_eq!(erased.into_inner().appointments, 1, "the {time} time");
        // The person calls, and staff enter the data again.
        let read = GetAppointmentRequest {
            appointment_id: booked.id.clone(),
        };
        let read = bookings
            .get_appointment(serving.staff("appointments:read", read))
            .await;
        let read = read
            .expect("found")
            .into_inner()
            .appointment
            .expect("a body");
        let noted = UpdateAppointmentRequest {
            appointment_id: read.id.clone(),
            etag: read.etag.clone(),
            appointment: Some(Appointment {
                patient_name: "Asha Rao".to_owned(),
                email: ASHA.to_owned(),
                phone: ASHAS_PHONE.to_owned(),
                ..read
            }),
        };
        let noted = bookings
            .update_appointment(serving.staff("appointments:write", noted))
            .await;
        noted.expect("noted");
    }
    let messages = "SELECT count(*) FROM outbox_messages WHERE kind = 'notices.forget'";
    assert_eq!(number(&bench, messages).await, 2);
    serving.stop().await;
    bench.end().await;
}
