//! The services behind every peer: the programs themselves, on fresh databases.

use std::{
    fmt::Write as _,
    fs,
    net::SocketAddr,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, Result, ensure};
use hospital_proto::booking::v1::booking_service_client::BookingServiceClient;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::timeout,
};
use tonic::transport::Channel;

use crate::program::{Core, Program};

/// Departments of the bench, each with a clinic.
pub(crate) const DEPARTMENTS: usize = 100;
/// Seats of a clinic at one time: with 41 days at least, 1.1 million bookings.
pub(crate) const SEATS: usize = 16;
/// Times of a day, and how many of them are before noon's break: from 9:00 AM and from 2:00 PM on.
pub(crate) const TIMES: usize = 18;
pub(crate) const MORNING: usize = 8;
const METRICS_TIMEOUT: Duration = Duration::from_secs(5);
/// Counts the calls that a service has answered, one line for each RPC and status.
const CALLS: &str = "rpc_server_duration_seconds_count";

/// Keys of sealed fields. They are no secret: what they seal is thrown away with the bench.
const SEAL_KEYS: &str = r#"
active = "k1"
index_key = "YmVuY2gtaW5kZXgtYmVuY2gtaW5kZXgtYmVuY2gtaW4="
[keys]
k1 = "YmVuY2gtc2VhbC1iZW5jaC1zZWFsLWJlbmNoLXNlYWw="
"#;

/// Connects to the booking service.
pub(crate) async fn client(service: SocketAddr) -> Result<BookingServiceClient<Channel>> {
    Ok(BookingServiceClient::connect(format!("http://{service}")).await?)
}

pub(crate) fn department_id(number: usize) -> String {
    format!("bench-{number}")
}

pub(crate) fn department_name(number: usize) -> String {
    format!("Bench {number}")
}

#[derive(Debug)]
pub(crate) struct Service {
    pub(crate) program: Program,
    pub(crate) address: SocketAddr,
    operators: SocketAddr,
}

#[derive(Debug)]
pub(crate) struct Services {
    pub(crate) booking: Service,
    /// Behind the pages.
    pub(crate) content: Service,
}

impl Services {
    pub(crate) async fn start(programs: &Path, folder: &Path) -> Result<Self> {
        let resources = folder.join("resources.toml");
        fs::write(&resources, departments()?)?;
        fs::write(folder.join("keys.toml"), SEAL_KEYS)?;
        let more = format!("--resources={}", resources.display());
        Ok(Self {
            booking: Service::start(programs, "svc-booking", &[more], folder).await?,
            content: Service::start(programs, "svc-content", &[], folder).await?,
        })
    }
}

fn departments() -> Result<String> {
    let mut text = String::new();
    for number in 0..DEPARTMENTS {
        let (id, name) = (department_id(number), department_name(number));
        writeln!(text, "[[departments]]\nid = \"{id}\"\nname = \"{name}\"")?;
        writeln!(
            text,
            "[[sessions]]\nid = \"{id}\"\ndepartment = \"{id}\"\nname = \"{name}\"\n\
             weekdays = [\"Mon\", \"Tue\", \"Wed\", \"Thu\", \"Fri\", \"Sat\"]\nfrom = \"9:00 AM\"\nuntil = \"7:00 PM\"\nseats = {SEATS}"
        )?;
    }
    Ok(text)
}

impl Service {
    async fn start(programs: &Path, name: &str, more: &[String], folder: &Path) -> Result<Self> {
        let database = folder.join(format!("{name}.db"));
        let mut arguments = vec![
            "--listen=127.0.0.1:0".to_owned(),
            "--operators-listen=127.0.0.1:0".to_owned(),
            "--log-filter=warn".to_owned(),
            format!("--database-url=sqlite:{}", database.display()),
        ];
        arguments.extend_from_slice(more);
        let keys: PathBuf = folder.join("keys.toml");
        let environment = [
            ("SEAL_KEYS_FILE", keys.display().to_string()),
            ("DEVELOPMENT", "true".to_owned()),
        ];
        let program = programs.join(name);
        let started = Program::start(
            name,
            Core::Others,
            &program,
            arguments,
            &environment,
            folder,
        );
        let mut program = started?;
        let prefixes = ["listening on ", "operators on "];
        let [address, operators] = program.announced(prefixes).await?;
        Ok(Self {
            program,
            address,
            operators,
        })
    }

    /// RPCs answered since the start, whatever came of them.
    pub(crate) async fn calls(&self) -> Result<u64> {
        let ask = async {
            let mut stream = TcpStream::connect(self.operators).await?;
            let request = format!(
                "GET /metrics HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n",
                self.operators
            );
            stream.write_all(request.as_bytes()).await?;
            let mut text = String::new();
            stream.read_to_string(&mut text).await?;
            anyhow::Ok(text)
        };
        let text = timeout(METRICS_TIMEOUT, ask).await??;
        ensure!(
            text.starts_with("HTTP/1.1 200"),
            "the service has no metrics"
        );
        let counts = text.lines().filter(|line| line.starts_with(CALLS));
        let counts = counts.filter_map(|line| line.rsplit_once(' ')?.1.parse::<u64>().ok());
        counts
            .reduce(|sum, count| sum + count)
            .with_context(|| format!("the service has no {CALLS}"))
    }
}
