//! Processes that another command has started, as found in /proc.

use std::{fs, os::unix::ffi::OsStrExt as _, process::Command, time::Duration};

use anyhow::{Context as _, Result, ensure};
use rustix::process::{Pid, Signal, kill_process};

use crate::{
    project::Project,
    shell,
    site::{self, Listener},
};

/// Maximum time for a process to exit, in seconds; a service first finishes the requests in flight.
const STOP_S_MAX: u64 = 15;

/// Returns whether a process runs in the root of this working copy, as all programs of its site do.
pub(super) fn is_of(project: &Project, pid: u32) -> bool {
    let here = project.root.canonicalize();
    let there = fs::read_link(format!("/proc/{pid}/cwd"));
    matches!((here, there), (Ok(here), Ok(there)) if here == there)
}

/// Returns the command that restarts a process with the same program, arguments, environment and folder.
pub(super) fn command_of(project: &Project, pid: u32) -> Result<Command> {
    let read = |what: &str| fs::read(format!("/proc/{pid}/{what}"));
    let line = read("cmdline").context("the process has ended")?;
    let mut words = words(&line);
    let program = words.next().context("the process has ended")?;
    let mut command = Command::new(program);
    command.args(words).env_clear().current_dir(&project.root);
    for variable in self::words(&read("environ")?) {
        let text = variable.as_bytes();
        if let Some(at) = text.iter().position(|byte| *byte == b'=') {
            let (name, value) = (&text[..at], &text[at + 1..]);
            command.env(
                std::ffi::OsStr::from_bytes(name),
                std::ffi::OsStr::from_bytes(value),
            );
        }
    }
    Ok(command)
}

/// Splits a command line or environment from the kernel, a sequence of NUL-terminated strings.
fn words(bytes: &[u8]) -> impl Iterator<Item = &std::ffi::OsStr> {
    let bytes = bytes.strip_suffix(b"\0").unwrap_or(bytes);
    bytes
        .split(|byte| *byte == 0)
        .map(std::ffi::OsStr::from_bytes)
}

/// Stops a process and waits until its port is free.
pub(super) fn stop(listener: &Listener, port: u16) -> Result<()> {
    let pid = i32::try_from(listener.pid).ok().and_then(Pid::from_raw);
    kill_process(pid.context("a pid")?, Signal::TERM)?;
    let is_free = || site::listener_of(port).is_none().then_some(());
    let stopped = shell::poll(Duration::from_secs(STOP_S_MAX), is_free);
    ensure!(
        stopped.is_some(),
        "{listener} did not stop within {STOP_S_MAX} s"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::{
        io::{BufRead as _, BufReader},
        process::Stdio,
    };

    use super::*;

    #[test]
    fn restarts_a_process_with_the_same_settings() {
        let project = Project::find().unwrap();
        let script = "echo \"$0 $ONE $(pwd)\"; read line; :";
        let mut child = Command::new("sh")
            .args(["-c", script, "two words"])
            .env("ONE", "a=b")
            .current_dir(&project.root)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut said)
            .unwrap();
        assert!(is_of(&project, child.id()));
        let mut again = command_of(&project, child.id()).unwrap();
        drop(child.stdin.take());
        child.wait().unwrap();
        assert!(!is_of(&project, child.id()));
        let output = again.stdin(Stdio::null()).output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), said);
        assert!(said.starts_with("two words a=b /"), "{said}");
    }
}
