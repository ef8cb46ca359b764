//! U2, S6: the attendant with fee and place, wherever a time is chosen, held, booked, moved, listed or offered. W15:
//! codes of closed days.

use chrono::TimeDelta;
use hospital_proto::booking::v1::{
    Appointment, Attendant, CancelAppointmentRequest, ClosedCode, CreateHoldRequest,
    CreateHolidayRequest, CreateSessionRequest, CreateWaitlistEntryRequest, Department,
    GetAppointmentCalendarRequest, GetAppointmentRequest, GetWaitlistEntryRequest, Hold, Holiday,
    ListAppointmentsRequest, ListAvailabilityRequest, ListAvailabilityResponse,
    ListDepartmentsRequest, ListNextAvailableRequest, MoveAppointmentRequest, Session, Sitting,
    UpdateSessionRequest, WaitlistEntry, WaitlistState,
};
use test_kit::on_both_databases;

use crate::{
    fixture::{Bench, MONDAY, TUESDAY, changed, now, request},
    serving::{READ, ROSTERS_WRITE, Serving, by_patient, violated, with},
};

on_both_databases!(test_kit::bench::empty:
    a_department_lists_its_attendants_with_their_hours,
    a_free_time_and_its_hold_name_the_attendant,
    an_appointment_names_the_attendant,
    an_offer_names_the_attendant,
    staff_enter_fee_and_place_of_a_clinic,
    a_closed_day_has_a_code,
);

const CLINIC: &str = "clinic:ent-1";

fn ent_clinic() -> Attendant {
    Attendant {
        resource: CLINIC.to_owned(),
        name: "ENT clinic".to_owned(),
        fee_rupees: 400,
        place: "First floor".to_owned(),
        ..Attendant::default()
    }
}

fn doctor_one() -> Attendant {
    Attendant {
        resource: "doctor:d1".to_owned(),
        doctor_id: "d1".to_owned(),
        name: "Dr. Deepa One".to_owned(),
        fee_rupees: 600,
        place: "First floor".to_owned(),
        ..Attendant::default()
    }
}

async fn departments(serving: &Serving) -> Vec<Department> {
    let listed = serving
        .booking()
        .list_departments(ListDepartmentsRequest::default())
        .await;
    listed.expect("listed").into_inner().departments
}

async fn monday(serving: &Serving, department: &str) -> ListAvailabilityResponse {
    let asked = ListAvailabilityRequest {
        department: department.to_owned(),
        from: MONDAY.to_owned(),
        ..ListAvailabilityRequest::default()
    };
    let listed = serving.booking().list_availability(asked).await;
    listed.expect("listed").into_inner()
}

async fn a_department_lists_its_attendants_with_their_hours(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let listed = departments(&serving).await;
    let ent = &listed[0];
    let names: Vec<&str> = ent.attendants.iter().map(|one| one.name.as_str()).collect();
    let expected = [
        "ENT clinic",
        "Dr. Deepa One",
        "Dr. Deepak Two",
        "Dr. Divya Three",
    ];
    assert_eq!(names, expected);
    let by_name: Vec<bool> = ent.attendants.iter().map(|one| one.by_name_only).collect();
    assert_eq!(by_name, [false, false, false, true]);
    let sitting = |days: &[&str], until: &str| Sitting {
        weekdays: days.iter().map(|day| (*day).to_owned()).collect(),
        from: "9:00 AM".to_owned(),
        until: until.to_owned(),
    };
    let week = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
    let clinic = Attendant {
        sittings: vec![sitting(&week, "12:00 PM")],
        ..ent_clinic()
    };
    assert_eq!(ent.attendants[0], clinic);
    let doctor = Attendant {
        sittings: vec![sitting(&["Mon", "Tue"], "1:00 PM")],
        ..doctor_one()
    };
    assert_eq!(ent.attendants[1], doctor);
    assert!(listed[5].attendants.is_empty(), "Emergency");
    serving.stop().await;
    bench.end().await;
}

async fn a_free_time_and_its_hold_name_the_attendant(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let listed = monday(&serving, "ENT").await;
    let resource = |listed: &ListAvailabilityResponse, time: &str| {
        let mut slots = listed.days[0].slots.iter();
        let slot = slots.find(|slot| slot.time == time).expect("a slot");
        assert_eq!(slot.resource.is_some(), slot.available, "{time}");
        slot.resource.clone()
    };
    assert_eq!(resource(&listed, "9:00 AM").as_deref(), Some(CLINIC));
    let noon = resource(&listed, "12:00 PM");
    assert_eq!(noon.as_deref(), Some("doctor:d1"), "the clinic has ended");
    assert_eq!(resource(&listed, "2:00 PM"), None);
    assert_eq!(listed.attendants, [ent_clinic(), doctor_one()]);
    let hold = |doctor_id: &str| CreateHoldRequest {
        hold: Some(Hold {
            department: "ENT".to_owned(),
            doctor_id: doctor_id.to_owned(),
            date: MONDAY.to_owned(),
            time: "9:00 AM".to_owned(),
            ..Hold::default()
        }),
        request_id: String::new(),
    };
    let mut kept = Vec::new();
    for doctor in ["", "", "d2"] {
        let answer = serving.booking().create_hold(hold(doctor)).await;
        let of_hold = answer.expect("held").into_inner().hold;
        kept.push(
            of_hold
                .and_then(|hold| hold.attendant)
                .expect("an attendant"),
        );
    }
    assert_eq!(kept[..2], [ent_clinic(), doctor_one()]);
    assert_eq!(kept[2].name, "Dr. Deepak Two");
    let asked = ListNextAvailableRequest {
        department: "ENT".to_owned(),
        ..ListNextAvailableRequest::default()
    };
    let next = serving.booking().list_next_available(asked).await;
    let next = next.expect("listed").into_inner().next.remove(0);
    // All three seats at 9:00 AM are held: the next time is the clinic's again.
    assert_eq!((next.time.as_str(), next.resource()), ("9:30 AM", CLINIC));
    serving.stop().await;
    bench.end().await;
}

async fn read(serving: &Serving, appointment: &Appointment) -> Appointment {
    let get = GetAppointmentRequest {
        appointment_id: appointment.id.clone(),
    };
    let answer = serving
        .booking()
        .get_appointment(by_patient(get, &appointment.secret))
        .await;
    let answer = answer.expect("read").into_inner();
    answer.appointment.expect("a body")
}

async fn an_appointment_names_the_attendant(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let first = request("ENT", "", "9:00 AM");
    let booked = serving.booked(first.clone()).await;
    assert_eq!(booked.attendant, Some(ent_clinic()));
    assert_eq!(booked.preferred_doctor, "");
    let typed = changed(&request("ENT", "", "9:30 AM"), |body| {
        "ENT | Preferred: Dr. Deepa One".clone_into(&mut body.notes);
    });
    let typed = serving.booked(typed).await;
    assert_eq!(typed.preferred_doctor, "Dr. Deepa One");
    let calendar = &booked.calendar.replace("\r\n ", "");
    assert!(calendar.contains("You will see: ENT clinic"), "{calendar}");
    assert!(calendar.contains("LOCATION:First floor\\, "), "{calendar}");
    let again = serving.booking().create_appointment(first).await;
    let again = again.expect("known").into_inner().appointment;
    assert_eq!(again.expect("a body").attendant, Some(ent_clinic()));
    assert_eq!(read(&serving, &booked).await.attendant, Some(ent_clinic()));
    let list = ListAppointmentsRequest {
        date: MONDAY.to_owned(),
        ..ListAppointmentsRequest::default()
    };
    let listed = serving
        .desk()
        .list_appointments(serving.staff(READ, list))
        .await;
    let listed = listed.expect("listed").into_inner().appointments;
    assert_eq!(listed[0].attendant, Some(ent_clinic()));
    assert_eq!(listed[0].resource, CLINIC);
    let to = MoveAppointmentRequest {
        appointment_id: booked.id.clone(),
        date: TUESDAY.to_owned(),
        time: "9:00 AM".to_owned(),
        doctor_id: "d1".to_owned(),
        etag: booked.etag.clone(),
        ..MoveAppointmentRequest::default()
    };
    let moved = serving
        .booking()
        .move_appointment(by_patient(to, &booked.secret))
        .await;
    let moved = moved.expect("moved").into_inner().appointment;
    let moved = moved.expect("a body");
    assert_eq!(moved.attendant, Some(doctor_one()));
    let file = GetAppointmentCalendarRequest {
        appointment_id: moved.id.clone(),
    };
    let file = serving
        .booking()
        .get_appointment_calendar(by_patient(file, &moved.secret))
        .await;
    let file = String::from_utf8(file.expect("a file").into_inner().data).expect("UTF-8");
    assert!(file.contains("Dr. Deepa One"), "{file}");
    let cancel = CancelAppointmentRequest {
        appointment_id: moved.id.clone(),
        etag: moved.etag.clone(),
    };
    let cancelled = serving
        .booking()
        .cancel_appointment(by_patient(cancel, &moved.secret))
        .await;
    let cancelled = cancelled.expect("cancelled").into_inner().appointment;
    assert_eq!(cancelled.expect("a body").attendant, None);
    serving.stop().await;
    bench.end().await;
}

async fn an_offer_names_the_attendant(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let mut booked = Vec::new();
    for time in svc_booking::domain::calendar::SlotTime::all() {
        booked.push(serving.booked(request("Urology", "", &time.label())).await);
    }
    let entry = CreateWaitlistEntryRequest {
        entry: Some(WaitlistEntry {
            patient_name: "Asha Rao".to_owned(),
            email: "waiting@example.com".to_owned(),
            phone: "+91 80 2000 0000".to_owned(),
            department: "Urology".to_owned(),
            date: MONDAY.to_owned(),
            ..WaitlistEntry::default()
        }),
        request_id: "waitlist-of-attendants".to_owned(),
    };
    let entry = serving.waitlist().create_waitlist_entry(entry).await;
    let entry = entry.expect("joined").into_inner().entry.expect("an entry");
    assert_eq!(entry.attendant, None, "nothing is offered");
    let entry = crate::grpc_strangers::open_mail_of_entry(&bench, &serving, &entry).await;
    serving.clock.set(now() + TimeDelta::seconds(1));
    let cancel = CancelAppointmentRequest {
        appointment_id: booked[0].id.clone(),
        etag: booked[0].etag.clone(),
    };
    serving
        .booking()
        .cancel_appointment(by_patient(cancel, &booked[0].secret))
        .await
        .expect("cancelled");
    let get = GetWaitlistEntryRequest {
        entry_id: entry.id.clone(),
    };
    let offered = serving
        .waitlist()
        .get_waitlist_entry(with(get, "x-waitlist-secret", &entry.secret))
        .await;
    let offered = offered.expect("read").into_inner().entry.expect("an entry");
    assert_eq!(offered.state(), WaitlistState::Offered);
    let attendant = offered.attendant.expect("an attendant");
    assert_eq!(
        (attendant.resource.as_str(), attendant.name.as_str()),
        ("clinic:uro", "Urology clinic")
    );
    assert_eq!(
        (attendant.fee_rupees, attendant.place.as_str()),
        (450, "Ground floor")
    );
    serving.stop().await;
    bench.end().await;
}

async fn staff_enter_fee_and_place_of_a_clinic(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let other = Serving::start(&bench).await;
    let session = Session {
        department: "Cardiology".to_owned(),
        name: "Evening clinic".to_owned(),
        weekdays: vec!["Mon".to_owned()],
        from: "5:00 PM".to_owned(),
        until: "7:00 PM".to_owned(),
        fee_rupees: 550,
        place: "Third floor".to_owned(),
        ..Session::default()
    };
    let create = |session: Session, request_id: &str| {
        let message = CreateSessionRequest {
            session: Some(session),
            request_id: request_id.to_owned(),
        };
        serving.staff(ROSTERS_WRITE, message)
    };
    let created = serving
        .roster()
        .create_session(create(session.clone(), "session-of-attendants"))
        .await;
    let created = created.expect("created").into_inner().session.unwrap();
    assert_eq!(
        (created.fee_rupees, created.place.as_str()),
        (550, "Third floor")
    );
    let booked = other.booked(request("Cardiology", "", "5:00 PM")).await;
    let attendant = booked.attendant.expect("an attendant");
    assert_eq!(
        (attendant.name.as_str(), attendant.fee_rupees),
        ("Evening clinic", 550)
    );
    // A client of release 0.1.0 sends neither fee nor place.
    let update = UpdateSessionRequest {
        session_id: created.id.clone(),
        session: Some(Session {
            fee_rupees: 0,
            place: String::new(),
            seats: 2,
            ..created.clone()
        }),
        etag: created.etag.clone(),
    };
    let update = serving.staff(ROSTERS_WRITE, update);
    let updated = serving.roster().update_session(update).await;
    let updated = updated.expect("updated").into_inner().session;
    let updated = updated.expect("a session");
    assert_eq!(
        (updated.seats, updated.fee_rupees, updated.place.as_str()),
        (2, 550, "Third floor")
    );
    let of_doctor = Session {
        doctor_id: "c1".to_owned(),
        ..session.clone()
    };
    let created = serving
        .roster()
        .create_session(create(of_doctor, "session-of-a-doctor"))
        .await;
    let created = created.expect("created").into_inner().session.unwrap();
    assert_eq!(
        (created.fee_rupees, created.place.as_str()),
        (900, "Second floor")
    );
    // The first session of a doctor whom the configuration doesn't have brings the name, the fee and the place.
    for (doctor_id, name, wanted) in [("c 9", "Dr. New", "doctorId"), ("c9", "", "name")] {
        let unknown = Session {
            doctor_id: doctor_id.to_owned(),
            name: name.to_owned(),
            ..session.clone()
        };
        let refused = serving
            .roster()
            .create_session(create(unknown, "session-of-nobody"))
            .await
            .expect_err("refused");
        assert_eq!(violated(&refused), [wanted]);
    }
    let new = Session {
        doctor_id: "c9".to_owned(),
        name: "Dr. New".to_owned(),
        ..session
    };
    let created = serving
        .roster()
        .create_session(create(new, "session-of-a-new-doctor"))
        .await;
    let created = created.expect("created").into_inner().session.unwrap();
    let shown = (created.fee_rupees, created.place.as_str());
    assert_eq!(
        (created.name.as_str(), shown),
        ("Dr. New", (550, "Third floor"))
    );
    serving.stop().await;
    other.stop().await;
    bench.end().await;
}

async fn a_closed_day_has_a_code(bench: Bench) {
    let serving = Serving::start(&bench).await;
    let holiday = CreateHolidayRequest {
        holiday: Some(Holiday {
            date: TUESDAY.to_owned(),
            name: "Festival".to_owned(),
        }),
    };
    let holiday = serving.staff(ROSTERS_WRITE, holiday);
    serving
        .roster()
        .create_holiday(holiday)
        .await
        .expect("entered");
    let days = async |department: &str, doctor: &str, from: &str, to: &str| {
        let asked = ListAvailabilityRequest {
            department: department.to_owned(),
            doctor: doctor.to_owned(),
            from: from.to_owned(),
            to: to.to_owned(),
        };
        let listed = serving.booking().list_availability(asked).await;
        let days = listed.expect("listed").into_inner().days.into_iter();
        days.map(|day| {
            assert_eq!(day.closed_reason.is_empty(), day.closed_code.is_none());
            (day.closed_code(), day.closed_detail.unwrap_or_default())
        })
        .collect::<Vec<_>>()
    };
    let without = |code: ClosedCode| (code, String::new());
    let open = || without(ClosedCode::Unspecified);
    assert_eq!(
        days("ENT", "d1", "2026-11-20", "2026-11-25").await,
        [
            without(ClosedCode::Past),
            without(ClosedCode::NoSitting),
            without(ClosedCode::Sunday),
            open(),
            (ClosedCode::Holiday, "Festival".to_owned()),
            without(ClosedCode::NoSitting),
        ]
    );
    assert_eq!(
        days("Emergency", "", MONDAY, "").await,
        [without(ClosedCode::CallInstead)]
    );
    assert_eq!(
        days("ENT", "", "2027-01-21", "").await,
        [(ClosedCode::TooFar, "2027-01-20".to_owned())]
    );
    // Saturday, 3:00 PM: the clinic has closed.
    assert_eq!(
        days("ENT", "", "2026-11-21", "").await,
        [without(ClosedCode::Ended)]
    );
    serving.stop().await;
    bench.end().await;
}
