//! How fast the real process books, on both databases, with nothing and with a million rows stored, directly and through the gateway.
//!
//! Prints a table and one JSON line per measurement, which also go to the file that `BENCH_JSON` names. SQLite is always measured,
//! PostgreSQL when `TEST_POSTGRES_URL` is set, the gateway when `BENCH_GATEWAY` names its program. `BENCH_ROWS` is another number of rows
//! than a million. Every patient is another person: limits are in force. Takes some five minutes.

mod calls;
mod process;
mod report;
mod stored;

use std::{
    error::Error,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use futures::future::join_all;
use hdrhistogram::Histogram;
use hospital_proto::booking::v1::ListAvailabilityRequest;
use tonic::Code;

use calls::{Answer, Caller, Patient, Way};
use process::{Database, Gateway, Server};
use report::{Report, json_number};

type Result<T, E = Box<dyn Error + Send + Sync>> = std::result::Result<T, E>;

const CLIENTS: [usize; 3] = [1, 32, 100];
/// How long one measurement books, and how long it warms up before.
const MEASURE: Duration = Duration::from_secs(5);
const WARM_UP: Duration = Duration::from_secs(1);
const RACERS: usize = 100;
const RACES: usize = 10;
const READS: usize = 400;
const ROWS: usize = 1_000_000;

#[tokio::main]
async fn main() -> Result<()> {
    let mut report = Report::new();
    let rows = match std::env::var("BENCH_ROWS") {
        Ok(text) => text.parse()?,
        Err(_) => ROWS,
    };
    for rows in [0, rows] {
        measure(Database::sqlite()?, rows, &mut report).await?;
        match Database::postgres().await? {
            Some(database) => measure(database, rows, &mut report).await?,
            None => println!("skipped: PostgreSQL (TEST_POSTGRES_URL is not set)"),
        }
    }
    report.finish()
}

async fn measure(database: Database, rows: usize, report: &mut Report) -> Result<()> {
    process::migrate(&database).await?;
    let started = Instant::now();
    stored::fill(&database, rows).await?;
    println!(
        "{} with {rows} rows (stored in {:.0} s), load average {}",
        database.name,
        started.elapsed().as_secs_f64(),
        process::load_average()?
    );
    let server = Server::start(&database).await?;
    let gateway = match std::env::var_os("BENCH_GATEWAY") {
        Some(program) => Some(Gateway::start(&PathBuf::from(program), &server).await?),
        None => None,
    };
    let mut ways = vec![Way::Direct(server.address.clone())];
    ways.extend(
        gateway
            .as_ref()
            .map(|gateway| Way::Gateway(gateway.address.clone())),
    );
    let scene = Scene {
        database: database.name,
        rows,
        next: Arc::new(AtomicUsize::new(0)),
    };
    reads(&scene, &server, report).await?;
    for way in &ways {
        for clients in CLIENTS {
            book_for(&scene, way, clients, WARM_UP).await?;
            let before = server.cpu_seconds()?;
            let measured = book_for(&scene, way, clients, MEASURE).await?;
            let cpu = server.cpu_seconds()? - before;
            measured.report(&scene, way, clients, cpu, report);
        }
        race(&scene, way, report).await?;
    }
    if let Some(gateway) = gateway {
        gateway.stop().await?;
    }
    server.stop().await?;
    database.remove().await
}

/// What is measured.
struct Scene {
    database: &'static str,
    rows: usize,
    /// The next patient, who books a place of their own.
    next: Arc<AtomicUsize>,
}

struct Measured {
    latencies_us: Histogram<u64>,
    failures: u64,
    elapsed: Duration,
}

/// Clients with a connection each book one distinct place after the other.
async fn book_for(
    scene: &Scene,
    way: &Way,
    clients: usize,
    duration: Duration,
) -> Result<Measured> {
    let callers = connect_all(way, clients).await?;
    let started = Instant::now();
    let tasks: Vec<_> = callers
        .into_iter()
        .map(|caller| {
            let next = Arc::clone(&scene.next);
            tokio::spawn(book_until(caller, started + duration, next))
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
    mut caller: Caller,
    end: Instant,
    next: Arc<AtomicUsize>,
) -> Result<(Histogram<u64>, u64)> {
    let mut latencies_us = Histogram::new(3)?;
    let mut failures = 0;
    while Instant::now() < end {
        let patient = Patient::new(next.fetch_add(1, Ordering::Relaxed))?;
        let asked = Instant::now();
        match caller.book(&patient).await? {
            Answer::Booked => {
                let micros = u64::try_from(asked.elapsed().as_micros())?;
                latencies_us.record(micros.max(1))?;
            }
            Answer::Taken | Answer::Failed(_) => failures += 1,
        }
    }
    Ok((latencies_us, failures))
}

async fn connect_all(way: &Way, clients: usize) -> Result<Vec<Caller>> {
    let mut connected = Vec::with_capacity(clients);
    for _ in 0..clients {
        connected.push(Caller::connect(way).await?);
    }
    Ok(connected)
}

fn milliseconds(latencies_us: &Histogram<u64>, quantile: f64) -> f64 {
    Duration::from_micros(latencies_us.value_at_quantile(quantile)).as_secs_f64() * 1000.0
}

impl Measured {
    fn report(&self, scene: &Scene, way: &Way, clients: usize, cpu: f64, report: &mut Report) {
        // A count of a few seconds is far from where f64 loses precision.
        let booked = f64::from(u32::try_from(self.latencies_us.len()).unwrap_or(u32::MAX));
        let per_second = booked / self.elapsed.as_secs_f64();
        let (p50, p99) = (
            milliseconds(&self.latencies_us, 0.5),
            milliseconds(&self.latencies_us, 0.99),
        );
        let cpu_us = cpu * 1e6 / booked.max(1.0);
        let (database, rows, failures) = (scene.database, scene.rows, self.failures);
        let way = way.name();
        report.add(
            format!(
                "{database:<10} {rows:>7} rows {way:<7} {clients:>3} clients {per_second:>6.0} bookings/s  p50 {p50:>6.1} ms  \
                 p99 {p99:>6.1} ms  {cpu_us:>5.0} µs of the service's processor each  {failures} failures"
            ),
            &serde_json::json!({
                "bench": "booking-create", "database": database, "rows": rows, "way": way, "clients": clients,
                "bookings_per_second": json_number(per_second), "p50_ms": json_number(p50),
                "p99_ms": json_number(p99), "service_cpu_us": json_number(cpu_us), "failures": failures,
            }),
        );
    }
}

/// What a question for free times costs: the longest span that may be asked for.
async fn reads(scene: &Scene, server: &Server, report: &mut Report) -> Result<()> {
    let mut client = server.connect().await?;
    let (from, to) = calls::days()?;
    let query = ListAvailabilityRequest {
        department: process::department_name(0),
        from,
        to,
        ..ListAvailabilityRequest::default()
    };
    let mut latencies_us = Histogram::<u64>::new(3)?;
    for _ in 0..READS {
        let asked = Instant::now();
        client.list_availability(query.clone()).await?;
        latencies_us.record(u64::try_from(asked.elapsed().as_micros())?.max(1))?;
    }
    let (p50, p99) = (
        milliseconds(&latencies_us, 0.5),
        milliseconds(&latencies_us, 0.99),
    );
    let (database, rows) = (scene.database, scene.rows);
    report.add(
        format!("{database:<10} {rows:>7} rows free times of two months  p50 {p50:>6.2} ms  p99 {p99:>6.2} ms"),
        &serde_json::json!({
            "bench": "booking-availability", "database": database, "rows": rows, "p50_ms": p50, "p99_ms": p99,
        }),
    );
    Ok(())
}

/// All want the same seat at the same moment.
async fn race(scene: &Scene, way: &Way, report: &mut Report) -> Result<()> {
    let mut walls_ms = Vec::with_capacity(RACES);
    let (mut won, mut taken, mut failed) = (0, 0, Vec::new());
    let mut racers = connect_all(way, RACERS).await?;
    for _ in 0..RACES {
        let place = scene.next.fetch_add(RACERS, Ordering::Relaxed);
        let mut patients = Vec::with_capacity(RACERS);
        for racer in 0..RACERS {
            patients.push(Patient::racing(place + racer, place)?);
        }
        let started = Instant::now();
        let calls = racers.drain(..).zip(patients).map(|(mut caller, patient)| {
            tokio::spawn(async move {
                let answer = caller.book(&patient).await;
                (caller, answer)
            })
        });
        let calls: Vec<_> = calls.collect();
        for call in join_all(calls).await {
            let (caller, answer) = call?;
            racers.push(caller);
            match answer? {
                Answer::Booked => won += 1,
                Answer::Taken => taken += 1,
                Answer::Failed(how) => failed.push(how),
            }
        }
        walls_ms.push(started.elapsed().as_secs_f64() * 1000.0);
    }
    walls_ms.sort_by(f64::total_cmp);
    let (median, most) = (walls_ms[RACES / 2], walls_ms[RACES - 1]);
    let (database, rows, way) = (scene.database, scene.rows, way.name());
    failed.truncate(3);
    report.add(
        format!(
            "{database:<10} {rows:>7} rows {way:<7} {RACERS} at once for one seat, {RACES} times: all answered within {median:.0} ms \
             (median), {most:.0} ms (most); {won} won, {taken} taken, other {failed:?}"
        ),
        &serde_json::json!({
            "bench": "booking-race", "database": database, "rows": rows, "way": way, "racers": RACERS, "races": RACES,
            "median_ms": json_number(median), "most_ms": json_number(most),
            "won": won, "slot_taken": taken, "other": failed,
        }),
    );
    Ok(())
}

/// The name of a code, for a report.
pub(crate) fn name_of(code: Code) -> String {
    format!("{code:?}")
}
