//! The gateway beside the services it calls: cached read, uncached read and create, as requests a second, latency and the
//! gateway's processor time, at 64 connections; then the same calls to the same services directly over gRPC.
//!
//! `cargo bench -p gateway --bench api` starts the programs `gateway` and `svc-booking` from the folder of
//! the profile it was built with (which it brings up to date), or from `BENCH_BIN_DIR` as they are. Takes some 40 s. Reads
//! are not traced, as behind a door that samples few of them; creates are. Numbers also go to the file `BENCH_JSON`.

use std::{
    env, fs,
    net::SocketAddr,
    path::{Path, PathBuf},
    process::Stdio,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail, ensure};
use bytes::Bytes;
use futures::future::try_join_all;
use hdrhistogram::Histogram;
use hospital_proto::booking::v1::{
    Appointment, CreateAppointmentRequest, ListAvailabilityRequest, ListDepartmentsRequest,
    booking_service_client::BookingServiceClient,
};
use http::{Request, StatusCode};
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use service_kit::source::{Clock, SystemClock};
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    net::TcpStream,
    process::{Child, Command},
};
use tonic::transport::Channel;

const CONNECTIONS: usize = 64;
const WARM_UP: Duration = Duration::from_secs(1);
const MEASURED: Duration = Duration::from_secs(5);
const START_TIMEOUT: Duration = Duration::from_secs(20);
/// A department has this many seats for a time at least.
const SEATS_PER_TIME: usize = 4;
/// Days ahead that are booked.
const DAYS: i64 = 55;
/// `/proc/<pid>/stat` counts in hundredths of a second.
const TICK_US: u64 = 10_000;

/// A program that ends with the bench.
struct Program {
    child: Child,
    address: SocketAddr,
}

impl Program {
    async fn start(folder: &Path, name: &str, arguments: &[String]) -> Result<Self> {
        let path = folder.join(name);
        ensure!(path.exists(), "{} is not built", path.display());
        let mut child = Command::new(path)
            .args(["--listen=127.0.0.1:0", "--log-filter=warn"])
            .args(arguments)
            .env("OPERATORS_LISTEN", "127.0.0.1:0")
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let out = child.stdout.take().context("its output is piped")?;
        let mut lines = BufReader::new(out).lines();
        let line = tokio::time::timeout(START_TIMEOUT, lines.next_line()).await??;
        let line = line.with_context(|| format!("{name} ended at once"))?;
        let address = line.strip_prefix("listening on ").context("its address")?;
        let address = address.parse()?;
        Ok(Self { child, address })
    }

    /// Processor time used so far, in microseconds.
    fn cpu_us(&self) -> Result<u64> {
        let id = self.child.id().context("it runs")?;
        let stat = fs::read_to_string(format!("/proc/{id}/stat"))?;
        let after_name = stat.rsplit_once(')').context("a name")?.1;
        let fields: Vec<&str> = after_name.split_whitespace().collect();
        let ticks = |at: usize| fields[at].parse::<u64>();
        Ok((ticks(11)? + ticks(12)?) * TICK_US)
    }
}

/// Something that one connection does again and again. Returns false when there is nothing left to do.
trait Work: Send + 'static {
    fn once(&mut self) -> impl Future<Output = Result<bool>> + Send;
}

/// Runs one piece of work per connection, prints what came of it, and gives it as JSON.
async fn measure<W: Work>(
    name: &str,
    work: Vec<W>,
    gateway: Option<&Program>,
) -> Result<serde_json::Value> {
    let started = Instant::now();
    let (from, until) = (started + WARM_UP, started + WARM_UP + MEASURED);
    let tasks = work.into_iter().map(|mut work| {
        tokio::spawn(async move {
            let mut times = Histogram::<u64>::new(3)?;
            loop {
                let begun = Instant::now();
                if begun >= until || !work.once().await? {
                    return anyhow::Ok(times);
                }
                if begun >= from {
                    let elapsed = begun.elapsed().as_micros();
                    times.record(u64::try_from(elapsed)?.max(1))?;
                }
            }
        })
    });
    let tasks: Vec<_> = tasks.collect();
    tokio::time::sleep_until(from.into()).await;
    let cpu_before = gateway.map(Program::cpu_us).transpose()?;
    let mut all = Histogram::<u64>::new(3)?;
    for times in try_join_all(tasks).await? {
        all.add(times?)?;
    }
    let seconds = from.elapsed().as_secs_f64();
    let count = u32::try_from(all.len())?;
    ensure!(count > 0, "{name}: nothing was measured");
    let cpu = match (gateway, cpu_before) {
        (Some(program), Some(before)) => {
            let used = u32::try_from(program.cpu_us()? - before)?;
            Some(f64::from(used) / f64::from(count))
        }
        _ => None,
    };
    let per_second = f64::from(count) / seconds;
    let p50 = millis(all.value_at_quantile(0.5))?;
    let p99 = millis(all.value_at_quantile(0.99))?;
    let shown = cpu.map_or_else(|| "-".to_owned(), |cpu| format!("{cpu:.1}"));
    println!("{name:<34} {per_second:>10.0} {p50:>10.2} {p99:>10.2} {shown:>12}");
    Ok(serde_json::json!({
        "name": name, "requestsPerSecond": per_second, "p50Ms": p50, "p99Ms": p99, "gatewayCpuUs": cpu,
    }))
}

fn millis(micros: u64) -> Result<f64> {
    Ok(f64::from(u32::try_from(micros)?) / 1000.0)
}

/// One HTTP/1.1 connection to the gateway.
struct Http {
    sender: SendRequest<Full<Bytes>>,
    next: Next,
    expected: StatusCode,
}

/// What a connection asks for.
#[derive(Clone)]
enum Next {
    Get(&'static str),
    Create(Arc<Seats>),
}

impl Http {
    async fn connect(address: SocketAddr, next: Next, expected: StatusCode) -> Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let (sender, connection) = handshake(TokioIo::new(stream)).await?;
        tokio::spawn(connection);
        Ok(Self {
            sender,
            next,
            expected,
        })
    }
}

impl Work for Http {
    async fn once(&mut self) -> Result<bool> {
        let request = Request::builder().header("host", "bench");
        let request = match &self.next {
            Next::Get(path) => request.uri(*path).body(Full::default())?,
            Next::Create(seats) => {
                let Some((key, seat)) = seats.take() else {
                    return Ok(false);
                };
                let body = serde_json::json!({
                    "patientName": seat.patient_name, "email": seat.email, "phone": seat.phone,
                    "date": seat.date, "time": seat.time, "department": seat.department,
                });
                request
                    .method("POST")
                    .uri("/api/appointments")
                    .header("content-type", "application/json")
                    .header("x-requested-with", "bench")
                    .header("idempotency-key", key)
                    .body(Full::from(body.to_string()))?
            }
        };
        self.sender.ready().await?;
        let response = self.sender.send_request(request).await?;
        let status = response.status();
        let body = response.into_body().collect().await?.to_bytes();
        if status != self.expected {
            bail!("{status}: {}", String::from_utf8_lossy(&body));
        }
        Ok(true)
    }
}

/// One gRPC connection to the service.
struct Rpc {
    client: BookingServiceClient<Channel>,
    call: RpcCall,
}

#[derive(Clone)]
enum RpcCall {
    Departments,
    Availability,
    Create(Arc<Seats>),
}

impl Work for Rpc {
    async fn once(&mut self) -> Result<bool> {
        match &self.call {
            RpcCall::Departments => {
                let request = ListDepartmentsRequest::default();
                self.client.list_departments(request).await?;
            }
            RpcCall::Availability => {
                let request = ListAvailabilityRequest {
                    department: DEPARTMENT.to_owned(),
                    ..ListAvailabilityRequest::default()
                };
                self.client.list_availability(request).await?;
            }
            RpcCall::Create(seats) => {
                let Some((key, appointment)) = seats.take() else {
                    return Ok(false);
                };
                let request = CreateAppointmentRequest {
                    appointment: Some(appointment),
                    request_id: key,
                };
                self.client.create_appointment(request).await?;
            }
        }
        Ok(true)
    }
}

const DEPARTMENT: &str = "cardiology";
const AVAILABILITY: &str = "/api/availability?department=cardiology";

/// Free times, each to be booked once.
struct Seats {
    free: Vec<Appointment>,
    taken: AtomicUsize,
}

impl Seats {
    /// Every free time of every department.
    async fn find(service: SocketAddr) -> Result<Vec<Appointment>> {
        let mut client = connect(service).await?;
        let departments = client
            .list_departments(ListDepartmentsRequest::default())
            .await?
            .into_inner()
            .departments;
        let today = SystemClock.now().date_naive();
        let mut free = Vec::new();
        for department in departments.into_iter().filter(|d| d.bookable) {
            let request = ListAvailabilityRequest {
                department: department.id.clone(),
                from: today.to_string(),
                to: (today + chrono::Duration::days(DAYS)).to_string(),
                ..ListAvailabilityRequest::default()
            };
            let days = client.list_availability(request).await?.into_inner().days;
            for day in days {
                for slot in day.slots.into_iter().filter(|slot| slot.available) {
                    free.push(Appointment {
                        patient_name: "Bench Visitor".to_owned(),
                        email: "bench@hospital.example".to_owned(),
                        phone: "+91 80 0000 0100".to_owned(),
                        date: day.date.clone(),
                        time: slot.time,
                        department: department.id.clone(),
                        ..Appointment::default()
                    });
                }
            }
        }
        Ok(free)
    }

    fn new(free: Vec<Appointment>) -> Arc<Self> {
        let times = free.len() * SEATS_PER_TIME;
        Arc::new(Self {
            free: free.into_iter().cycle().take(times).collect(),
            taken: AtomicUsize::new(0),
        })
    }

    fn take(&self) -> Option<(String, Appointment)> {
        let at = self.taken.fetch_add(1, Ordering::Relaxed);
        let appointment = self.free.get(at)?.clone();
        let address = std::ptr::from_ref(self).addr();
        Some((format!("bench-{address:016x}-{at:08}"), appointment))
    }
}

async fn connect(service: SocketAddr) -> Result<BookingServiceClient<Channel>> {
    let client = BookingServiceClient::connect(format!("http://{service}")).await?;
    Ok(client)
}

async fn http(gateway: &Program, next: &Next, expected: StatusCode) -> Result<Vec<Http>> {
    let connect = |_| Http::connect(gateway.address, next.clone(), expected);
    try_join_all((0..CONNECTIONS).map(connect)).await
}

async fn rpc(service: &Program, call: &RpcCall) -> Result<Vec<Rpc>> {
    let clients = (0..CONNECTIONS).map(|_| connect(service.address));
    let clients = try_join_all(clients).await?;
    let rpc = |client| Rpc {
        client,
        call: call.clone(),
    };
    Ok(clients.into_iter().map(rpc).collect())
}

/// The folder of the programs, up to date.
async fn folder() -> Result<PathBuf> {
    if let Some(folder) = env::var_os("BENCH_BIN_DIR") {
        return Ok(folder.into());
    }
    // target/<profile>/deps/<this>
    let this = env::current_exe()?;
    let folder = this.parent().and_then(Path::parent);
    let folder = folder.context("a folder for the profile")?.to_owned();
    let profile = match folder.file_name().and_then(|name| name.to_str()) {
        Some("debug") | None => "dev",
        Some(profile) => profile,
    };
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        // The selection that `cargo xtask up` builds, so that nothing is compiled twice with other features.
        .args(["build", "--quiet", "--workspace", "--exclude", "xtask"])
        .args(["--bins", "--profile", profile])
        .status()
        .await?;
    ensure!(built.success(), "the programs could not be built");
    Ok(folder)
}

/// Adds the numbers to the file that `BENCH_JSON` names, beside those of the crate's other benches.
fn keep(results: &[serde_json::Value]) -> Result<()> {
    let Some(path) = env::var_os("BENCH_JSON") else {
        return Ok(());
    };
    let mut all: serde_json::Value = match fs::read(&path) {
        Ok(text) => serde_json::from_slice(&text)?,
        Err(_) => serde_json::json!({}),
    };
    all["api"] = results.into();
    fs::write(path, serde_json::to_vec_pretty(&all)?)?;
    Ok(())
}

#[tokio::main]
async fn main() -> Result<()> {
    let folder = folder().await?;
    let data = tempfile::tempdir()?;
    let database = format!("--database-url=sqlite:{}/booking.db", data.path().display());
    let booking = Program::start(&folder, "svc-booking", &[database]).await?;
    let flags = [
        format!("--upstream=hospital.booking.v1=http://{}", booking.address),
        "--api-only".to_owned(),
        "--trace-read-ratio=0".to_owned(),
        "--visitor-calls-max=1000000".to_owned(),
        "--address-calls-max=1000000".to_owned(),
    ];
    let gateway = Program::start(&folder, "gateway", &flags).await?;

    println!("{CONNECTIONS} connections, {} s each", MEASURED.as_secs());
    println!(
        "{:<34} {:>10} {:>10} {:>10} {:>12}",
        "", "req/s", "p50 ms", "p99 ms", "gateway µs"
    );
    let ok = StatusCode::OK;
    let cached = http(&gateway, &Next::Get("/api/departments"), ok).await?;
    let uncached = http(&gateway, &Next::Get(AVAILABILITY), ok).await?;
    let mut free = Seats::find(booking.address).await?;
    ensure!(!free.is_empty(), "there is nothing to book");
    let half = free.split_off(free.len() / 2);
    let create = Next::Create(Seats::new(free));
    let creates = http(&gateway, &create, StatusCode::CREATED).await?;
    let mut results = vec![
        measure("cached read", cached, Some(&gateway)).await?,
        measure("uncached read", uncached, Some(&gateway)).await?,
        measure("create", creates, Some(&gateway)).await?,
    ];
    let departments = rpc(&booking, &RpcCall::Departments).await?;
    let availability = rpc(&booking, &RpcCall::Availability).await?;
    let creates = rpc(&booking, &RpcCall::Create(Seats::new(half))).await?;
    results.push(measure("cached read, service directly", departments, None).await?);
    results.push(measure("uncached read, service directly", availability, None).await?);
    results.push(measure("create, service directly", creates, None).await?);
    keep(&results)
}
