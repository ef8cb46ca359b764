//! Starts processes, watches their readiness and exit, and stops them gracefully.

use std::{
    collections::VecDeque,
    fs::{self, File},
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, kill_process};
use signal_hook::{
    consts::{SIGINT, SIGTERM},
    iterator::Signals,
};

/// Maximum time from a process's start until it listens, in seconds.
const READY_S_MAX: u64 = 60;
/// Maximum time from SIGTERM until a process is killed, in seconds; the gateway drains for 10 s.
const STOP_S_MAX: u64 = 15;
/// Number of log lines shown when a process dies.
const LAST_LINES: usize = 15;

/// An event from a process, a file watcher or a signal.
#[derive(Debug)]
pub(crate) enum Event {
    /// The process accepts connections; `addresses` is the text after `listening on `.
    Ready {
        name: String,
        addresses: String,
    },
    Exited {
        name: String,
        status: ExitStatus,
    },
    /// Any other line of standard output.
    Line {
        name: String,
        text: String,
    },
    /// A source file was saved. Sent by a file watcher through [`Supervisor::sender`].
    Saved,
    /// SIGINT or SIGTERM.
    Signal,
}

#[derive(Debug)]
struct Process {
    name: String,
    pid: Pid,
    log: PathBuf,
    running: bool,
}

/// The processes of one run, in start order. Dropping it stops them.
#[derive(Debug)]
pub(crate) struct Supervisor {
    processes: Vec<Process>,
    sender: Sender<Event>,
    events: Receiver<Event>,
    /// Events received while waiting for another event; returned first by `next` and `next_before`.
    deferred: VecDeque<Event>,
}

impl Supervisor {
    /// Creates a supervisor. From now on, Ctrl-C and SIGTERM are handled as events.
    pub(crate) fn new() -> Result<Self> {
        let (sender, events) = channel();
        let mut signals = Signals::new([SIGINT, SIGTERM])?;
        let forward = sender.clone();
        thread::spawn(move || {
            for _ in signals.forever() {
                if forward.send(Event::Signal).is_err() {
                    return;
                }
            }
        });
        Ok(Self {
            processes: Vec::new(),
            sender,
            events,
            deferred: VecDeque::new(),
        })
    }

    /// Returns a sender for events that do not come from the processes.
    pub(crate) fn sender(&self) -> Sender<Event> {
        self.sender.clone()
    }

    /// Starts a process, replacing an ended one of the same name. Its stderr goes to `log`; its stdout is watched for
    /// the `listening on` line.
    pub(crate) fn start(&mut self, name: &str, command: &mut Command, log: &Path) -> Result<()> {
        use std::os::unix::process::CommandExt as _;
        if let Some(folder) = log.parent() {
            fs::create_dir_all(folder)?;
        }
        let log_file =
            File::create(log).with_context(|| format!("cannot write {}", log.display()))?;
        // A separate process group: Ctrl-C reaches only xtask, which stops the processes in the right order.
        let child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log_file)
            .process_group(0)
            .spawn()
            .with_context(|| format!("cannot start {}", command.get_program().display()))?;
        let pid = Pid::from_child(&child);
        let events = self.sender.clone();
        let watched = name.to_owned();
        thread::spawn(move || watch(&watched, child, &events));
        self.processes
            .retain(|process| process.running || process.name != name);
        self.processes.push(Process {
            name: name.to_owned(),
            pid,
            log: log.to_path_buf(),
            running: true,
        });
        Ok(())
    }

    /// Waits until all these processes listen, and returns their addresses in the same order.
    /// Fails if one of them exits, if one does not listen within 60 s, or on a signal.
    pub(crate) fn wait_ready(&mut self, names: &[&str]) -> Result<Vec<String>> {
        let end = Instant::now() + Duration::from_secs(READY_S_MAX);
        let mut addresses = vec![None; names.len()];
        while addresses.iter().any(Option::is_none) {
            match self.next_until(end) {
                Some(Event::Ready {
                    name,
                    addresses: text,
                }) => {
                    if let Some(index) = names.iter().position(|wanted| *wanted == name) {
                        addresses[index] = Some(text);
                    }
                }
                Some(Event::Exited { name, status }) if names.contains(&name.as_str()) => {
                    bail!(
                        "{name} ended with {status} before it listened\n{}",
                        self.last_lines(&name)
                    )
                }
                Some(Event::Exited { name, status }) => {
                    eprintln!("{name} ended with {status}\n{}", self.last_lines(&name));
                }
                Some(Event::Signal) => bail!("stopped while starting"),
                Some(event) => self.deferred.push_back(event),
                None => {
                    let silent: Vec<_> = names
                        .iter()
                        .zip(&addresses)
                        .filter(|(_, address)| address.is_none())
                        .map(|(name, _)| format!("{name}\n{}", self.last_lines(name)))
                        .collect();
                    bail!("not listening after {READY_S_MAX} s: {}", silent.join("\n"))
                }
            }
        }
        Ok(addresses.into_iter().flatten().collect())
    }

    /// Waits for the next event, without a time limit.
    pub(crate) fn next(&mut self) -> Option<Event> {
        if let Some(event) = self.deferred.pop_front() {
            return Some(event);
        }
        let event = self.events.recv().ok()?;
        self.note(&event);
        Some(event)
    }

    /// Waits for the next event until `end`.
    pub(crate) fn next_before(&mut self, end: Instant) -> Option<Event> {
        self.deferred.pop_front().or_else(|| self.next_until(end))
    }

    fn next_until(&mut self, end: Instant) -> Option<Event> {
        let left = end.saturating_duration_since(Instant::now());
        let event = match self.events.recv_timeout(left) {
            Ok(event) => event,
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return None,
        };
        self.note(&event);
        Some(event)
    }

    fn note(&mut self, event: &Event) {
        if let Event::Exited { name, .. } = event {
            for process in &mut self.processes {
                if process.name == *name {
                    process.running = false;
                }
            }
        }
    }

    /// Returns the names and pids of the running processes.
    pub(crate) fn pids(&self) -> Vec<(&str, Pid)> {
        let running = self.processes.iter().filter(|process| process.running);
        running
            .map(|process| (process.name.as_str(), process.pid))
            .collect()
    }

    /// Returns the end of a process's log.
    pub(crate) fn last_lines(&self, name: &str) -> String {
        let Some(process) = self.processes.iter().find(|process| process.name == name) else {
            return String::new();
        };
        let text = fs::read(&process.log).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let lines: Vec<_> = text.lines().collect();
        let last = &lines[lines.len().saturating_sub(LAST_LINES)..];
        format!(
            "last lines of {}:\n  {}",
            process.log.display(),
            last.join("\n  ")
        )
    }

    /// Stops all processes in reverse start order: no process loses a dependency while it runs.
    pub(crate) fn stop(&mut self) {
        while let Some(index) = self.processes.iter().rposition(|process| process.running) {
            self.stop_at(index);
        }
    }

    /// Stops one process and leaves the others running.
    pub(crate) fn stop_one(&mut self, name: &str) {
        let is_it = |process: &Process| process.running && process.name == name;
        if let Some(index) = self.processes.iter().position(is_it) {
            self.stop_at(index);
        }
    }

    pub(crate) fn is_running(&self, name: &str) -> bool {
        self.pids().iter().any(|(running, _)| *running == name)
    }

    fn stop_at(&mut self, index: usize) {
        let (name, pid) = (
            self.processes[index].name.clone(),
            self.processes[index].pid,
        );
        signal(&name, pid, Signal::TERM);
        if !self.wait_exit(index) {
            eprintln!("{name} did not stop within {STOP_S_MAX} s and is killed");
            signal(&name, pid, Signal::KILL);
            self.wait_exit(index);
        }
        self.processes[index].running = false;
    }

    fn wait_exit(&mut self, index: usize) -> bool {
        let end = Instant::now() + Duration::from_secs(STOP_S_MAX);
        while self.processes[index].running {
            match self.next_until(end) {
                None => return false,
                // The expected exit; `next_until` has recorded it.
                Some(Event::Exited { name, .. }) if name == self.processes[index].name => {}
                Some(event) => self.deferred.push_back(event),
            }
        }
        true
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        self.stop();
    }
}

fn signal(name: &str, pid: Pid, signal: Signal) {
    if let Err(error) = kill_process(pid, signal) {
        eprintln!("cannot signal {name}: {error}");
    }
}

/// Reads a process's output to its end, then waits for its exit status.
fn watch(name: &str, mut child: Child, events: &Sender<Event>) {
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            let name = name.to_owned();
            let event = match line.strip_prefix("listening on ") {
                Some(addresses) => Event::Ready {
                    name,
                    addresses: addresses.trim().to_owned(),
                },
                None => Event::Line { name, text: line },
            };
            if events.send(event).is_err() {
                break;
            }
        }
    }
    match child.wait() {
        // Fails if the run has ended and the receiver is dropped.
        Ok(status) => {
            let name = name.to_owned();
            drop(events.send(Event::Exited { name, status }));
        }
        Err(error) => eprintln!("cannot wait for {name}: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn a_listening_process_is_ready_and_stops_on_request() {
        let folder = tempfile::tempdir().unwrap();
        let mut supervisor = Supervisor::new().unwrap();
        let mut command = shell("echo listening on 127.0.0.1:1; exec tail -f /dev/null");
        supervisor
            .start("good", &mut command, &folder.path().join("good.log"))
            .unwrap();
        assert_eq!(supervisor.wait_ready(&["good"]).unwrap(), ["127.0.0.1:1"]);
        assert_eq!(supervisor.pids().len(), 1);
        supervisor.stop();
        assert!(supervisor.pids().is_empty());
    }

    #[test]
    fn restarts_one_process_and_keeps_pending_events() {
        let folder = tempfile::tempdir().unwrap();
        let mut supervisor = Supervisor::new().unwrap();
        let log = folder.path().join("one.log");
        let script = "echo listening on 127.0.0.1:1; exec tail -f /dev/null";
        for name in ["one", "other"] {
            supervisor.start(name, &mut shell(script), &log).unwrap();
        }
        supervisor.wait_ready(&["one", "other"]).unwrap();
        supervisor.sender().send(Event::Saved).unwrap();
        supervisor.stop_one("one");
        assert!(!supervisor.is_running("one") && supervisor.is_running("other"));
        let again = "echo hello; echo listening on 127.0.0.1:2; exec tail -f /dev/null";
        supervisor.start("one", &mut shell(again), &log).unwrap();
        assert_eq!(supervisor.wait_ready(&["one"]).unwrap(), ["127.0.0.1:2"]);
        assert_eq!(supervisor.pids().len(), 2);
        assert!(matches!(supervisor.next(), Some(Event::Saved)));
        let Some(Event::Line { name, text }) = supervisor.next() else {
            panic!("it said hello");
        };
        assert_eq!((name.as_str(), text.as_str()), ("one", "hello"));
        assert!(supervisor.next_before(Instant::now()).is_none());
    }

    #[test]
    fn a_process_that_dies_is_reported_with_its_last_lines() {
        let folder = tempfile::tempdir().unwrap();
        let mut supervisor = Supervisor::new().unwrap();
        let mut command = shell("echo no disk left >&2; exit 3");
        supervisor
            .start("bad", &mut command, &folder.path().join("bad.log"))
            .unwrap();
        let error = supervisor.wait_ready(&["bad"]).unwrap_err().to_string();
        assert!(error.contains("exit status: 3"), "{error}");
        assert!(error.contains("no disk left"), "{error}");
    }
}
