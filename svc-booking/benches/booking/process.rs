//! The database and the real process that is measured.

use std::{
    fmt::Write as _,
    process::Stdio,
    time::{Duration, Instant},
};

use service_kit::source::{Ids as _, RandomIds};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    process::{Child, Command},
};

use crate::{Client, DEPARTMENTS, Result};

const BINARY: &str = env!("CARGO_BIN_EXE_svc-booking");

/// Keys of sealed fields. They are no secret: what they seal is thrown away with the bench.
const SEAL_KEYS: &str = r#"
active = "k1"
index_key = "YmVuY2gtaW5kZXgtYmVuY2gtaW5kZXgtYmVuY2gtaW4="
[keys]
k1 = "YmVuY2gtc2VhbC1iZW5jaC1zZWFsLWJlbmNoLXNlYWw="
"#;

/// A fresh database, and the resources file of the bench.
#[derive(Debug)]
pub(crate) struct Database {
    pub(crate) name: &'static str,
    url: String,
    folder: TempDir,
    /// The server's URL and the name of the database on it.
    on_server: Option<(String, String)>,
}

impl Database {
    pub(crate) fn sqlite() -> Result<Self> {
        let folder = folder()?;
        let url = format!("sqlite:{}", folder.path().join("booking.db").display());
        Ok(Self {
            name: "sqlite",
            url,
            folder,
            on_server: None,
        })
    }

    pub(crate) async fn postgres() -> Result<Option<Self>> {
        let Ok(server) = std::env::var("TEST_POSTGRES_URL") else {
            return Ok(None);
        };
        let name = format!("bench_{}", RandomIds.uuid().simple());
        let create = AssertSqlSafe(format!("CREATE DATABASE {name}"));
        let mut admin = PgConnection::connect(&server).await?;
        sqlx::query(create).execute(&mut admin).await?;
        let (base, _) = server.rsplit_once('/').ok_or("the URL names no database")?;
        Ok(Some(Self {
            name: "postgresql",
            url: format!("{base}/{name}"),
            folder: folder()?,
            on_server: Some((server, name)),
        }))
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
        let mut command = Command::new(BINARY);
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
            .kill_on_drop(true);
        command
    }
}

/// Where the SQLite file and the resources are. Below the target folder: a folder for temporary files may
/// be memory, where an `fsync` costs nothing.
fn folder() -> Result<TempDir> {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    let mut text = String::from("capacity_per_slot = 1\n");
    for number in 0..DEPARTMENTS {
        let name = department_name(number);
        let id = name.to_lowercase().replace(' ', "-");
        writeln!(text, "[[departments]]\nid = \"{id}\"\nname = \"{name}\"")?;
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

/// The running process.
#[derive(Debug)]
pub(crate) struct Server {
    child: Child,
    address: String,
    /// From the start of the process until it said that it listens.
    pub(crate) start_up: Duration,
}

impl Server {
    pub(crate) async fn start(database: &Database) -> Result<Self> {
        let started = Instant::now();
        let mut child = database.command().stdout(Stdio::piped()).spawn()?;
        let stdout = child.stdout.take().ok_or("no standard output")?;
        let line = BufReader::new(stdout)
            .lines()
            .next_line()
            .await?
            .ok_or("the process ended")?;
        let start_up = started.elapsed();
        let address = line
            .strip_prefix("listening on ")
            .ok_or("no address")?
            .to_owned();
        Ok(Self {
            child,
            address,
            start_up,
        })
    }

    pub(crate) async fn connect(&self) -> Result<Client> {
        Ok(Client::connect(format!("http://{}", self.address)).await?)
    }

    /// A line of the kernel's account of the process, in MiB.
    pub(crate) fn resident_mib(&self, line: &str) -> Result<f64> {
        let pid = self.child.id().ok_or("the process ended")?;
        let status = std::fs::read_to_string(format!("/proc/{pid}/status"))?;
        let kib = status
            .lines()
            .find_map(|text| text.strip_prefix(line)?.strip_prefix(':'))
            .and_then(|rest| rest.split_whitespace().next())
            .ok_or("no such line")?;
        Ok(kib.parse::<f64>()? / 1024.0)
    }

    pub(crate) async fn stop(mut self) -> Result<()> {
        Ok(self.child.kill().await?)
    }
}
