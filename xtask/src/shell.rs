//! Runs other programs. Errors name the program that failed.

use std::{
    env,
    ffi::OsStr,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};

/// Returns a command that runs in `folder`.
pub(crate) fn command<I, A>(folder: &Path, program: impl AsRef<OsStr>, arguments: I) -> Command
where
    I: IntoIterator<Item = A>,
    A: AsRef<OsStr>,
{
    let mut command = Command::new(program);
    command.current_dir(folder).args(arguments);
    // `cargo run` describes xtask in these variables, and build scripts watch them. If they were passed on, every
    // switch between `cargo test` and `cargo xtask` would recompile TLS and everything that depends on it.
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&name);
        }
    }
    command
}

/// Runs a command on this terminal. An exit code other than 0 is an error.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command
        .stdin(Stdio::null())
        .status()
        .with_context(|| format!("cannot start `{}`", line(command)))?;
    if !status.success() {
        bail!("`{}` ended with {status}", line(command));
    }
    Ok(())
}

/// Runs a command silently and returns its standard output. On failure, the error contains all its output.
pub(crate) fn capture(command: &mut Command) -> Result<String> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot start `{}`", line(command)))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        bail!(
            "`{}` ended with {}\n{text}{}",
            line(command),
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
    }
    Ok(text)
}

/// Runs a command with this input and returns its standard output. On failure, its standard error becomes the error.
pub(crate) fn feed(command: &mut Command, input: Vec<u8>) -> Result<Vec<u8>> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start `{}`", line(command)))?;
    let mut stdin = child.stdin.take().context("its input is piped")?;
    // The command may print before it has read all input, or exit early. Its standard error then explains why; the
    // broken pipe does not.
    let writing = thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output()?;
    let written = writing.join().ok().context("writing its input panicked")?;
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr).trim());
    }
    written?;
    Ok(output.stdout)
}

/// Returns the command as typed in a shell.
pub(crate) fn line(command: &Command) -> String {
    std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(OsStr::to_string_lossy)
        .collect::<Vec<_>>()
        .join(" ")
}

/// Returns the path of a program, if it is on the PATH.
pub(crate) fn find_program(name: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?)
        .map(|folder| folder.join(name))
        .find(|candidate| candidate.is_file())
}

/// Polls every 50 ms until `ask` returns a value or `limit` has passed.
pub(crate) fn poll<T>(limit: Duration, mut ask: impl FnMut() -> Option<T>) -> Option<T> {
    let end = Instant::now() + limit;
    loop {
        if let Some(answer) = ask() {
            return Some(answer);
        }
        if Instant::now() >= end {
            return None;
        }
        pause();
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the interval of polling; the wait itself is for a condition"
)]
fn pause() {
    thread::sleep(Duration::from_millis(50));
}

/// Formats a duration as seconds with one decimal.
pub(crate) fn seconds(duration: Duration) -> String {
    format!("{:.1} s", duration.as_secs_f64())
}
