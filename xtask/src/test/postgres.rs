//! A temporary PostgreSQL server for the tests: free port, empty, removed afterwards.

use std::{
    fs,
    io::ErrorKind,
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use anyhow::{Context, Result, bail, ensure};
use rustix::process::{Pid, Signal, geteuid, kill_process};

use crate::{project::Project, shell};

/// Environment variable with the server's address, for the tests.
pub(crate) const URL_VARIABLE: &str = "TEST_POSTGRES_URL";
/// User that runs the server if xtask runs as root, because PostgreSQL refuses to run as root.
const SYSTEM_USER: &str = "postgres";
/// Store tests of several crates each open a pool of 100 connections.
const CONNECTIONS_MAX: &str = "max_connections=300";
const START_S_MAX: u64 = 60;

/// Returns the folder with `initdb`, `postgres` and `pg_isready`: the one on the PATH, or else the newest installed
/// version.
pub(crate) fn programs() -> Option<PathBuf> {
    let complete = |folder: &Path| {
        ["initdb", "postgres", "pg_isready"]
            .iter()
            .all(|name| folder.join(name).exists())
    };
    let on_path = shell::find_program("initdb")
        .and_then(|program| fs::canonicalize(program).ok())
        .and_then(|program| program.parent().map(Path::to_path_buf));
    let mut installed: Vec<_> = fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
        .map(|version| version.path().join("bin"))
        .collect();
    installed.sort();
    on_path
        .into_iter()
        .chain(installed.into_iter().rev())
        .find(|folder| complete(folder))
}

/// Whether an acknowledged commit is on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Durability {
    /// As in production; for measurements.
    Full,
    /// Without fsync; for tests, whose data is thrown away and need not survive a power failure.
    None,
}

impl Durability {
    fn flags(self) -> &'static [&'static str] {
        match self {
            Self::Full => &[],
            Self::None => &["-c", "fsync=off"],
        }
    }
}

/// A running server. Dropping it stops it and removes its data.
#[derive(Debug)]
pub(crate) struct Server {
    child: Child,
    folder: PathBuf,
    port: u16,
}

impl Server {
    pub(crate) fn start(project: &Project, durability: Durability) -> Result<Self> {
        let programs = programs().context("PostgreSQL is not installed")?;
        let folder = data_folder(project)?;
        let initialise = [
            "--username=hospital",
            "--auth=trust",
            "--encoding=UTF8",
            "--locale=C",
            "--no-sync",
        ];
        let mut initdb = as_server_user(&programs.join("initdb"));
        shell::capture(initdb.arg("-D").arg(&folder).args(initialise))?;
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let log = fs::File::create(project.target.join("test-postgres.log"))?;
        let child = as_server_user(&programs.join("postgres"))
            .arg("-D")
            .arg(&folder)
            .args(["-p", &port.to_string()])
            .args([
                "-c",
                "listen_addresses=127.0.0.1",
                "-c",
                "unix_socket_directories=",
            ])
            .args(["-c", CONNECTIONS_MAX])
            .args(durability.flags())
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()
            .context("cannot start postgres")?;
        let mut server = Self {
            child,
            folder,
            port,
        };
        let ready = programs.join("pg_isready");
        let found = shell::poll(Duration::from_secs(START_S_MAX), || server.state(&ready));
        match found {
            Some(true) => Ok(server),
            Some(false) => bail!("postgres ended at once; see target/test-postgres.log"),
            None => bail!(
                "postgres does not answer after {START_S_MAX} s; see target/test-postgres.log"
            ),
        }
    }

    /// Returns the address of the administration database; every test creates its own database on the same server.
    pub(crate) fn url(&self) -> String {
        format!("postgres://hospital@127.0.0.1:{}/postgres", self.port)
    }

    /// Returns `Some(true)` if the server accepts connections, `Some(false)` if it has exited, `None` if it is not
    /// ready yet.
    fn state(&mut self, ready: &Path) -> Option<bool> {
        if !matches!(self.child.try_wait(), Ok(None)) {
            return Some(false);
        }
        let port = self.port.to_string();
        let asked =
            shell::capture(Command::new(ready).args(["-q", "-h", "127.0.0.1", "-p", &port]));
        asked.is_ok().then_some(true)
    }

    fn stop(&mut self) -> Result<()> {
        // The child may be `runuser`, but the server writes its own pid to this file.
        match fs::read_to_string(self.folder.join("postmaster.pid")) {
            Ok(text) => {
                let pid = text
                    .lines()
                    .next()
                    .and_then(|line| line.trim().parse().ok());
                let pid = pid.and_then(Pid::from_raw);
                // SIGINT is PostgreSQL's fast shutdown: open connections are closed.
                kill_process(pid.context("postmaster.pid names no process")?, Signal::INT)?;
            }
            // The server has already stopped, because it received Ctrl-C, too.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error.into()),
        }
        self.child.wait()?;
        Ok(fs::remove_dir_all(&self.folder)?)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Err(error) = self.stop() {
            eprintln!("cannot stop the PostgreSQL of the tests: {error:#}");
        }
    }
}

/// Creates an empty folder owned by the server's user: below target, or in the system's temporary folder if that user
/// cannot access target.
fn data_folder(project: &Project) -> Result<PathBuf> {
    let name = format!("test-postgres-{}", std::process::id());
    if !geteuid().is_root() {
        let folder = project.target.join(name);
        fs::create_dir_all(&folder)?;
        return Ok(folder);
    }
    let user = shell::capture(Command::new("id").args(["-u", SYSTEM_USER]))?;
    let user = user.trim().parse().context("`id -u` prints a number")?;
    fs::create_dir_all(&project.target)?;
    let reachable = shell::capture(
        as_server_user(Path::new("test"))
            .arg("-x")
            .arg(&project.target),
    );
    let parent = if reachable.is_ok() {
        project.target.clone()
    } else {
        std::env::temp_dir()
    };
    let folder = parent.join(name);
    ensure!(!folder.exists(), "{} is there already", folder.display());
    fs::create_dir(&folder)?;
    std::os::unix::fs::chown(&folder, Some(user), None)?;
    Ok(folder)
}

fn as_server_user(program: &Path) -> Command {
    // Runs in `/`, a folder that the user can certainly enter.
    if geteuid().is_root() {
        let mut command = shell::command(Path::new("/"), "runuser", ["-u", SYSTEM_USER, "--"]);
        command.arg(program);
        command
    } else {
        shell::command(Path::new("/"), program, std::iter::empty::<&str>())
    }
}
