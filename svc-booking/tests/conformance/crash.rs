//! The real process, killed without warning in the middle of its work.

use std::{
    process::Stdio,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use futures::{StreamExt as _, future::join_all, stream};
use hospital_proto::booking::v1::{
    Appointment, CreateAppointmentRequest, ListAvailabilityRequest,
    booking_service_client::BookingServiceClient,
};
use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    process::{Child, Command},
    sync::Notify,
};
use tonic::transport::Channel;

use crate::fixture::{Database, request};

const BOOKINGS: usize = 1_000;
const CLIENTS: usize = 16;
/// The process is killed once so many bookings are acknowledged.
const KILL_AFTER: usize = 400;

/// Starts the real binary and waits until it says that it listens.
async fn start(database: &Database) -> (Child, BookingServiceClient<Channel>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_svc-booking"))
        .args([
            "--listen",
            "127.0.0.1:0",
            "--operators-listen",
            "127.0.0.1:0",
        ])
        .args(["--database-url", &database.url])
        .env("SEAL_KEYS_FILE", test_kit::keys::path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .expect("the binary starts");
    let stdout = child.stdout.take().expect("a pipe");
    let line = BufReader::new(stdout)
        .lines()
        .next_line()
        .await
        .expect("readable");
    let line = line.expect("a line before the end");
    let address = line.strip_prefix("listening on ").expect("an address");
    let client = BookingServiceClient::connect(format!("http://{address}"))
        .await
        .expect("it listens");
    (child, client)
}

/// A thousand requests for free seats, as the running process lists them.
async fn requests(client: &mut BookingServiceClient<Channel>) -> Vec<CreateAppointmentRequest> {
    let mut requests = Vec::with_capacity(BOOKINGS);
    for department in ["General Medicine", "Cardiology", "ENT"] {
        let today = ListAvailabilityRequest {
            department: department.to_owned(),
            ..ListAvailabilityRequest::default()
        };
        let first = client
            .list_availability(today)
            .await
            .expect("listed")
            .into_inner();
        let from: chrono::NaiveDate = first.days[0].date.parse().expect("a date");
        let span = ListAvailabilityRequest {
            department: department.to_owned(),
            from: from.to_string(),
            to: (from + chrono::TimeDelta::days(30)).to_string(),
            ..ListAvailabilityRequest::default()
        };
        let listed = client
            .list_availability(span)
            .await
            .expect("listed")
            .into_inner();
        // From the second day on: the first grows shorter while the test runs.
        for day in listed.days.iter().skip(1) {
            for slot in day.slots.iter().filter(|slot| slot.available) {
                let mut request = request(department, "", &slot.time);
                let body: &mut Appointment = request.appointment.as_mut().expect("a body");
                body.date.clone_from(&day.date);
                requests.push(request);
            }
        }
    }
    assert!(
        requests.len() >= BOOKINGS,
        "only {} slots are free",
        requests.len()
    );
    requests.truncate(BOOKINGS);
    requests
}

pub(crate) async fn everything_acknowledged_survives_kill_9(database: Arc<Database>) {
    database.migrated().await.close().await;
    let (mut child, mut client) = start(&database).await;
    let requests = Arc::new(requests(&mut client).await);
    let next = Arc::new(AtomicUsize::new(0));
    let acknowledged = Arc::new(AtomicUsize::new(0));
    let enough = Arc::new(Notify::new());
    let clients: Vec<_> = (0..CLIENTS)
        .map(|_| {
            let (mut client, requests, next) =
                (client.clone(), Arc::clone(&requests), Arc::clone(&next));
            let (acknowledged, enough) = (Arc::clone(&acknowledged), Arc::clone(&enough));
            tokio::spawn(async move {
                let mut answers = Vec::new();
                while let Some(request) = requests.get(next.fetch_add(1, Ordering::Relaxed)) {
                    // Once the process is dead, nothing is acknowledged any more.
                    let Ok(answer) = client.create_appointment(request.clone()).await else {
                        break;
                    };
                    answers.push((request.clone(), answer.into_inner()));
                    if acknowledged.fetch_add(1, Ordering::Relaxed) + 1 == KILL_AFTER {
                        enough.notify_one();
                    }
                }
                answers
            })
        })
        .collect();
    enough.notified().await;
    child.kill().await.expect("killed"); // SIGKILL
    let answers: Vec<_> = join_all(clients)
        .await
        .into_iter()
        .flat_map(|answers| answers.expect("no panic"))
        .collect();
    assert!(
        (KILL_AFTER..BOOKINGS).contains(&answers.len()),
        "{} acknowledged",
        answers.len()
    );

    let (mut child, client) = start(&database).await;
    // As many at once as before: the question is what was kept, not how much load a start can take.
    let repeated = answers.iter().map(|(request, first)| {
        let mut client = client.clone();
        async move {
            let again = client
                .create_appointment(request.clone())
                .await
                .expect("still booked");
            assert_eq!(again.into_inner(), *first);
        }
    });
    stream::iter(repeated)
        .buffer_unordered(CLIENTS)
        .collect::<()>()
        .await;
    child.kill().await.expect("killed");
    let stored = database.number("SELECT count(*) FROM appointments").await;
    let stored = usize::try_from(stored).expect("a count");
    assert!(
        (answers.len()..answers.len() + CLIENTS).contains(&stored),
        "{stored} stored"
    );
    let halves = "SELECT count(*) FROM appointments WHERE id NOT IN (SELECT holder_id FROM seats) \
                  OR id NOT IN (SELECT id FROM contacts) OR id NOT IN (SELECT appointment_id FROM events) \
                  OR (SELECT count(*) FROM outbox_messages) <> (SELECT count(*) FROM appointments) \
                  OR (SELECT count(*) FROM request_keys) <> (SELECT count(*) FROM appointments)";
    assert_eq!(
        database.number(halves).await,
        0,
        "a booking is stored whole or not at all"
    );
}
