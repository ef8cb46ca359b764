//! Measures the booking rate of the real process on both databases, with no and with a million stored rows, directly
//! and through the gateway.
//!
//! Prints a table and one JSON line per measurement, which also go to the file in `BENCH_JSON`. SQLite is always
//! measured, PostgreSQL if `TEST_POSTGRES_URL` is set, and the gateway if `BENCH_GATEWAY` is the path of its program.
//! `BENCH_BASELINE` is the path of another `svc-booking`, measured in turns with this one. `BENCH_ROWS` sets the number
//! of rows (default one million), `BENCH_ROUNDS` the turns of each program (default 5). Every patient is a different person, because limits are in force. Takes about ten
//! minutes, twice as long with a baseline. With `BENCH_SHORT` it takes seconds, and shows only that the bench works. Fails
//! if a measurement books nothing.

mod calls;
mod process;
mod report;
mod stored;

use std::{
    collections::BTreeSet,
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
use process::{Database, Gateway, Kind, Program, Server};
use report::{Report, Round, json_number};

type Result<T, E = Box<dyn Error + Send + Sync>> = std::result::Result<T, E>;

const RACERS: usize = 100;
const ROWS: usize = 1_000_000;

/// Size of a run.
#[derive(Clone, Copy, Debug)]
struct Extent {
    clients: &'static [usize],
    /// Turns of each program in each case.
    rounds: usize,
    /// Duration of one measurement, and of the warm-up before it.
    measure: Duration,
    warm_up: Duration,
    races: usize,
    reads: usize,
}

const WHOLE: Extent = Extent {
    clients: &[1, 32, 100],
    rounds: 5,
    measure: Duration::from_secs(3),
    warm_up: Duration::from_millis(500),
    races: 10,
    reads: 400,
};
const SHORT: Extent = Extent {
    clients: &[4],
    rounds: 1,
    measure: Duration::from_millis(500),
    warm_up: Duration::from_millis(100),
    races: 1,
    reads: 1,
};

#[tokio::main]
async fn main() -> Result<()> {
    let mut report = Report::new();
    let is_short = std::env::var_os("BENCH_SHORT").is_some();
    let mut extent = if is_short { SHORT } else { WHOLE };
    if let Ok(rounds) = std::env::var("BENCH_ROUNDS") {
        extent.rounds = rounds.parse()?;
    }
    let rows = match std::env::var("BENCH_ROWS") {
        Ok(text) => text.parse()?,
        Err(_) if is_short => 1_000,
        Err(_) => ROWS,
    };
    for rows in BTreeSet::from([0, rows]) {
        measure(Kind::Sqlite, rows, extent, &mut report).await?;
        if std::env::var_os("TEST_POSTGRES_URL").is_some() {
            measure(Kind::Postgres, rows, extent, &mut report).await?;
        } else {
            println!("skipped: PostgreSQL (TEST_POSTGRES_URL is not set)");
        }
    }
    report.finish()
}

async fn measure(kind: Kind, rows: usize, extent: Extent, report: &mut Report) -> Result<()> {
    let mut candidates = Vec::new();
    for program in Program::all() {
        candidates.push(Candidate::start(program, kind, rows).await?);
    }
    println!(
        "{} with {rows} rows, load average {}",
        kind.name(),
        process::load_average()?
    );
    let scene = Scene {
        database: kind.name(),
        rows,
        extent,
    };
    for candidate in &candidates {
        reads(&scene, candidate, report).await?;
    }
    let ways = candidates.iter().map(|candidate| candidate.ways.len());
    for way in 0..ways.min().unwrap_or_default() {
        for &clients in extent.clients {
            let mut rounds = vec![Vec::new(); candidates.len()];
            // Turn by turn, so that a machine that drifts hits all alike.
            for _ in 0..extent.rounds {
                for (candidate, rounds) in candidates.iter().zip(&mut rounds) {
                    rounds.push(round(&scene, candidate, &candidate.ways[way], clients).await?);
                }
            }
            for (candidate, rounds) in candidates.iter().zip(&rounds) {
                let case = (candidate.name, candidate.ways[way].name(), clients);
                report.bookings(&scene, case, rounds);
            }
        }
        for candidate in &candidates {
            race(&scene, candidate, &candidate.ways[way], report).await?;
        }
    }
    for candidate in candidates {
        candidate.stop().await?;
    }
    Ok(())
}

/// Measures one turn of a candidate.
async fn round(scene: &Scene, candidate: &Candidate, way: &Way, clients: usize) -> Result<Round> {
    book_for(candidate, way, clients, scene.extent.warm_up).await?;
    let before = candidate.server.cpu_seconds()?;
    let measured = book_for(candidate, way, clients, scene.extent.measure).await?;
    let cpu = candidate.server.cpu_seconds()? - before;
    if measured.latencies_us.is_empty() {
        let how = measured.failures.example.as_deref().unwrap_or("no call");
        let (name, way) = (candidate.name, way.name());
        return Err(format!("{name} {way}, {clients} clients: nothing was booked ({how})").into());
    }
    // Counts of a few seconds are far below the precision limit of f64.
    let booked = f64::from(u32::try_from(measured.latencies_us.len())?);
    Ok(Round {
        per_second: booked / measured.elapsed.as_secs_f64(),
        p50_ms: milliseconds(&measured.latencies_us, 0.5),
        p99_ms: milliseconds(&measured.latencies_us, 0.99),
        cpu_us: cpu * 1e6 / booked,
        failures: measured.failures.count,
    })
}

/// A program under measurement, with a database of its own.
struct Candidate {
    name: &'static str,
    database: Database,
    server: Server,
    gateway: Option<Gateway>,
    ways: Vec<Way>,
    /// Number of the next patient, who books a distinct seat.
    next: Arc<AtomicUsize>,
    races: AtomicUsize,
}

impl Candidate {
    async fn start(program: Program, kind: Kind, rows: usize) -> Result<Self> {
        let database = Database::create(kind, &program).await?;
        process::migrate(&database).await?;
        stored::fill(&database, rows).await?;
        let server = Server::start(&database).await?;
        let mut ways = vec![Way::Direct(server.address.clone())];
        let gateway = match std::env::var_os("BENCH_GATEWAY") {
            Some(program) => Some(Gateway::start(&PathBuf::from(program), &server).await?),
            None => None,
        };
        ways.extend(
            gateway
                .as_ref()
                .map(|gateway| Way::Gateway(gateway.address.clone())),
        );
        Ok(Self {
            name: program.name,
            database,
            server,
            gateway,
            ways,
            next: Arc::new(AtomicUsize::new(0)),
            races: AtomicUsize::new(0),
        })
    }

    async fn stop(self) -> Result<()> {
        if let Some(gateway) = self.gateway {
            gateway.stop().await?;
        }
        self.server.stop().await?;
        self.database.remove().await
    }
}

/// Conditions of a measurement.
struct Scene {
    database: &'static str,
    rows: usize,
    extent: Extent,
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
    candidate: &Candidate,
    way: &Way,
    clients: usize,
    duration: Duration,
) -> Result<Measured> {
    let callers = connect_all(way, clients).await?;
    let started = Instant::now();
    let tasks: Vec<_> = callers
        .into_iter()
        .map(|caller| {
            let next = Arc::clone(&candidate.next);
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

/// Measures requests for free times over the longest allowed span.
async fn reads(scene: &Scene, candidate: &Candidate, report: &mut Report) -> Result<()> {
    let mut client = candidate.server.connect().await?;
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
    let (database, rows, program) = (scene.database, scene.rows, candidate.name);
    report.add(
        format!("{database:<10} {rows:>7} rows {program:<8} free times of two months  p50 {p50:>6.2} ms  p99 {p99:>6.2} ms"),
        &serde_json::json!({
            "bench": "booking-availability", "database": database, "rows": rows, "program": program, "p50_ms": p50, "p99_ms": p99,
        }),
    );
    Ok(())
}

/// Races: all clients want the same seat at the same moment.
async fn race(scene: &Scene, candidate: &Candidate, way: &Way, report: &mut Report) -> Result<()> {
    let rounds = scene.extent.races;
    let mut walls_ms = Vec::with_capacity(rounds);
    let (mut won, mut taken, mut failed) = (0, 0, Vec::new());
    let mut racers = connect_all(way, RACERS).await?;
    for _ in 0..rounds {
        let first = candidate.next.fetch_add(RACERS, Ordering::Relaxed);
        let number = candidate.races.fetch_add(1, Ordering::Relaxed);
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
    let program = candidate.name;
    failed.truncate(3);
    report.add(
        format!(
            "{database:<10} {rows:>7} rows {program:<8} {way:<7} {RACERS} at once for one seat, {rounds} times: all answered within {median:.0} ms \
             (median), {most:.0} ms (most); {won} won, {taken} taken, other {failed:?}"
        ),
        &serde_json::json!({
            "bench": "booking-race", "database": database, "rows": rows, "program": program, "way": way, "racers": RACERS, "races": rounds,
            "median_ms": json_number(median), "most_ms": json_number(most),
            "won": won, "slot_taken": taken, "other": failed,
        }),
    );
    if won != rounds {
        return Err(
            format!("{database} {program} {way}: {won} won {rounds} races ({failed:?})").into(),
        );
    }
    Ok(())
}

/// Returns the name of a status code for the report.
pub(crate) fn name_of(code: Code) -> String {
    format!("{code:?}")
}
