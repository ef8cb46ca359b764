//! How fast the real process books, on both databases.
//!
//! Prints a table and one JSON line per measurement, which also go to the file that `BENCH_JSON` names.
//! SQLite is always measured, PostgreSQL when `TEST_POSTGRES_URL` is set. Takes about a minute.

mod process;
mod report;

use std::{
    error::Error,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use chrono::{Days, NaiveDate};
use futures::future::join_all;
use hdrhistogram::Histogram;
use hospital_proto::booking::v1::{
    Appointment, CreateAppointmentRequest, ListAvailabilityRequest,
    booking_service_client::BookingServiceClient,
};
use service_kit::source::{Ids as _, RandomIds};
use tonic::{Code, transport::Channel};

use process::{Database, Server};
use report::{Report, json_number};

type Client = BookingServiceClient<Channel>;
type Result<T, E = Box<dyn Error + Send + Sync>> = std::result::Result<T, E>;

const CLIENTS: [usize; 3] = [1, 32, 100];
/// How long one measurement books, and how long it warms up before.
const MEASURE: Duration = Duration::from_secs(5);
const WARM_UP: Duration = Duration::from_secs(1);
const RACERS: usize = 100;
const RACES: usize = 10;
const STARTS: usize = 5;
/// Departments of the bench, each with one seat per slot: about 900 seats in the 60 days.
pub(crate) const DEPARTMENTS: usize = 200;

#[tokio::main]
async fn main() -> Result<()> {
    let mut report = Report::new();
    measure(&Database::sqlite()?, &mut report).await?;
    match Database::postgres().await? {
        Some(database) => {
            measure(&database, &mut report).await?;
            database.remove().await?;
        }
        None => println!("skipped: PostgreSQL (TEST_POSTGRES_URL is not set)"),
    }
    report.finish()
}

async fn measure(database: &Database, report: &mut Report) -> Result<()> {
    process::migrate(database).await?;
    let mut durations = Vec::with_capacity(STARTS);
    for _ in 0..STARTS {
        let server = Server::start(database).await?;
        durations.push(server.start_up.as_secs_f64() * 1000.0);
        server.stop().await?;
    }
    durations.sort_by(f64::total_cmp);
    let server = Server::start(database).await?;
    let idle_mib = server.resident_mib("VmRSS")?;
    let slots = Arc::new(free_slots(&server).await?);
    let next = Arc::new(AtomicUsize::new(0));
    for clients in CLIENTS {
        book_for(&server, clients, WARM_UP, &slots, &next).await?;
        let measured = book_for(&server, clients, MEASURE, &slots, &next).await?;
        measured.report(database.name, clients, report);
    }
    race(&server, database, &slots, &next, report).await?;
    let peak_mib = server.resident_mib("VmHWM")?;
    let start_up_ms = durations[STARTS / 2];
    report.add(
        format!(
            "{:<10} start-up {start_up_ms:.0} ms (median of {STARTS}), resident {idle_mib:.1} MiB idle, {peak_mib:.1} MiB at most",
            database.name
        ),
        &serde_json::json!({
            "bench": "booking-process", "database": database.name, "start_up_ms": json_number(start_up_ms),
            "resident_idle_mib": json_number(idle_mib), "resident_peak_mib": json_number(peak_mib),
        }),
    );
    server.stop().await
}

/// Slots of different departments, days and times, as the process itself lists them.
async fn free_slots(server: &Server) -> Result<Vec<(String, String, String)>> {
    let mut client = server.connect().await?;
    let mut query = ListAvailabilityRequest {
        department: process::department_name(0),
        ..ListAvailabilityRequest::default()
    };
    let today = client.list_availability(query.clone()).await?.into_inner();
    let today: NaiveDate = today.days.first().ok_or("no day")?.date.parse()?;
    query.from = (today + Days::new(1)).to_string();
    query.to = (today + Days::new(60)).to_string();
    let listed = client.list_availability(query).await?.into_inner();
    let mut slots = Vec::new();
    for day in &listed.days {
        for slot in &day.slots {
            for department in 0..DEPARTMENTS {
                let department = process::department_name(department);
                slots.push((department, day.date.clone(), slot.time.clone()));
            }
        }
    }
    Ok(slots)
}

fn request((department, date, time): &(String, String, String)) -> CreateAppointmentRequest {
    CreateAppointmentRequest {
        appointment: Some(Appointment {
            patient_name: "Asha Rao".to_owned(),
            email: "asha@example.com".to_owned(),
            phone: "+91 80 0000 0000".to_owned(),
            date: date.clone(),
            time: time.clone(),
            reason: "A cough that has not gone away for two weeks.".to_owned(),
            notes: department.clone(),
            ..Appointment::default()
        }),
        request_id: RandomIds.uuid().to_string(),
    }
}

struct Measured {
    latencies_us: Histogram<u64>,
    failures: u64,
    elapsed: Duration,
}

/// Clients with a connection each book one distinct slot after the other.
async fn book_for(
    server: &Server,
    clients: usize,
    duration: Duration,
    slots: &Arc<Vec<(String, String, String)>>,
    next: &Arc<AtomicUsize>,
) -> Result<Measured> {
    let connected = connect_all(server, clients).await?;
    let started = Instant::now();
    let tasks: Vec<_> = connected
        .into_iter()
        .map(|client| {
            let (slots, next) = (Arc::clone(slots), Arc::clone(next));
            tokio::spawn(book_until(client, started + duration, slots, next))
        })
        .collect();
    let mut latencies_us = Histogram::new(3)?;
    let mut failures = 0;
    for task in join_all(tasks).await {
        let (own, failed) = task??;
        latencies_us.add(own)?;
        failures += failed;
    }
    Ok(Measured {
        latencies_us,
        failures,
        elapsed: started.elapsed(),
    })
}

async fn book_until(
    mut client: Client,
    end: Instant,
    slots: Arc<Vec<(String, String, String)>>,
    next: Arc<AtomicUsize>,
) -> Result<(Histogram<u64>, u64)> {
    let mut latencies_us = Histogram::new(3)?;
    let mut failures = 0;
    while Instant::now() < end {
        let slot = slots
            .get(next.fetch_add(1, Ordering::Relaxed))
            .ok_or("every slot is booked: more departments are needed")?;
        let request = request(slot);
        let asked = Instant::now();
        match client.create_appointment(request).await {
            Ok(_) => {
                let micros = u64::try_from(asked.elapsed().as_micros())?;
                latencies_us.record(micros.max(1))?;
            }
            Err(_) => failures += 1,
        }
    }
    Ok((latencies_us, failures))
}

async fn connect_all(server: &Server, clients: usize) -> Result<Vec<Client>> {
    let mut connected = Vec::with_capacity(clients);
    for _ in 0..clients {
        connected.push(server.connect().await?);
    }
    Ok(connected)
}

impl Measured {
    fn report(&self, database: &str, clients: usize, report: &mut Report) {
        // A count of a few seconds is far from where f64 loses precision.
        let created = u32::try_from(self.latencies_us.len()).unwrap_or(u32::MAX);
        let per_second = f64::from(created) / self.elapsed.as_secs_f64();
        let milliseconds = |quantile| {
            Duration::from_micros(self.latencies_us.value_at_quantile(quantile)).as_secs_f64()
                * 1000.0
        };
        let (p50, p99) = (milliseconds(0.5), milliseconds(0.99));
        let failures = self.failures;
        report.add(
            format!(
                "{database:<10} {clients:>3} clients {per_second:>7.0} creates/s   p50 {p50:>6.1} ms   p99 {p99:>6.1} ms   {failures} failures"
            ),
            &serde_json::json!({
                "bench": "booking-create", "database": database, "clients": clients,
                "creates_per_second": json_number(per_second), "p50_ms": json_number(p50),
                "p99_ms": json_number(p99), "failures": failures,
            }),
        );
    }
}

/// All want the same seat at the same moment.
async fn race(
    server: &Server,
    database: &Database,
    slots: &[(String, String, String)],
    next: &AtomicUsize,
    report: &mut Report,
) -> Result<()> {
    let racers = connect_all(server, RACERS).await?;
    let mut walls_ms = Vec::with_capacity(RACES);
    let (mut won, mut taken, mut other) = (0, 0, 0);
    for _ in 0..RACES {
        let slot = &slots[next.fetch_add(1, Ordering::Relaxed)];
        let started = Instant::now();
        let calls = racers.iter().map(|client| {
            let mut client = client.clone();
            let request = request(slot);
            tokio::spawn(async move {
                client
                    .create_appointment(request)
                    .await
                    .map_err(|status| status.code())
            })
        });
        for answer in join_all(calls.collect::<Vec<_>>()).await {
            match answer? {
                Ok(_) => won += 1,
                Err(Code::AlreadyExists) => taken += 1,
                Err(_) => other += 1,
            }
        }
        walls_ms.push(started.elapsed().as_secs_f64() * 1000.0);
    }
    walls_ms.sort_by(f64::total_cmp);
    let (median, most) = (walls_ms[RACES / 2], walls_ms[RACES - 1]);
    let name = database.name;
    report.add(
        format!(
            "{name:<10} {RACERS}-way race for one seat, {RACES} times: {median:.0} ms (median), {most:.0} ms (most); {won} won, {taken} SLOT_TAKEN, {other} other"
        ),
        &serde_json::json!({
            "bench": "booking-race", "database": name, "racers": RACERS, "races": RACES,
            "median_ms": json_number(median), "most_ms": json_number(most),
            "won": won, "slot_taken": taken, "other": other,
        }),
    );
    Ok(())
}
