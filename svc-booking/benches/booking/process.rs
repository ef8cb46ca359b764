//! The database and the real process under measurement.

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
    process::Stdio,
};

use hospital_proto::booking::v1::booking_service_client::BookingServiceClient;
use service_kit::source::{Ids as _, RandomIds};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    process::{Child, Command},
};
use tonic::transport::Channel;

use crate::Result;

const BINARY: &str = env!("CARGO_BIN_EXE_svc-booking");

/// Number of departments in the bench, each with one clinic.
pub(crate) const DEPARTMENTS: usize = 300;
/// Department of the races, with one seat at each time.
pub(crate) const RACE: &str = "Race";
/// Seats of a clinic at each time.
pub(crate) const SEATS: usize = 8;
/// Clock ticks per second in `/proc/<pid>/stat`.
const TICKS_PER_SECOND: f64 = 100.0;

/// Gateway limits on the calls of one address or network.
const LIMITS: [&str; 5] = [
    "--visitor-calls-max",
    "--address-calls-max",
    "--address-writes-max",
    "--creates-ipv4-32-max",
    "--creates-ipv4-24-max",
];

/// Keys of sealed fields. They need no protection: the sealed data is deleted after the bench.
const SEAL_KEYS: &str = r#"
active = "k1"
index_key = "YmVuY2gtaW5kZXgtYmVuY2gtaW5kZXgtYmVuY2gtaW4="
[keys]
k1 = "YmVuY2gtc2VhbC1iZW5jaC1zZWFsLWJlbmNoLXNlYWw="
"#;

/// A program under measurement.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) name: &'static str,
    path: PathBuf,
}

impl Program {
    /// Returns the program of this build, and the baseline if there is one.
    pub(crate) fn all() -> Vec<Self> {
        let baseline = std::env::var_os("BENCH_BASELINE").map(|path| Self {
            name: "baseline",
            path: path.into(),
        });
        let this = Self {
            name: "this",
            path: BINARY.into(),
        };
        baseline.into_iter().chain([this]).collect()
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Sqlite,
    Postgres,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgresql",
        }
    }
}

/// A fresh database of one program, and the bench's resources file.
#[derive(Debug)]
pub(crate) struct Database {
    pub(crate) url: String,
    program: PathBuf,
    folder: TempDir,
    /// Server URL and database name (PostgreSQL only).
    on_server: Option<(String, String)>,
}

impl Database {
    pub(crate) async fn create(kind: Kind, program: &Program) -> Result<Self> {
        let folder = folder()?;
        let (url, on_server) = match kind {
            Kind::Sqlite => {
                let file = folder.path().join("booking.db");
                (format!("sqlite:{}", file.display()), None)
            }
            Kind::Postgres => {
                let server = std::env::var("TEST_POSTGRES_URL")?;
                let name = format!("bench_{}", RandomIds.uuid().simple());
                let create = AssertSqlSafe(format!("CREATE DATABASE {name}"));
                let mut admin = PgConnection::connect(&server).await?;
                sqlx::query(create).execute(&mut admin).await?;
                let (base, _) = server.rsplit_once('/').ok_or("the URL names no database")?;
                (format!("{base}/{name}"), Some((server, name)))
            }
        };
        Ok(Self {
            url,
            program: program.path.clone(),
            folder,
            on_server,
        })
    }

    pub(crate) async fn remove(&self) -> Result<()> {
        if let Some((server, name)) = &self.on_server {
            let remove = AssertSqlSafe(format!("DROP DATABASE {name} WITH (FORCE)"));
            let mut admin = PgConnection::connect(server).await?;
            sqlx::query(remove).execute(&mut admin).await?;
        }
        Ok(())
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args([
                "--listen",
                "127.0.0.1:0",
                "--operators-listen",
                "127.0.0.1:0",
                "--database-url",
                &self.url,
                "--log-filter",
                "warn",
            ])
            .arg("--resources")
            .arg(self.folder.path().join("resources.toml"))
            .env("SEAL_KEYS_FILE", self.folder.path().join("keys.toml"))
            .env("DEVELOPMENT", "true")
            .kill_on_drop(true);
        command
    }
}

/// Creates the folder of the SQLite file and the resources file. It is below the target folder, because a temporary
/// folder may be in memory, where `fsync` costs nothing.
fn folder() -> Result<TempDir> {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    let mut text = String::new();
    let names = (0..DEPARTMENTS).map(|number| (department_name(number), SEATS));
    for (name, seats) in names.chain([(RACE.to_owned(), 1)]) {
        let id = name.to_lowercase().replace(' ', "-");
        writeln!(text, "[[departments]]\nid = \"{id}\"\nname = \"{name}\"")?;
        writeln!(
            text,
            "[[sessions]]\nid = \"{id}\"\ndepartment = \"{id}\"\nname = \"{name}\"\n\
             weekdays = [\"Mon\", \"Tue\", \"Wed\", \"Thu\", \"Fri\", \"Sat\"]\nfrom = \"9:00 AM\"\nuntil = \"1:00 PM\"\nseats = {seats}"
        )?;
    }
    std::fs::write(folder.path().join("resources.toml"), text)?;
    std::fs::write(folder.path().join("keys.toml"), SEAL_KEYS)?;
    Ok(folder)
}

pub(crate) fn department_name(number: usize) -> String {
    format!("Bench {number}")
}

pub(crate) async fn migrate(database: &Database) -> Result<()> {
    let status = database.command().arg("migrate").status().await?;
    if status.success() {
        Ok(())
    } else {
        Err("the schema cannot be made".into())
    }
}

/// Returns the load average of the machine.
pub(crate) fn load_average() -> Result<String> {
    let text = std::fs::read_to_string("/proc/loadavg")?;
    Ok(text.split(' ').take(3).collect::<Vec<_>>().join(" "))
}

async fn listening(command: &mut Command) -> Result<(Child, String)> {
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    let stdout = child.stdout.take().ok_or("no standard output")?;
    let mut lines = BufReader::new(stdout).lines();
    let line = lines.next_line().await?.ok_or("the process ended")?;
    let address = line.strip_prefix("listening on ").ok_or("no address")?;
    Ok((child, address.to_owned()))
}

/// The running service.
#[derive(Debug)]
pub(crate) struct Server {
    child: Child,
    pub(crate) address: String,
}

impl Server {
    pub(crate) async fn start(database: &Database) -> Result<Self> {
        let (child, address) = listening(&mut database.command()).await?;
        Ok(Self { child, address })
    }

    pub(crate) async fn connect(&self) -> Result<BookingServiceClient<Channel>> {
        Ok(BookingServiceClient::connect(format!("http://{}", self.address)).await?)
    }

    /// Returns the processor time that the process has used.
    pub(crate) fn cpu_seconds(&self) -> Result<f64> {
        let pid = self.child.id().ok_or("the process ended")?;
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"))?;
        let (_, after_name) = stat.rsplit_once(')').ok_or("no name")?;
        let ticks: Vec<u32> = after_name
            .split_whitespace()
            .skip(11)
            .take(2)
            .map(str::parse)
            .collect::<Result<_, _>>()?;
        Ok(f64::from(ticks.iter().sum::<u32>()) / TICKS_PER_SECOND)
    }

    pub(crate) async fn stop(mut self) -> Result<()> {
        Ok(self.child.kill().await?)
    }
}

/// The running gateway.
#[derive(Debug)]
pub(crate) struct Gateway {
    child: Child,
    pub(crate) address: String,
}

impl Gateway {
    pub(crate) async fn start(program: &Path, server: &Server) -> Result<Self> {
        let mut command = Command::new(program);
        command
            .args(["--listen", "127.0.0.1:0"])
            .env("OPERATORS_LISTEN", "127.0.0.1:0")
            .args(["--log-filter", "warn", "--api-only"])
            .arg(format!(
                "--upstream=hospital.booking.v1=http://{}",
                server.address
            ))
            .args(["--trusted-hops", "1"])
            // Some limits count all clients of the bench together.
            .args(LIMITS.iter().flat_map(|limit| [limit, "1000000"]))
            .kill_on_drop(true);
        let (child, address) = listening(&mut command).await?;
        Ok(Self { child, address })
    }

    pub(crate) async fn stop(mut self) -> Result<()> {
        Ok(self.child.kill().await?)
    }
}
