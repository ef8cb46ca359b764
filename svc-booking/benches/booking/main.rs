//! Measures the booking rate of the real process on both databases, with no and with a million stored rows, directly
//! and through the gateway.
//!
//! Prints a table and one JSON line per measurement, which also go to the file in `BENCH_JSON`. SQLite is always
//! measured, PostgreSQL if `TEST_POSTGRES_URL` is set, and the gateway if `BENCH_GATEWAY` is the path of its program.
//! `BENCH_ROWS` sets the number of rows (default one million). Every patient is a different person, because limits are
//! in force. Takes about five minutes. With `BENCH_SHORT` it takes seconds, and shows only that the bench works. Fails
//! if a measurement books nothing.

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

const RACERS: usize = 100;
const ROWS: usize = 1_000_000;

/// Size of a run.
#[derive(Clone, Copy, Debug)]
struct Extent {
    clients: &'static [usize],
    /// Duration of one measurement, and of the warm-up before it.
    measure: Duration,
    warm_up: Duration,
    races: usize,
    reads: usize,
}

const WHOLE: Extent = Extent {
    clients: &[1, 32, 100],
    measure: Duration::from_secs(5),
    warm_up: Duration::from_secs(1),
    races: 10,
    reads: 400,
};
const SHORT: Extent = Extent {
    clients: &[4],
    measure: Duration::from_millis(500),
    warm_up: Duration::from_millis(100),
    races: 1,
    reads: 1,
};

#[tokio::main]
async fn main() -> Result<()> {
    let mut report = Report::new();
    let is_short = std::env::var_os("BENCH_SHORT").is_some();
    let extent = if is_short { SHORT } else { WHOLE };
    let rows = match std::env::var("BENCH_ROWS") {
        Ok(text) => text.parse()?,
        Err(_) if is_short => 1_000,
        Err(_) => ROWS,
    };
    for rows in [0, rows] {
        measure(Database::sqlite()?, rows, extent, &mut report).await?;
        match Database::postgres().await? {
            Some(database) => measure(database, rows, extent, &mut report).await?,
            None => println!("skipped: PostgreSQL (TEST_POSTGRES_URL is not set)"),
        }
    }
    report.finish()
}

async fn measure(
    database: Database,
    rows: usize,
    extent: Extent,
    report: &mut Report,
) -> Result<()> {
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
        extent,
        next: Arc::new(AtomicUsize::new(0)),
        races: AtomicUsize::new(0),
    };
    reads(&scene, &server, report).await?;
    for way in &ways {
        for &clients in extent.clients {
            book_for(&scene, way, clients, extent.warm_up).await?;
            let before = server.cpu_seconds()?;
            let measured = book_for(&scene, way, clients, extent.measure).await?;
            let cpu = server.cpu_seconds()? - before;
            measured.report(&scene, way, clients, cpu, report)?;
        }
        race(&scene, way, report).await?;
    }
    if let Some(gateway) = gateway {
        gateway.stop().await?;
    }
    server.stop().await?;
    database.remove().await
}

/// Conditions of a measurement.
struct Scene {
    database: &'static str,
    rows: usize,
    extent: Extent,
    /// Number of the next patient, who books a distinct seat.
    next: Arc<AtomicUsize>,
    races: AtomicUsize,
}

struct Measured {
    latencies_us: Histogram<u64>,
    failures: Failures,
    elapsed: Duration,
}

/// Calls without a booking.
#[derive(Default)]
struct Failures {
    count: u64,
    /// Response to one of them.
    example: Option<String>,
}

impl Failures {
    fn add(&mut self, other: Self) {
        self.count += other.count;
        self.example = self.example.take().or(other.example);
    }
}

/// Runs concurrent clients, each with its own connection; each books one distinct seat after another.
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
    let mut failures = Failures::default();
    for task in join_all(tasks).await {
        let (own, failed) = task??;
        latencies_us.add(own)?;
        failures.add(failed);
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
) -> Result<(Histogram<u64>, Failures)> {
    let mut latencies_us = Histogram::new(3)?;
    let mut failures = Failures::default();
    while Instant::now() < end {
        let patient = Patient::new(next.fetch_add(1, Ordering::Relaxed))?;
        let asked = Instant::now();
        match caller.book(&patient).await? {
            Answer::Booked => {
                let micros = u64::try_from(asked.elapsed().as_micros())?;
                latencies_us.record(micros.max(1))?;
            }
            Answer::Taken => failures.count += 1,
            Answer::Failed(how) => failures.add(Failures {
                count: 1,
                example: Some(how),
            }),
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
    /// Fails if nothing was booked, because there is nothing to measure.
    fn report(
        &self,
        scene: &Scene,
        way: &Way,
        clients: usize,
        cpu: f64,
        report: &mut Report,
    ) -> Result<()> {
        // Counts of a few seconds are far below the precision limit of f64.
        let booked = f64::from(u32::try_from(self.latencies_us.len()).unwrap_or(u32::MAX));
        let per_second = booked / self.elapsed.as_secs_f64();
        let (p50, p99) = (
            milliseconds(&self.latencies_us, 0.5),
            milliseconds(&self.latencies_us, 0.99),
        );
        let cpu_us = cpu * 1e6 / booked.max(1.0);
        let (database, rows, failures) = (scene.database, scene.rows, self.failures.count);
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
        let how = self.failures.example.as_deref().unwrap_or("no call");
        if self.latencies_us.is_empty() {
            return Err(
                format!("{database} {way}, {clients} clients: nothing was booked ({how})").into(),
            );
        }
        Ok(())
    }
}

/// Measures requests for free times over the longest allowed span.
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
    for _ in 0..scene.extent.reads {
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

/// Races: all clients want the same seat at the same moment.
async fn race(scene: &Scene, way: &Way, report: &mut Report) -> Result<()> {
    let rounds = scene.extent.races;
    let mut walls_ms = Vec::with_capacity(rounds);
    let (mut won, mut taken, mut failed) = (0, 0, Vec::new());
    let mut racers = connect_all(way, RACERS).await?;
    for _ in 0..rounds {
        let first = scene.next.fetch_add(RACERS, Ordering::Relaxed);
        let number = scene.races.fetch_add(1, Ordering::Relaxed);
        let patients = (first..first + RACERS).map(|patient| Patient::racing(patient, number));
        let patients: Vec<_> = patients.collect();
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
    let (median, most) = (walls_ms[rounds / 2], walls_ms[rounds - 1]);
    let (database, rows, way) = (scene.database, scene.rows, way.name());
    failed.truncate(3);
    report.add(
        format!(
            "{database:<10} {rows:>7} rows {way:<7} {RACERS} at once for one seat, {rounds} times: all answered within {median:.0} ms \
             (median), {most:.0} ms (most); {won} won, {taken} taken, other {failed:?}"
        ),
        &serde_json::json!({
            "bench": "booking-race", "database": database, "rows": rows, "way": way, "racers": RACERS, "races": rounds,
            "median_ms": json_number(median), "most_ms": json_number(most),
            "won": won, "slot_taken": taken, "other": failed,
        }),
    );
    if won != rounds {
        return Err(format!("{database} {way}: {won} won {rounds} races ({failed:?})").into());
    }
    Ok(())
}

/// Returns the name of a status code for the report.
pub(crate) fn name_of(code: Code) -> String {
    format!("{code:?}")
}
