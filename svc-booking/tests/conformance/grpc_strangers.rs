//! X1: a stranger who books, joins or asks in another person's name learns nothing, neither from the response nor from
//! its duration.

use std::time::{Duration, Instant};

use hospital_proto::booking::v1::{
    Appointment, CreateAppointmentRequest, CreateConsultationRequest, CreateWaitlistEntryRequest,
    GetAppointmentRequest, GetWaitlistEntryRequest, Proof, WaitlistEntry,
};
use prost::Message as _;
use svc_booking::domain::calendar::SlotTime;
use test_kit::on_both_databases;
use tonic::{Request, Status};

use crate::{
    fixture::{Bench, Hospital, MONDAY, changed, request, unique},
    serving::{Serving, by_patient, with},
};

on_both_databases!(test_kit::bench::empty:
    a_booking_reveals_nothing_about_a_person,
    waitlist_and_consultations_reveal_nothing_about_a_person,
);

/// General Medicine has two hundred seats per slot, Urology one.
const LARGE: &str = r#"
[[departments]]
id = "general-medicine"
name = "General Medicine"
[[departments]]
id = "urology"
name = "Urology"
[[sessions]]
id = "gm"
department = "general-medicine"
name = "Clinic"
weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
from = "9:00 AM"
until = "7:00 PM"
seats = 100
[[sessions]]
id = "gm-2"
department = "general-medicine"
name = "Second clinic"
weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
from = "9:00 AM"
until = "7:00 PM"
seats = 100
[[sessions]]
id = "uro"
department = "urology"
name = "Urology clinic"
weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
from = "9:00 AM"
until = "7:00 PM"
"#;
/// Number of people of each kind.
pub(crate) const PEOPLE: usize = 200;
/// Maximum relative difference between the mean durations.
const APART_MAX: f64 = 0.1;
/// Number of measurements; one quiet measurement is enough, because a real oracle shows in each of them.
const ROUNDS: usize = 5;

pub(crate) fn from<T>(message: T, network: &str) -> Request<T> {
    with(message, "client-network", network)
}

/// Opens the mailed link of an appointment, as its owner does.
pub(crate) async fn open_mail(
    bench: &Bench,
    serving: &Serving,
    known: &Appointment,
) -> Appointment {
    let hospital = Hospital::of(bench).await;
    let id = known.id.parse().expect("an id");
    let stored = hospital.store.appointment(id).await.expect("no error");
    let stored = stored.expect("an appointment");
    let secret = hospital.store.mailed_secret(&stored).expect("a secret");
    let name = GetAppointmentRequest {
        appointment_id: known.reference.clone(),
    };
    let mut client = serving.booking();
    let read = client.get_appointment(by_patient(name, &secret)).await;
    let read = read.expect("read").into_inner();
    Appointment {
        secret,
        ..read.appointment.expect("a body")
    }
}

/// Like [`open_mail`], for a waitlist entry.
pub(crate) async fn open_mail_of_entry(
    bench: &Bench,
    serving: &Serving,
    known: &WaitlistEntry,
) -> WaitlistEntry {
    let hospital = Hospital::of(bench).await;
    let id = known.id.parse().expect("an id");
    let secret = hospital.store.mailed_entry_secret(id);
    let name = GetWaitlistEntryRequest {
        entry_id: known.reference.clone(),
    };
    let read = with(name, "x-waitlist-secret", &secret);
    let read = serving.waitlist().get_waitlist_entry(read).await;
    let entry = read.expect("read").into_inner().entry.expect("an entry");
    WaitlistEntry { secret, ..entry }
}

/// Returns a visit of the person with this number; all have the same length.
pub(crate) fn visit(
    person: usize,
    department: &str,
    date: &str,
    time: &str,
) -> CreateAppointmentRequest {
    changed(&request(department, "", time), |body| {
        body.email = format!("person{person:05}@example.com");
        body.phone = format!("+91 80 {person:08}");
        date.clone_into(&mut body.date);
    })
}

/// Returns a response as bytes, without random values and the caller's input.
fn masked(answer: Result<Appointment, Status>) -> Vec<u8> {
    match answer {
        Ok(appointment) => {
            assert_eq!(
                (appointment.reference.len(), appointment.secret.len()),
                (12, 43)
            );
            let calendar = appointment
                .calendar
                .replace(&appointment.id, "id")
                .replace(&appointment.reference, "reference");
            Appointment {
                id: String::new(),
                reference: String::new(),
                secret: String::new(),
                email: String::new(),
                phone: String::new(),
                calendar,
                ..appointment
            }
            .encode_to_vec()
        }
        Err(status) => {
            let code = format!("{:?} {} ", status.code(), status.message());
            [code.as_bytes(), status.details()].concat()
        }
    }
}

/// Returns the mean of all but the slowest tenth, which may have been delayed by other work.
fn mean(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times.truncate(times.len() * 9 / 10);
    let sum: Duration = times.iter().sum();
    sum.as_secs_f64() / f64::from(u32::try_from(times.len()).expect("few"))
}

/// Asks for known and unknown people in turn. Checks that the responses are the same and the mean durations similar.
/// `ask` gets the round and the person's number.
pub(crate) async fn tells_nothing(
    what: &str,
    known: usize,
    unknown: usize,
    ask: impl AsyncFn(usize, usize) -> Vec<u8>,
) {
    let mut apart = Vec::new();
    for round in 0..ROUNDS {
        let mut times = [Vec::new(), Vec::new()];
        let mut answers = Vec::new();
        for number in 0..PEOPLE {
            // Alternates the order: the second call finds warm caches.
            let mut pair = [(0, known + number), (1, unknown + number)];
            if number % 2 == 1 {
                pair.reverse();
            }
            for (kind, person) in pair {
                let asked = Instant::now();
                let answer = ask(round, person).await;
                times[kind].push(asked.elapsed());
                answers.push(answer);
            }
        }
        let first = answers[0].clone();
        assert!(
            answers.iter().all(|answer| *answer == first),
            "{what}: answers differ"
        );
        let [known, unknown] = times.map(mean);
        apart.push((known / unknown - 1.0).abs());
        if apart[round] <= APART_MAX {
            return;
        }
    }
    panic!("{what}: the times of known and unknown people are apart: {apart:?}");
}

/// X1: 200 people with a proven appointment on that day in that department, and 200 without one. For a taken and for a
/// free time, neither the response nor its duration depends on the person.
async fn a_booking_reveals_nothing_about_a_person(bench: Bench) {
    let serving = Serving::start_of(&bench, LARGE).await;
    let known = 0;
    for person in known..PEOPLE {
        let time = SlotTime::all().nth(person % 18).expect("a time").label();
        let own = visit(person, "General Medicine", MONDAY, &time);
        let own = serving.booked(own).await;
        open_mail(&bench, &serving, &own).await;
    }
    let proven = "SELECT count(*) FROM appointments WHERE proof = 'link'";
    assert_eq!(
        bench.test.scalar(proven).await,
        i64::try_from(PEOPLE).expect("few")
    );
    // The review's attack: hold the last seat of a time, then request it in a person's name.
    serving
        .booked(visit(90_000, "Urology", MONDAY, "9:00 AM"))
        .await;
    let create = async |asked: CreateAppointmentRequest| {
        let answer = serving.booking().create_appointment(asked).await;
        masked(answer.map(|answer| answer.into_inner().appointment.expect("a body")))
    };
    let taken = async |_, person| create(visit(person, "Urology", MONDAY, "9:00 AM")).await;
    tells_nothing("a taken time", known, 1_000, taken).await;
    // A booking of the same department and day.
    let free = async |round: usize, person: usize| {
        // Unknown in each round, as in the first.
        let person = if person < PEOPLE {
            person
        } else {
            person + 1_000 * round
        };
        let time = SlotTime::all().nth((person * 7 + round) % 18);
        let time = time.expect("a time").label();
        let asked = visit(person, "General Medicine", MONDAY, &time);
        let answer = serving.booking().create_appointment(asked).await;
        let answer = answer.map(|answer| answer.into_inner().appointment.expect("a body"));
        masked(answer.map(|appointment| Appointment {
            time: String::new(),
            starts_at: None,
            calendar: String::new(),
            ..appointment
        }))
    };
    tells_nothing("a free time", known, 1_000, free).await;
    serving.stop().await;
    bench.end().await;
}

pub(crate) fn join(person: usize, department: &str) -> CreateWaitlistEntryRequest {
    CreateWaitlistEntryRequest {
        entry: Some(WaitlistEntry {
            patient_name: "Asha Rao".to_owned(),
            email: format!("person{person:05}@example.com"),
            phone: format!("+91 80 {person:08}"),
            department: department.to_owned(),
            date: MONDAY.to_owned(),
            ..WaitlistEntry::default()
        }),
        request_id: format!("waitlist-request-{:06}", unique()),
    }
}

pub(crate) async fn joined(
    serving: &Serving,
    request: Request<CreateWaitlistEntryRequest>,
) -> WaitlistEntry {
    let entry = serving.waitlist().create_waitlist_entry(request).await;
    entry.expect("joined").into_inner().entry.expect("an entry")
}

/// Books every time of Urology's Monday; returns the appointments.
pub(crate) async fn fill(serving: &Serving) -> Vec<Appointment> {
    let mut booked = Vec::new();
    for (number, time) in SlotTime::all().enumerate() {
        let own = visit(80_000 + number, "Urology", MONDAY, &time.label());
        booked.push(serving.booked(own).await);
    }
    booked
}

/// X1: joining the waitlist or requesting a consultation in a person's name reveals nothing about them either.
async fn waitlist_and_consultations_reveal_nothing_about_a_person(bench: Bench) {
    let serving = Serving::start(&bench).await;
    fill(&serving).await;
    let known = 0;
    for person in known..PEOPLE {
        let entry = joined(&serving, Request::new(join(person, "Urology"))).await;
        let entry = open_mail_of_entry(&bench, &serving, &entry).await;
        assert_eq!(entry.proof(), Proof::Link);
    }
    let waits = async |round: usize, person: usize| {
        let person = if person < PEOPLE {
            person
        } else {
            person + 1_000 * round
        };
        let mut client = serving.waitlist();
        match client.create_waitlist_entry(join(person, "Urology")).await {
            Ok(answer) => WaitlistEntry {
                id: String::new(),
                reference: String::new(),
                secret: String::new(),
                email: String::new(),
                phone: String::new(),
                ..answer.into_inner().entry.expect("an entry")
            }
            .encode_to_vec(),
            Err(status) => format!("{status:?}").into_bytes(),
        }
    };
    tells_nothing("joining a line", known, 1_000, waits).await;
    let consultation = async |person: usize| {
        use hospital_proto::booking::v1::Consultation;
        let asked = CreateConsultationRequest {
            consultation: Some(Consultation {
                patient_name: "Asha Rao".to_owned(),
                patient_email: format!("person{person:05}@example.com"),
                date: MONDAY.to_owned(),
                ..Consultation::default()
            }),
            request_id: format!("consultation-request-{:06}", unique()),
        };
        serving.consultation().create_consultation(asked).await
    };
    for _ in 0..9 {
        consultation(7).await.expect("any number of one person");
    }
    consultation(2_007).await.expect("and of anybody else");
    serving.stop().await;
    bench.end().await;
}
