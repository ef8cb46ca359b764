//! Programs on a core of their choice, which end with the bench.

use std::{
    ffi::OsStr,
    fs,
    net::{Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use anyhow::{Context, Result, bail, ensure};
use tokio::{
    io::{AsyncBufReadExt as _, BufReader, Lines},
    net::{TcpListener, TcpStream},
    process::{Child, ChildStdout, Command},
    time::{Instant, timeout},
};

pub(crate) const PINNED: &str =
    "core 0: the peer alone; core 1: services, Redis, collector of spans and the load";
const START_TIMEOUT: Duration = Duration::from_secs(30);
/// Of a program's log, in an error.
const LOG_LINES: usize = 15;
const POLL: Duration = Duration::from_millis(20);
/// `/proc/<pid>/stat` counts in hundredths of a second.
const TICK: Duration = Duration::from_millis(10);

/// Where a program runs.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Core {
    Peer,
    Others,
}

impl Core {
    fn number(self) -> &'static str {
        match self {
            Self::Peer => "0",
            Self::Others => "1",
        }
    }
}

/// The load runs where the services do. Threads that are started later inherit it.
pub(crate) fn pin_this_process() -> Result<()> {
    let pid = std::process::id().to_string();
    let pinned = std::process::Command::new("taskset")
        .args(["--pid", "--cpu-list", Core::Others.number(), &pid])
        .stdout(Stdio::null())
        .status()
        .context("taskset (Debian package util-linux)")?;
    ensure!(pinned.success(), "two cores required: {pinned}");
    Ok(())
}

/// What the kernel says of how busy the machine is, over 1, 5 and 15 minutes.
pub(crate) fn sum_of_load() -> Result<String> {
    let text = fs::read_to_string("/proc/loadavg")?;
    Ok(text.split(' ').take(3).collect::<Vec<_>>().join(" "))
}

/// A port that nobody has, for programs that cannot take port 0.
pub(crate) async fn free_port() -> Result<SocketAddr> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    Ok(listener.local_addr()?)
}

#[derive(Debug)]
pub(crate) struct Program {
    name: String,
    /// Killed when dropped. No program of the bench has children.
    child: Child,
    log: PathBuf,
}

impl Program {
    /// Starts `program`; what it says on standard error goes to `<folder>/<name>.log`.
    pub(crate) fn start<A: AsRef<OsStr>>(
        name: &str,
        core: Core,
        program: &Path,
        arguments: impl IntoIterator<Item = A>,
        environment: &[(&str, String)],
        folder: &Path,
    ) -> Result<Self> {
        ensure!(program.exists(), "{} does not exist", program.display());
        // It runs in another folder. Links stay: some programs are told by their name what to be.
        let program = std::path::absolute(program)?;
        let log = folder.join(format!("{name}.log"));
        let child = Command::new("taskset")
            .args(["--cpu-list", core.number()])
            .arg(program)
            .args(arguments)
            .env_clear()
            .envs(environment.iter().map(|(name, value)| (name, value)))
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(fs::File::create(&log)?)
            .kill_on_drop(true)
            .spawn()
            .with_context(|| format!("cannot start {name}"))?;
        let name = name.to_owned();
        Ok(Self { name, child, log })
    }

    /// Process id: `taskset` becomes the program.
    pub(crate) fn pid(&self) -> Result<u32> {
        self.child
            .id()
            .with_context(|| format!("{} has ended", self.name))
    }

    /// User and system time of all threads since the start.
    pub(crate) fn cpu(&self) -> Result<Duration> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.pid()?))?;
        let (_, after_name) = stat.rsplit_once(')').context("a name")?;
        let ticks: Vec<u32> = after_name
            .split_whitespace()
            .skip(11)
            .take(2)
            .map(str::parse)
            .collect::<Result<_, _>>()?;
        Ok(TICK * ticks.iter().sum())
    }

    /// Resident memory in KiB.
    pub(crate) fn resident_kib(&self) -> Result<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.pid()?))?;
        let resident = status.lines().find_map(|line| {
            let kib = line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB")?;
            kib.parse().ok()
        });
        resident.context("/proc contains the resident memory")
    }

    /// Waits until somebody listens, or the program has ended.
    pub(crate) async fn listens(&mut self, address: SocketAddr) -> Result<()> {
        let lines = self.output()?;
        tokio::spawn(read_on(lines));
        let end = Instant::now() + START_TIMEOUT;
        while TcpStream::connect(address).await.is_err() {
            if let Some(status) = self.child.try_wait()? {
                bail!("{} ended with {status}: {}", self.name, self.log());
            }
            ensure!(Instant::now() < end, "{} does not listen", self.name);
            tokio::time::sleep(POLL).await;
        }
        Ok(())
    }

    /// Reads what the program says of its addresses: what follows each of the prefixes, in their order. Then goes on reading, so
    /// that the program can go on talking.
    pub(crate) async fn announced<const N: usize>(
        &mut self,
        prefixes: [&str; N],
    ) -> Result<[SocketAddr; N]> {
        let mut lines = self.output()?;
        let mut found = [SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0)); N];
        for (prefix, address) in prefixes.into_iter().zip(&mut found) {
            let read = async {
                while let Some(line) = lines.next_line().await? {
                    if let Some(text) = line.strip_prefix(prefix) {
                        return Ok(text.trim().parse()?);
                    }
                }
                bail!("{} did not print `{prefix}`: {}", self.name, self.log())
            };
            *address = timeout(START_TIMEOUT, read).await??;
        }
        tokio::spawn(read_on(lines));
        Ok(found)
    }

    fn output(&mut self) -> Result<Lines<BufReader<ChildStdout>>> {
        let output = self.child.stdout.take();
        Ok(BufReader::new(output.context("its output is read once")?).lines())
    }

    /// The end of what it said on standard error.
    fn log(&self) -> String {
        let text = fs::read(&self.log).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let lines: Vec<_> = text.lines().collect();
        lines[lines.len().saturating_sub(LOG_LINES)..].join("\n")
    }
}

/// A program whose output nobody reads would stop, or end.
async fn read_on(mut lines: Lines<BufReader<ChildStdout>>) {
    while let Ok(Some(_)) = lines.next_line().await {}
}
